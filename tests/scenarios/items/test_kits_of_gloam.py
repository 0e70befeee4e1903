"""The kits of gloam: what each brings besides its items (rule F105)."""

import pytest
from msgspec import UNSET

from gloam_server.world.combat.companions import companion_of
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model.inputs import TakeKit
from gloam_server.world.population.chosen_kit import open_kits, refuse_kit
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario

GLOAM = shipped("gloam")
KITS = [kit.key for kit in GLOAM.kits]


def begun(kit: str, drawing: str = "#1..#") -> Scenario:
    """Return a new life that has taken a kit."""
    scenario = Scenario(drawing, campaign=GLOAM)
    give_starting_kit(GLOAM, scenario["1"], scenario.level.new_id)
    scenario.apply(TakeKit(scenario["1"].number, KITS.index(kit)))
    return scenario


@pytest.mark.rule("F105")
@pytest.mark.parametrize("kit", KITS)
def test_kit_brings_items_numbers_and_traits(kit: str) -> None:
    body, chosen, kind = begun(kit)["1"], GLOAM.kits[KITS.index(kit)], GLOAM.player_kind
    assert sorted(item.kind for item in body.carried) == sorted(chosen.items)
    assert (body.hp_max, body.mana_max) == (kind.hp + chosen.health, kind.mana + chosen.mana)
    assert body.learned == list(chosen.traits)
    assert all(item.bound == body.number for item in body.carried)


@pytest.mark.rule("F105")
def test_wolf_friend_has_a_wolf() -> None:
    scenario = begun("wolf_friend")
    wolf = companion_of(scenario.level, scenario["1"])
    assert wolf is not None
    assert (wolf.kind, wolf.owner, wolf.ally) == ("old_wolf", scenario["1"].number, True)
    scenario.apply(TakeKit(scenario["1"].number, KITS.index("wolf_friend")))
    assert len(list(scenario.level.monsters())) == 1


@pytest.mark.rule("F105")
def test_wolf_without_room_stays_with_its_friend() -> None:
    scenario = begun("wolf_friend", "#1#")
    assert list(scenario.level.monsters()) == []
    companion = scenario["1"].companion
    assert companion is not UNSET
    assert companion.kind == "old_wolf"


@pytest.mark.rule("F105")
@pytest.mark.parametrize(("depth", "kits"), [(0, 6), (4, 6), (5, 7), (10, 8), (19, 9), (20, 10)])
def test_line_that_went_deeper_has_more_kits(depth: int, kits: int) -> None:
    scenario = Scenario("#1.#", campaign=GLOAM)
    give_starting_kit(GLOAM, scenario["1"], scenario.level.new_id)
    offered = len(open_kits(GLOAM, depth))
    assert offered == kits
    assert refuse_kit(GLOAM, scenario["1"], kits - 1, offered) == ""
    assert refuse_kit(GLOAM, scenario["1"], kits, offered).startswith("There is no such kit")
