"""Obstacles in a monster's way: it changes places, pushes past, or strikes, and learns from it (rule F68)."""

import pytest

from gloam_server.world.model.creature_state import AiState
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped, with_rules
from support.scenarios.scenario import Scenario, blows, read_events

GLOAM = shipped("gloam")
FREE = with_rules(GLOAM, "learning", leaves_above=0)


def tough(scenario: Scenario) -> Scenario:
    """Give the players of a scenario enough health to outlive it."""
    for name in scenario.named:
        if name.isdigit():
            scenario.set_health(name, hp=9_000, hp_max=9_000)
    return scenario


@pytest.mark.rule("F68")
def test_a_fungus_in_a_corridor_is_no_wall() -> None:
    scenario = tough(Scenario("#1..F.O#", campaign=FREE, F="fungus", O="ogre"))
    struck: list[str] = []
    for _ in range(80):
        struck += blows(scenario.turn(("1", Wait())))
        if scenario.level.distance(scenario["O"], scenario["1"]) == 1:
            break
    assert not scenario.alive("F")
    assert scenario.level.distance(scenario["O"], scenario["1"]) == 1
    assert scenario["O"].experience == 0, "a fungus teaches nothing"


@pytest.mark.rule("F68", "T14.5")
def test_the_meat_shield_is_struck_down_and_teaches() -> None:
    """A player behind a monster is behind a shield: a creature that arrives behind it kills it, and learns."""
    scenario = tough(Scenario("#1r.o#", campaign=FREE, partition=2, r="snake", o="orc"))
    scenario["r"].ai = AiState()
    scenario.put_to_sleep("r", 900)
    for _ in range(60):
        scenario.turn(("1", Wait()))
        if not scenario.alive("r"):
            break
    assert not scenario.alive("r")
    assert scenario["o"].experience > 0


@pytest.mark.rule("F68")
def test_it_waits_a_while_before_it_strikes() -> None:
    scenario = tough(Scenario("#1.Fo#", campaign=FREE, F="fungus", o="orc"))
    first = next(turn for turn in range(20) if scenario.turn(("1", Wait())) and scenario["o"].contacts)
    assert first + 1 == FREE.learning.pushes_after


@pytest.mark.rule("F68")
def test_kin_change_places_unless_one_of_them_fights() -> None:
    idle = tough(Scenario("#1..kK#", campaign=FREE, k="kobold", K="kobold"))
    idle.put_to_sleep("k", 900)
    lines = read_events(idle.turn(("1", Wait())), idle["1"])
    assert lines == ["The kobold pushes past the kobold."]
    assert idle.where("K") == (4, 0)
    fighting = tough(Scenario("#1kK#", campaign=FREE, k="kobold", K="kobold"))
    for _ in range(12):
        fighting.turn(("1", Wait()))
        assert fighting.where("k") == (2, 0)
    assert fighting.alive("k")
    assert fighting["k"].hp == fighting["k"].hp_max, "kin never strike each other"


@pytest.mark.rule("F68")
def test_the_strong_push_past_the_weak() -> None:
    scenario = tough(Scenario("#1..rO#", campaign=FREE, r="rat", O="ogre"))
    scenario.set_health("r", hp=5, hp_max=5)
    scenario.put_to_sleep("r", 900)
    scenario.turn(("1", Wait()))
    assert scenario.where("O") == (4, 0)
    assert scenario.alive("r")


@pytest.mark.rule("F68")
@pytest.mark.parametrize("pair", [("kobold", "kobold"), ("rat", "ogre"), ("ogre", "rat"), ("orc", "zombie")])
def test_no_two_swap_for_ever(pair: tuple[str, str]) -> None:
    """Two hunt the same prey in a corridor: in forty turns they change places twice at most."""
    first, second = pair
    scenario = tough(Scenario("#1.........ab#", campaign=FREE, a=first, b=second))
    swaps = 0
    for _ in range(40):
        swaps += sum(event.kind == "shoves" for event in scenario.turn(("1", Wait())))
    assert swaps <= 2


@pytest.mark.rule("F68", "F66")
def test_one_leaves_and_one_hunts_pass_each_other_once() -> None:
    """One that leaves and one that hunts pass each other once."""
    scenario = Scenario("#1.....kK.....>#", campaign=GLOAM, k="kobold", K="kobold")
    scenario.set_health("1", hp=9_000, hp_max=9_000)
    scenario.set_progress("k", level=3, experience=105)
    scenario.hunt("k", "1")
    swaps = 0
    for _ in range(12):
        swaps += sum(event.kind == "shoves" for event in scenario.turn(("1", Wait())))
    assert swaps == 1
    assert scenario.level.distance(scenario["K"], scenario["1"]) == 1
    assert not scenario.alive("k")


@pytest.mark.rule("F68")
def test_in_classic_fungus_is_wall_as_in_its_article() -> None:
    """In a classic a fungus is a wall as in its article."""
    scenario = Scenario("#1..F.k#", campaign=shipped("jsrogue"), F="fungus", k="kobold")
    scenario.set_children("F", 0)
    struck: list[str] = []
    for _ in range(30):
        struck += blows(scenario.turn(("1", Wait())))
    assert struck == []
    assert scenario.alive("F")
