"""Picking up: rules J10.5-J10.8 and J10.14-J10.16, and who gets what two want."""

import pytest
from msgspec.structs import replace

from gloam_server.rules.dice import Dice
from gloam_server.world.actions import plan, try_execute
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Drop, Move, PickUp, Wait
from support.content.campaigns import arena
from support.scenarios.scenario import E, Scenario, W, kinds, read_events

NOTHING_HERE = "There is nothing here to pick up."


def handle(scenario: Scenario, number: int) -> int:
    return scenario.level.handles[number]


def why_not(scenario: Scenario, name: str, command: PickUp) -> str:
    outcome = plan(scenario.level, scenario[name], command)
    assert isinstance(outcome, Impossible)
    return outcome.text


@pytest.mark.rule("J10.15")
def test_thing_picked_directly_first_slot() -> None:
    """One thing is picked up directly into the first slot."""
    scenario = Scenario("#1.#")
    apple = scenario.lay("apple", 1)
    assert read_events(scenario.turn(("1", PickUp())), scenario["1"]) == ["You pick up an apple."]
    assert scenario["1"].slots[0] is apple
    assert scenario.level.piles == {}
    assert apple.number not in scenario.level.handles


@pytest.mark.rule("J10.6")
def test_named_items_are_taken_in_pile_order() -> None:
    """Of several items the named ones are taken in the order of the pile."""
    scenario = Scenario("#1.#")
    rock, apple, sword = (scenario.lay(kind, 1) for kind in ("rock", "apple", "sword"))
    wanted = (handle(scenario, sword.number), handle(scenario, rock.number))
    events = scenario.turn(("1", PickUp(wanted)))
    assert read_events(events, scenario["1"]) == ["You pick up a rock.", "You pick up a sword."]
    assert scenario.names("1") == ["a rock", "b sword"]
    assert scenario.level.piles[scenario["1"].cell] == [apple]


@pytest.mark.rule("J10.6", "J10.14")
def test_what_has_no_room_stays_and_is_reported() -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", *["rock"] * 9)
    for kind in ("apple", "sword"):
        scenario.lay(kind, 1)
    events = scenario.turn(("1", PickUp()))
    assert read_events(events, scenario["1"]) == [
        "You pick up an apple.",
        "Your inventory is full! Not all items were picked up.",
    ]
    assert [item.name for item in scenario.level.piles[1]] == ["sword"]


@pytest.mark.rule("J10.14")
def test_full_slots_pick_up_nothing() -> None:
    """With full slots nothing is picked up, and no turn passes."""
    scenario = Scenario("#1.#")
    scenario.give("1", *["rock"] * 10)
    scenario.lay("apple", 1)
    assert why_not(scenario, "1", PickUp()) == "Your inventory is full! Nothing was picked up."


@pytest.mark.rule("J10.14")
def test_a_full_pack_takes_what_it_can() -> None:
    """From a list a full pack takes what fits, and stays as it is where nothing fits."""
    scenario = Scenario("#1.#")
    scenario.give("1", *["rock"] * 10)
    apple = scenario.lay("apple", 1)
    scenario.lay("sword", 1)
    for wanted in (PickUp(), PickUp((handle(scenario, apple.number),))):
        assert why_not(scenario, "1", wanted) == "Your inventory is full! Not all items were picked up."


@pytest.mark.rule("J10.14")
def test_nothing_lies_reported_and_costs_nothing() -> None:
    """On a cell without items the command is refused with a sentence."""
    assert why_not(Scenario("#1.#"), "1", PickUp()) == NOTHING_HERE
    assert why_not(Scenario("#1.#"), "1", PickUp((7,))) == NOTHING_HERE


@pytest.mark.rule("A41")
def test_items_out_of_reach_are_refused_alike() -> None:
    """An item that lies elsewhere, is carried or never was is refused in the same words."""
    scenario = Scenario("#1.#2#")
    scenario.lay("rock", 1)
    there = handle(scenario, scenario.lay("sword", 4).number)
    [carried] = scenario.give("2", "tunic")
    unknown = next(number for number in range(1, 99) if number not in scenario.level.taken_handles)
    reasons = {
        why_not(scenario, "1", PickUp((wanted,)))
        for wanted in (there, carried.number % 65_536, unknown, scenario.level.handles[scenario["2"].number])
    }
    assert reasons == {"That does not lie here."}


@pytest.mark.rule("J10.8")
def test_the_uppermost_of_a_pile_is_what_came_last() -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "rock", "apple")
    for slot in (0, 1):
        scenario.turn(("1", Drop(slot)))
    assert [item.name for item in scenario.level.piles[1]] == ["rock", "apple"]


@pytest.mark.rule("J10.16")
def test_items_underfoot_are_shown_to_their_finder() -> None:
    scenario = Scenario("#1.2#")
    scenario.lay("apple", 2)
    events = scenario.go("1", E)
    assert read_events(events, scenario["1"]) == ["You see an apple."]
    assert read_events(events, scenario["2"]) == []
    scenario.lay("rock", 1)
    scenario.lay("rock", 1)
    assert read_events(scenario.go("1", W), scenario["1"]) == ["There are several objects here."]


@pytest.mark.rule("J10.16")
def test_monsters_walk_over_things_in_silence() -> None:
    scenario = Scenario("#k...1#", k="kobold")
    scenario.lay("apple", 2)
    assert "finds" not in kinds(scenario.turn(("1", None)))


@pytest.mark.rule("A43")
def test_one_of_two_gets_the_item() -> None:
    """Only who stands on it can take it: another's step onto it changes places."""
    scenario = Scenario("#12#")
    apple = scenario.lay("apple", 1)
    wanted = PickUp((handle(scenario, apple.number),))
    scenario.turn(("2", Move(-1, 0)))
    assert read_events(scenario.turn(("1", wanted)), scenario["1"]) == [f"You are on guard: {NOTHING_HERE}"]
    assert read_events(scenario.turn(("2", wanted)), scenario["1"]) == ["Player2 picks up an apple."]
    assert scenario.names("2") == ["a apple"]
    assert scenario.names("1") == []


def test_monsters_pick_up_by_the_same_command() -> None:
    scenario = Scenario("#k.1#", k="kobold")
    scenario.lay("sword", 1)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    assert try_execute(context, scenario["k"], PickUp()) is None
    assert read_events(context.events, scenario["1"]) == ["The kobold picks up a sword."]
    assert scenario.names("k") == ["a sword"]
    assert len(scenario["k"].slots) == 10


@pytest.mark.rule("F70")
def test_one_of_a_treasury_is_had() -> None:
    """The others turn to dust before the eyes of all who see them; what is no part of the choice stays."""
    scenario = Scenario("#1..2#")
    sword, apple, rock, other = (
        scenario.lay(kind, cell) for kind, cell in (("sword", 1), ("apple", 2), ("rock", 3), ("apple", 3))
    )
    for item, choice in ((sword, 7), (apple, 7), (rock, 7), (other, 0)):
        item.choice = choice
    events = scenario.turn(("1", PickUp()))
    assert read_events(events, scenario["2"])[1:] == [
        "The apple (choose one) turns to dust: one was to be chosen.",
        "The rock (choose one) turns to dust: one was to be chosen.",
    ]
    assert scenario.names("1") == ["a sword"]
    assert [item for _, item in scenario.level.items_at()] == [other]


@pytest.mark.rule("F70")
def test_a_monster_takes_no_choice() -> None:
    """Only players choose."""
    scenario = Scenario("#k.1#", k="kobold")
    scenario.lay("apple", 1).choice = 3
    outcome = plan(scenario.level, scenario["k"], PickUp())
    assert isinstance(outcome, Impossible)


@pytest.mark.rule("F132")
def test_a_corpse_fades_and_nothing_else_does() -> None:
    scenario = Scenario("#1..#", campaign=replace(arena(), corpse_turns=30))
    scenario.lay("corpse", 2)
    scenario.lay("rock", 3)
    scenario.turn(("1", Wait()))
    assert len(scenario.level.piles) == 2
    for _ in range(60):
        scenario.turn(("1", Wait()))
    assert [item.kind for _, item in scenario.level.items_at()] == ["rock"]
