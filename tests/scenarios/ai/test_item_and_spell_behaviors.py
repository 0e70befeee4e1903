"""Thieves, gatherers, menders, casters, callers and followers: one scenario for each task (F29, F30)."""

import pytest
from msgspec.structs import replace

from gloam_server.world.combat.hostility import make_ally
from gloam_server.world.model.creature import Creature
from gloam_shared.protocol.commands import Wait
from support.content.behavior_campaigns import bestiary
from support.scenarios.scenario import E, Scenario, kinds, read_events

WAIT = ("1", Wait())


def hall(drawing: str, **letters: str) -> Scenario:
    return Scenario(drawing, campaign=bestiary(), seed=1, partition=1, dark=False, **letters)


def x_of(scenario: Scenario, name: str) -> int:
    return scenario.where(name)[0]


def of_kind(scenario: Scenario, kind: str) -> list[Creature]:
    return [creature for creature in scenario.level.creatures.values() if creature.kind == kind]


def test_zap_spends_charges_of_wand_harms() -> None:
    """Zap spends the charges of a wand that harms and of no other."""
    scenario = hall("1....z", z="zapper")
    scenario.give("z", "patches", "bolts")
    before = scenario["1"].hp
    events = [event for _ in range(4) for event in scenario.turn(WAIT)]
    assert read_events(events, scenario["1"]).count("The zapper zaps a wand of bolts.") == 2
    assert scenario["1"].hp == before - 6
    assert scenario.names("z") == ["a wand of patches"]


def test_zap_waits_for_a_foe_within_reach() -> None:
    scenario = hall("1........z", z="zapper")
    scenario.give("z", "bolts")
    events = scenario.turn(WAIT)
    assert "zaps" not in kinds(events)


def test_steal_takes_thing_hits_and_runs() -> None:
    """Steal takes a thing from who it hits and runs."""
    scenario = hall("...1t.......", t="thief")
    scenario.give("1", "apple")
    lines = read_events(scenario.turn(WAIT), scenario["1"])
    assert lines[0].startswith("The thief strikes you for ")
    assert lines[1] == "The thief steals an apple from you!"
    assert scenario["1"].carried == []
    for _ in range(4):
        scenario.turn(WAIT)
    assert x_of(scenario, "t") == 8


def test_steal_kills_thief_finds_thing() -> None:
    """Steal who kills the thief finds the thing again."""
    scenario = hall("...1t", t="thief")
    [apple] = scenario.give("1", "apple")
    scenario.turn(WAIT)
    scenario.set_health("t", hp=1)
    scenario.go("1", E)
    assert apple in scenario.level.piles[4]


def test_steal_leaves_what_is_wielded_worn_or_bound() -> None:
    scenario = hall("...1t", t="thief")
    sword, tunic, rock = scenario.give("1", "sword", "tunic", "rock")
    scenario.wield("1", sword.number)
    scenario.wear("1", tunic.number)
    rock.bound = scenario["1"].number
    for _ in range(5):
        scenario.turn(WAIT)
    assert scenario["1"].carried == [sword, tunic, rock]


def test_gather_goes_weapons_and_potions() -> None:
    """Gather goes for weapons and potions and picks them up."""
    scenario = hall("m....", m="magpie")
    knife, draught = scenario.lay("knife", 2), scenario.lay("draught", 4)
    scenario.lay("rock", 1)
    for _ in range(8):
        scenario.wild()
    assert scenario["m"].carried == [knife, draught]


@pytest.mark.rule("F30")
def test_gather_leaves_what_players_laid_down() -> None:
    """Gather leaves what a player laid down, and what a creature was given for life."""
    scenario = hall("m....", m="magpie")
    scenario.lay("knife", 2).owner = 1
    scenario.lay("draught", 3).bound = 1_024
    for _ in range(8):
        scenario.wild()
    assert scenario["m"].carried == []
    assert x_of(scenario, "m") == 0


def test_gather_does_not_go_while_a_foe_is_in_sight() -> None:
    scenario = hall("m...1", m="magpie")
    scenario.lay("knife", 0)
    scenario.turn(WAIT)
    assert (x_of(scenario, "m"), scenario["m"].carried) == (1, [])


def test_quaff_drinks_what_heals_when_badly_hurt() -> None:
    scenario = hall("m", m="magpie")
    scenario.give("m", "draught")
    scenario.set_health("m", hp=11)
    scenario.wild()
    assert len(scenario["m"].carried) == 1
    scenario.set_health("m", hp=10)
    assert "quaffs" in kinds(scenario.wild())
    assert (scenario["m"].hp, scenario["m"].carried) == (19, [])


def test_mend_heals_a_wounded_friend_in_sight_for_mana() -> None:
    scenario = hall("m..O", m="mender", O="ogre")
    scenario.set_health("O", hp=90)
    scenario.set_stats("O", speed=50)
    scenario.wild()
    assert (scenario["O"].hp, scenario["m"].mana) == (95, 6)
    scenario.wild()
    scenario.wild()
    assert (scenario["O"].hp, scenario["m"].mana) == (100, 2)


def test_mend_heals_neither_foe_nor_little_hurt() -> None:
    """Mend heals neither a foe nor who is little hurt."""
    scenario = hall("m..O..1", m="mender", O="statue")
    scenario.set_health("1", hp=5)
    scenario.set_health("O", hp=501)
    scenario.turn(WAIT)
    assert (scenario["1"].hp, scenario["O"].hp, scenario["m"].mana) == (5, 501, 10)


def test_cast_casts_harms_prey_sight_while_mana() -> None:
    """Cast casts what harms at prey in sight while there is mana."""
    scenario = hall("1......m", m="mage")
    scenario.turn(WAIT)
    assert x_of(scenario, "m") == 6
    scenario.turn(WAIT)
    scenario.turn(WAIT)
    assert (scenario["1"].hp, scenario["m"].mana, x_of(scenario, "m")) == (34, 0, 6)
    scenario.turn(WAIT)
    assert x_of(scenario, "m") == 5


def test_cast_does_not_throw_fire_at_its_friends() -> None:
    scenario = hall("1S...b", b="bomber", S="statue")
    scenario.turn(WAIT)
    assert (scenario["b"].mana, scenario["S"].hp) == (9, 1_000)
    scenario = hall("1..S.b", b="bomber", S="statue")
    scenario.turn(WAIT)
    assert (scenario["b"].mana, scenario["1"].hp) == (6, 36)


def test_call_brings_others_beside_but_never_more() -> None:
    """Call brings others beside it but never more than this many at the same time."""
    scenario = hall(
        """
        ......
        1....c
        ......
        """,
        c="crier",
    )
    lines: list[str] = []
    for _ in range(40):
        lines += read_events(scenario.turn(WAIT), scenario["1"])
        scenario.set_health("1", hp=scenario["1"].hp_max)
    assert lines.count("The crier brings forth a rat!") == 2
    assert [rat.owner for rat in of_kind(scenario, "rat")] == [scenario["c"].number] * 2


def test_call_silent_no_foe_sight_and_level_full() -> None:
    """Call is silent with no foe in sight and where the level is full."""
    scenario = hall("..c..", c="crier")
    assert kinds(scenario.wild()) == []
    caves = bestiary().levels["caves"]
    full = replace(bestiary(), levels={"caves": replace(caves, creatures_max=2)})
    scenario = Scenario("1...c", campaign=full, c="crier")
    assert kinds(scenario.turn(WAIT)) == []


def squire(drawing: str, **letters: str) -> Scenario:
    """Return a scenario in which "s" is a squire of the player."""
    scenario = hall(drawing, s="squire", **letters)
    scenario.set_owner("s", "1")
    make_ally(scenario.level, scenario["s"])
    return scenario


def test_follow_keeps_near_its_owner() -> None:
    scenario = squire("s1.........")
    for _ in range(6):
        scenario.go("1", E)
    assert x_of(scenario, "1") - x_of(scenario, "s") == 2


def test_follow_leaves_its_owner_for_a_foe_in_sight() -> None:
    scenario = squire("1s.......r", r="rat")
    scenario.set_health("r", hp=100, hp_max=100)
    scenario.set_stats("r", speed=50)
    for _ in range(12):
        scenario.turn(WAIT)
    assert scenario["r"].hp < 100


def test_follow_its_owner_changes_places_with_it() -> None:
    scenario = squire("1s#")
    assert kinds(scenario.go("1", E)) == ["swaps"]
    assert (x_of(scenario, "1"), x_of(scenario, "s")) == (1, 0)
