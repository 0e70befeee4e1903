"""Plates, levers, altars, locks, gates and cages: rules F175 to F178 as played."""

import pytest

from gloam_server.world.actions import registry
from gloam_server.world.model.inputs import Leave
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.protocol.commands import Dig, Drop, Move, Wait
from support.content.device_campaign import machines
from support.scenarios.device_scenario import is_open, machine
from support.scenarios.scenario import E, Scenario, W, kinds, read_events


def refusal(scenario: Scenario, name: str, command: Move | Dig) -> str:
    outcome = registry.plan(scenario.level, scenario[name], command)
    assert isinstance(outcome, Impossible)
    return outcome.text


@pytest.mark.rule("F175")
def test_a_plate_opens_a_gate_for_who_stands_on_it() -> None:
    scenario = machine("1...#..", ".p..g.v")
    assert not is_open(scenario, 4)
    assert read_events(scenario.go("1", E), scenario["1"]) == [
        "You step onto the plate.",
        "You hear the iron gate open.",
    ]
    assert is_open(scenario, 4)
    assert read_events(scenario.go("1", E), scenario["1"]) == ["You hear the iron gate shut."]
    assert not is_open(scenario, 4)


@pytest.mark.rule("F175")
def test_monsters_do_not_work_plates() -> None:
    scenario = machine("1..k#..", "...pg.v")
    scenario.turn(("1", Wait()))
    assert not is_open(scenario, 4)


@pytest.mark.rule("F175")
def test_a_companion_works_plates() -> None:
    scenario = machine("1..k#..", "...pg.v")
    scenario["k"].bond, scenario["k"].owner, scenario["k"].ally = "companion", scenario["1"].number, True
    scenario.turn(("1", Wait()))
    assert is_open(scenario, 4)


@pytest.mark.rule("F177")
def test_two_plates_open_a_seal_for_good() -> None:
    scenario = machine("1.2#.", "pp.sv")
    scenario.turn(("1", Wait()))
    assert not is_open(scenario, 3)
    scenario.go("2", W)
    assert is_open(scenario, 3)
    scenario.go("2", E)
    scenario.go("1", E)
    assert is_open(scenario, 3)


@pytest.mark.rule("F177")
def test_two_players_swap_on_one_plate() -> None:
    scenario = machine("12.#.", "p..gv")
    scenario.turn(("1", Wait()))
    assert is_open(scenario, 3)
    assert "gate_shuts" not in kinds(scenario.go("2", W))
    assert scenario.where("2") == (0, 0)
    assert is_open(scenario, 3)


@pytest.mark.rule("F177")
@pytest.mark.parametrize("way", ["leaves", "dies"])
def test_the_gate_follows_a_holder_who_is_gone(way: str) -> None:
    scenario = machine("1.k#2", "p..gv")
    scenario.turn(("1", Wait()))
    assert is_open(scenario, 3)
    if way == "leaves":
        scenario.apply(Leave(scenario["1"].number))
    else:
        scenario.set_health("1", hp=1)
        scenario.set_stats("k", attack=99)
        for _ in range(9):
            if scenario.alive("1"):
                scenario.turn(("1", Wait()))
    assert not scenario.alive("1")
    assert not is_open(scenario, 3)


@pytest.mark.rule("F177")
def test_a_gate_does_not_shut_on_a_body_or_an_item() -> None:
    scenario = machine("1.2#.", "p..gv")
    scenario.turn(("1", Wait()))
    scenario.go("2", E)
    scenario.go("1", E)
    assert is_open(scenario, 3)
    scenario.go("2", E)
    assert not is_open(scenario, 3)


@pytest.mark.rule("F176")
def test_a_lever_is_pulled_by_walking_into_it() -> None:
    scenario = machine("#1..#.", "l...gv")
    assert "You pull the lever." in read_events(scenario.go("1", W), scenario["1"])
    assert scenario.where("1") == (1, 0)
    assert is_open(scenario, 4)
    scenario.go("1", W)
    assert not is_open(scenario, 4)


@pytest.mark.rule("F176")
def test_monsters_do_not_pull_levers() -> None:
    scenario = machine("#k..#1", "l...gv")
    assert refusal(scenario, "k", Move(*W)) == "There is no way through."


@pytest.mark.rule("F176")
def test_a_bell_wakes_who_sleeps() -> None:
    scenario = machine("#1....k#.", "b......gv")
    scenario["k"].asleep, scenario["k"].ai.dozes = 90, True
    scenario.go("1", W)
    assert not scenario["k"].asleep


@pytest.mark.rule("F176")
def test_a_plate_with_a_spell_strikes_who_steps_on_it() -> None:
    scenario = machine("1..#.", ".h.gv")
    before = scenario["1"].hp
    scenario.go("1", E)
    assert scenario["1"].hp < before


@pytest.mark.rule("F176")
def test_a_lock_takes_a_key() -> None:
    scenario = machine("#1..#.", "k...gv")
    assert refusal(scenario, "1", Move(*W)) == "The lock is shut: it takes an iron key."
    scenario.give("1", "iron_key")
    lines = read_events(scenario.go("1", W), scenario["1"])
    assert lines == ["You open the lock with the iron key, which breaks.", "You hear the iron gate open."]
    assert scenario.names("1") == []
    assert is_open(scenario, 4)
    assert refusal(scenario, "1", Move(*W)) == "The lock is open already."


@pytest.mark.rule("F176")
def test_an_altar_takes_what_a_player_leaves_on_it() -> None:
    scenario = machine("1..#.", "a..sv")
    scenario.give("1", "iron_key", "red_book")
    scenario.turn(("1", Drop(0)))
    assert not is_open(scenario, 3)
    lines = read_events(scenario.turn(("1", Drop(1))), scenario["1"])
    assert "You give the red book to the altar." in lines
    assert is_open(scenario, 3)
    assert [item.kind for _, item in scenario.level.items_at()] == ["iron_key"]


@pytest.mark.rule("F176")
def test_an_altar_takes_only_gifts() -> None:
    scenario = machine("1..#.", "a..sv")
    scenario.lay("red_book", 0)
    scenario.turn(("1", Wait()))
    assert not is_open(scenario, 3)


@pytest.mark.rule("F177")
def test_a_gate_is_no_rock_to_dig_and_says_so() -> None:
    scenario = machine("####\n1#.#\n####", "....\n.gv.\n....")
    assert refusal(scenario, "1", Move(*E)) == "The iron gate is shut: something else opens it."
    assert not scenario.level.is_diggable(5)
    assert refusal(scenario, "1", Dig(*E))


@pytest.mark.rule("F177")
def test_the_walls_of_a_sealed_room_cannot_be_dug() -> None:
    scenario = machine("......\n.####.\n.##.#.\n1####.\n......", "......\n......\n...v..\n.g....\n......")
    assert not scenario.level.is_diggable(2 * 6 + 2)
    assert not scenario.level.is_diggable(3 * 6 + 4)


@pytest.mark.rule("F178")
def test_a_shut_cage_keeps_its_captive() -> None:
    scenario = machine("1k.\n#..", ".c.\nl..")
    scenario["k"].bond = "captive"
    assert refusal(scenario, "1", Move(*E)) == "The iron cage is shut: something else opens it."
    scenario.turn(("1", Move(0, 1)))
    assert "frees" in kinds(scenario.go("1", E))


@pytest.mark.rule("F176")
def test_a_level_from_its_bytes_has_its_levers() -> None:
    """A cut between two inputs changes nothing: the lever is in the state, the gate in the terrain."""
    scenario = machine("#1..#.", "l...gv")
    scenario.go("1", W)
    body = serialize_level(scenario.level)
    again = deserialize_level(body, machines(), 1)
    assert again.state.devices == scenario.level.state.devices
    assert again.is_walkable(4)
    assert serialize_level(again) == body


@pytest.mark.rule("F179")
def test_a_companion_holds_a_plate_near_its_owner() -> None:
    scenario = machine("1.....#.\n..k.....", "......sv\n....p...")
    scenario["k"].bond, scenario["k"].owner, scenario["k"].ally = "companion", scenario["1"].number, True
    for _ in range(4):
        scenario.turn(("1", Wait()))
    assert scenario.where("k") == (4, 1)
    for _ in range(2):
        scenario.turn(("1", Wait()))
    assert scenario.where("k") == (4, 1)
