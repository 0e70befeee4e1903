"""Unique creatures and captives of the flagship: made with the levels, each with its own (rules F116, F118)."""

from collections import Counter
from functools import cache

import pytest

from gloam_server.content.loader import CampaignError, load
from gloam_server.world.generation import generate_round
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_shared.protocol.commands import Wait
from support.content.shipped_files import campaign, changed
from support.scenarios.scenario import Scenario, read_events

GLOAM = campaign("gloam")
WARDENS = {beacon.warden for beacon in GLOAM.beacons.places}
UNIQUE = sorted(key for key, kind in GLOAM.creatures.items() if kind.speech and key not in WARDENS)
SEEDS = range(6)


@cache
def realm(seed: int) -> Dungeon:
    dungeon = new_dungeon(GLOAM, seed)
    populate(dungeon)
    return dungeon


@pytest.mark.rule("F118")
def test_ten_peoples_have_a_unique_each() -> None:
    kinds = [GLOAM.creatures[key] for key in UNIQUE]
    assert len(kinds) == len({kind.people for kind in kinds}) == 10
    own = Counter(item for kind in GLOAM.creatures.values() for item in kind.starts_with)
    for kind in kinds:
        [item] = kind.starts_with
        assert own[item] == 1
        mixes = [other.tasks for other in GLOAM.creatures.values() if other is not kind]
        assert kind.tasks not in mixes, f"{kind.name} does as another kind does"


@pytest.mark.thorough
@pytest.mark.rule("F118")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_realm_has_a_unique_once_at_most(seed: int) -> None:
    met = Counter(
        body.kind
        for level in realm(seed).levels.values()
        for body in level.creatures.values()
        if body.kind in UNIQUE
    )
    assert len(met) >= 4
    assert set(met.values()) == {1}


@pytest.mark.thorough
@pytest.mark.rule("F116")
@pytest.mark.parametrize("seed", SEEDS)
def test_captives_wait_in_cages_with_guards(seed: int) -> None:
    """Three wait on depths 1 to 12 and two below, besides the captives of drawn rooms; each cage has a guard that hates its own."""
    depths = []
    drawn = {level.partition: level.kept for level in generate_round(GLOAM, seed)}
    for level in realm(seed).levels.values():
        for body in level.creatures.values():
            if body.bond != "captive" or body.cell in drawn[level.partition]:
                continue
            depths.append(level.depth)
            assert not body.hidden
            haters = [
                other
                for other in level.creatures.values()
                if other.bond != "captive"
                and level.distance(body, other) <= 9
                and body.kind in GLOAM.creatures[other.kind].hates
            ]
            assert haters
    assert len(depths) >= 4
    assert sum(depth <= 12 for depth in depths) >= 2
    assert sum(depth > 12 for depth in depths) >= 1
    assert len(depths) <= 5


@pytest.mark.rule("F118")
@pytest.mark.parametrize("key", UNIQUE)
def test_a_unique_speaks_once_to_each_player(key: str) -> None:
    scenario = Scenario("#1..u..2#", campaign=GLOAM, u=key)
    scenario["u"].ai.hidden = False
    for name in ("1", "2", "u"):
        scenario.set_health(name, hp=9_000, hp_max=9_000)
    read: list[str] = []
    for _ in range(6):
        events = scenario.turn(("1", Wait()), ("2", Wait()))
        read += read_events([event for event in events if event.kind == "speaks"], scenario["1"])
    kind = GLOAM.creatures[key]
    assert read == [f'{kind.name} says: "{kind.speech}"'] * 2  # to each of both, and each hears both


@pytest.mark.rule("F118")
def test_check_names_a_unique_without_a_place() -> None:
    files = changed("creatures.toml", "[rat]\n", '[rat]\nspeech = "Squeak."\n', "gloam")
    with pytest.raises(CampaignError, match=r"rat.speech is .*: write spawns = false"):
        load(files)
