"""F08: a level whose creatures fell fills up again, out of sight, within bounds, and worth nothing to the tracker."""

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import PopulateLevel, Refill
from gloam_server.world.population.respawning import SPAWN_DISTANCE_MIN, needs_refill
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import arena_files
from support.scenarios.scenario import Scenario

EVERY = 3
CAVE = """
    ##############################
    #1...#.......................#
    #....#.......................#
    #....#.......................#
    #............................#
    ##############################
"""


def restless(creatures_max: int = 60, refill_percent: int = 0) -> Campaign:
    """Return the arena, where a creature appears in three turns."""
    files = arena_files(monsters=5)
    files["levels.toml"] += (
        f"respawn_turns = {EVERY}\ncreatures_max = {creatures_max}\nrefill_percent = {refill_percent}\n".encode()
    )
    # Newcomers stay where they are, so that their place of arrival can be seen.
    files["creatures.toml"] = files["creatures.toml"].replace(b'tasks = ["wander"]', b"tasks = []")
    files["creatures.toml"] = files["creatures.toml"].replace(b'tasks = ["hunt", "wander"]', b"tasks = []")
    files["creatures.toml"] = files["creatures.toml"].replace(b'tasks = ["spread"]', b"tasks = []")
    return load(files)


def emptied(creatures_max: int = 60) -> Scenario:
    """Return a level of five creatures, all of them gone."""
    scenario = Scenario(CAVE, campaign=restless(creatures_max))
    scenario.apply(PopulateLevel(difficulty=2, monsters=5))
    assert scenario.level.state.share == 5
    for creature in monsters(scenario):
        scenario.level.remove(creature)
    return scenario


def monsters(scenario: Scenario) -> list[Creature]:
    return [creature for creature in scenario.level.creatures.values() if not creature.account]


def wait(scenario: Scenario, turns: int) -> None:
    for _ in range(turns):
        scenario.turn(("1", Wait()))


@pytest.mark.rule("F08")
def test_one_creature_comes_until_the_share_is_full() -> None:
    """One creature appears in each period until the share is full."""
    scenario = emptied()
    counts = []
    for _ in range(7):
        wait(scenario, EVERY)
        counts.append(len(monsters(scenario)))
    assert counts == [1, 2, 3, 4, 5, 5, 5]


@pytest.mark.rule("F08")
def test_comes_marked_and_level_depth() -> None:
    """A newcomer is marked and of the level of its depth."""
    scenario = emptied()
    wait(scenario, EVERY * 5)
    assert all(creature.respawned for creature in monsters(scenario))
    assert all(creature.level == creature.born_level for creature in monsters(scenario))


@pytest.mark.rule("F08")
def test_no_respawn_in_sight_or_near() -> None:
    scenario = emptied()
    player = scenario["1"]
    wait(scenario, EVERY * 5)
    seen = scenario.level.field_of_view(player)
    for creature in monsters(scenario):
        assert not seen[creature.cell]
        assert scenario.grid.distance(creature.cell, player.cell) >= SPAWN_DISTANCE_MIN


@pytest.mark.rule("F08")
def test_no_respawn_at_a_seen_or_near_place() -> None:
    """No creature appears where every place is seen or near."""
    scenario = Scenario("#1......#", campaign=restless())
    scenario.apply(PopulateLevel(difficulty=0, monsters=3))
    for creature in monsters(scenario):
        scenario.level.remove(creature)
    wait(scenario, EVERY * 4)
    assert monsters(scenario) == []


@pytest.mark.rule("F08")
def test_most_creatures_level_never_passed() -> None:
    """The most creatures of a level are never passed."""
    scenario = emptied(creatures_max=3)
    wait(scenario, EVERY * 8)
    assert scenario.level.count_monsters() == 3


@pytest.mark.parametrize("campaign", [load(arena_files(monsters=5))])
def test_a_level_that_names_no_turns_stays_empty(campaign: Campaign) -> None:
    scenario = Scenario(CAVE, campaign=campaign)
    scenario.apply(PopulateLevel(difficulty=0, monsters=5))
    for creature in monsters(scenario):
        scenario.level.remove(creature)
    wait(scenario, 40)
    assert monsters(scenario) == []


@pytest.mark.rule("F08")
def test_a_thawed_level_goes_on_counting() -> None:
    scenario = emptied()
    wait(scenario, EVERY - 1)
    frozen = serialize_level(scenario.level)
    thawed = deserialize_level(frozen, scenario.level.campaign, scenario.level.realm_seed)
    assert (thawed.state.quiet, thawed.state.share) == (EVERY - 1, 5)
    assert serialize_level(thawed) == frozen


def deserted(refill_percent: int, cave: str = CAVE) -> Scenario:
    """Return a level of five creatures, all of them gone, and no player."""
    scenario = Scenario(cave.replace("1", "."), campaign=restless(refill_percent=refill_percent))
    scenario.apply(PopulateLevel(difficulty=2, monsters=5))
    for creature in monsters(scenario):
        scenario.level.remove(creature)
    return scenario


@pytest.mark.rule("F08")
@pytest.mark.parametrize(("percent", "count"), [(100, 5), (60, 3), (0, 0)])
def test_a_new_life_refills(percent: int, count: int) -> None:
    """A level without players fills up to the campaign's share, and newcomers are worth what natives are."""
    scenario = deserted(percent)
    scenario.apply(Refill((0, 1, 0)))
    assert len(monsters(scenario)) == count
    assert all(creature.generation == 0 and creature.respawned for creature in monsters(scenario))
    assert not needs_refill(scenario.level)
    scenario.apply(Refill((0, 1, 0)))
    scenario.apply(Refill((0, 2, 0)))
    assert len(monsters(scenario)) == count


@pytest.mark.rule("F08")
def test_no_refill_around_a_player() -> None:
    """No creature appears immediately where a player is."""
    scenario = Scenario(CAVE, campaign=restless(refill_percent=100))
    scenario.apply(PopulateLevel(difficulty=2, monsters=5))
    for creature in monsters(scenario):
        scenario.level.remove(creature)
    scenario.apply(Refill((0, 1, 0)))
    assert monsters(scenario) == []


@pytest.mark.rule("F08")
def test_refill_out_of_sight_of_arrival() -> None:
    """No creature appears where it could be seen from the place where lives begin."""
    scenario = deserted(100)
    scenario.level.state.arrival = 1 * scenario.width + 1
    scenario.apply(Refill((0, 1, 0)))
    assert len(monsters(scenario)) == 5
    assert all(creature.cell % scenario.width > 5 for creature in monsters(scenario))
