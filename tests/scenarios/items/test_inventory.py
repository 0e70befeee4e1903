"""The inventory: rules J10.3-J10.7, J10.14, JG.16, JG.17 and JG.19."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.actions import plan, try_execute
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import ExperienceGained
from gloam_server.world.model.outcome import Impossible
from gloam_shared.narration.rendering import inventory_name
from gloam_shared.protocol.commands import ActionCommand, Drop, Eat, PickUp, Wait, Wear, Wield
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, facts, kinds, read_events


def refused(scenario: Scenario, command: ActionCommand) -> tuple[str, str]:
    outcome = plan(scenario.level, scenario["1"], command)
    assert isinstance(outcome, Impossible)
    return outcome.reason, outcome.text


def listed(scenario: Scenario) -> list[str]:
    return [inventory_name(thing) for thing in scenario.inventory("1")]


@pytest.mark.rule("J10.3")
def test_player_jsrogue_22_slots_and_others_10() -> None:
    """A player of jsrogue has 22 slots and others 10."""
    scenario = Scenario("#1k#", campaign=shipped("jsrogue"), k="kobold")
    assert [len(scenario[name].slots) for name in ("1", "k")] == [22, 10]


@pytest.mark.rule("J10.4")
def test_letters_stay_and_the_first_free_one_is_filled() -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "apple", "rock", "sword")
    scenario.turn(("1", Drop(1)))
    assert scenario.names("1") == ["a apple", "c sword"]
    scenario.turn(("1", PickUp()))
    assert scenario.names("1") == ["a apple", "b rock", "c sword"]


@pytest.mark.rule("J10.7")
def test_dropped_lies_underfoot_and_slot_empty() -> None:
    """A dropped item lies underfoot and its slot is empty."""
    scenario = Scenario("#12#")
    [apple] = scenario.give("1", "apple")
    events = scenario.turn(("1", Drop(0)))
    assert read_events(events, scenario["1"]) == ["You drop the apple."]
    assert read_events(events, scenario["2"]) == ["Player1 drops an apple."]
    assert scenario.level.piles == {scenario["1"].cell: [apple]}
    assert scenario["1"].slots[0] is None


@pytest.mark.rule("J10.14")
@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (Drop(0), "You have nothing to drop!"),
        (Eat(0), "You are not carrying anything!"),
        (Wield(0), "You are not carrying anything!"),
        (Wear(25), "You are not carrying anything!"),
    ],
)
def test_carrying_nothing_costs_nothing(command: ActionCommand, reason: str) -> None:
    """A player who carries nothing is refused, and it costs no time."""
    assert refused(Scenario("#1.#"), command) == ("gone", reason)


@pytest.mark.rule("A45")
@pytest.mark.parametrize("command", [Drop(1), Eat(1), Wield(1), Wear(1), Drop(25)])
def test_an_empty_slot_holds_nothing_to_spend_twice(command: ActionCommand) -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "rock")
    assert refused(scenario, command) == ("gone", "You carry nothing there.")


@pytest.mark.parametrize(
    ("command", "reason", "text"),
    [
        (Eat(0), "wrong_kind", "You cannot eat the rock."),
        (Wield(0), "wrong_kind", "You cannot wield the rock."),
        (Wear(0), "wrong_kind", "You cannot wear the rock."),
        (Wield(None), "already", "You are empty handed."),
        (Wear(None), "already", "You are not wearing anything."),
    ],
)
def test_a_rock_is_of_no_use(command: ActionCommand, reason: str, text: str) -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "rock")
    assert refused(scenario, command) == (reason, text)


@pytest.mark.rule("JG.16")
def test_melon_four_bites() -> None:
    """A melon has four bites and is partly eaten between."""
    scenario = Scenario("#1.#")
    scenario.give("1", "melon")
    assert listed(scenario) == ["melon"]
    assert read_events(scenario.turn(("1", Eat(0))), scenario["1"]) == ["You eat the melon."]
    assert listed(scenario) == ["partly eaten melon"]
    for _ in range(2):
        assert read_events(scenario.turn(("1", Eat(0))), scenario["1"]) == ["You eat the partly eaten melon."]
    assert kinds(scenario.turn(("1", Eat(0)))) == ["eats"]
    assert listed(scenario) == []


@pytest.mark.rule("JG.16", "J10.2")
def test_partly_eaten_thing_keeps_name_lies() -> None:
    """A partly eaten thing keeps its name where it lies."""
    scenario = Scenario("#1.#")
    scenario.give("1", "melon")
    scenario.turn(("1", Eat(0)))
    scenario.turn(("1", Drop(0)))
    assert read_events(scenario.turn(("1", PickUp())), scenario["1"]) == ["You pick up a partly eaten melon."]


@pytest.mark.rule("JG.17", "JG.19")
def test_wielded_and_worn_things_add_attack() -> None:
    """Wielded and worn things add to attack and defense."""
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.give("1", "staff", "platemail")
    assert read_events(scenario.turn(("1", Wield(0))), scenario["1"]) == ["You are wielding a staff."]
    assert read_events(scenario.turn(("1", Wear(1))), scenario["1"]) == ["You are wearing a platemail."]
    assert listed(scenario) == ["staff (wielding)", "platemail (wearing)"]
    assert (total_attack(scenario.level, scenario["1"]), total_defense(scenario.level, scenario["1"])) == (
        15,
        9,
    )


@pytest.mark.rule("RG.21", "F45")
def test_equipping_swaps_in_place() -> None:
    """F45 has stable letters and a cap in the place of the original's order, newest first, and of its endless bag."""
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    assert len(scenario["1"].slots) == 26
    scenario.give("1", "club", "knife", "ration")
    carried = scenario.names("1")
    scenario.turn(("1", Wield(0)))
    assert read_events(scenario.turn(("1", Wield(1))), scenario["1"]) == ["You are wielding a +1 Knife."]
    assert scenario.names("1") == carried
    assert [" (" in words for words in listed(scenario)] == [False, True, False]
    scenario.lay("present", 1)
    scenario.turn(("1", PickUp()))
    assert scenario.names("1") == [*carried, "d present"]


@pytest.mark.rule("JG.19")
def test_same_thing_never_both_hands_and_body() -> None:
    """The same thing is never in both hands and on the body."""
    scenario = Scenario("#1.#")
    [pumpkin] = scenario.give("1", "pumpkin")
    scenario.turn(("1", Wield(0)))
    assert (scenario["1"].wielded, scenario["1"].worn) == (pumpkin.number, 0)
    scenario.turn(("1", Wear(0)))
    assert (scenario["1"].wielded, scenario["1"].worn) == (0, pumpkin.number)
    assert refused(scenario, Wear(0)) == ("already", "You are wearing that already.")


@pytest.mark.rule("JG.19")
def test_wearing_nothing_takes_off_armour() -> None:
    """Wearing nothing takes off the armor and not the weapon."""
    scenario = Scenario("#1.#")
    sword, tunic = scenario.give("1", "sword", "tunic")
    scenario.wield("1", sword.number)
    scenario.wear("1", tunic.number)
    assert read_events(scenario.turn(("1", Wear(None))), scenario["1"]) == ["You take off the tunic."]
    assert (scenario["1"].wielded, scenario["1"].worn) == (sword.number, 0)
    assert read_events(scenario.turn(("1", Wield(None))), scenario["1"]) == ["You are empty handed."]
    assert (scenario["1"].wielded, scenario["1"].worn) == (0, 0)


@pytest.mark.rule("JG.19")
@pytest.mark.parametrize("command", [Drop(0), Eat(0)])
@pytest.mark.parametrize("use", [Wield(0), Wear(0)])
def test_dropping_or_eating_unequips(use: ActionCommand, command: ActionCommand) -> None:
    scenario = Scenario("#1.#")
    scenario.give("1", "pumpkin")
    scenario.turn(("1", use))
    scenario.turn(("1", command))
    assert (scenario["1"].wielded, scenario["1"].worn) == (0, 0)


@pytest.mark.rule("JG.5")
def test_equipment_counts_in_a_blow() -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario.set_stats("1", attack=0)
    [sword] = scenario.give("1", "sword")
    assert read_events(scenario.go("1", E), scenario["1"])[0].startswith(
        "You are on guard: You have nothing to"
    )
    scenario.wield("1", sword.number)
    amounts = {scenario.go("1", E)[0].amount for _ in range(60)}
    assert min(amounts) == 1
    assert max(amounts) == 10


@pytest.mark.rule("J14.10")
def test_victims_equipment_counts_worth() -> None:
    """The victims equipment counts in what it is worth."""
    scenario = Scenario("#1k#", k="kobold")
    sword, tunic = scenario.give("k", "sword", "tunic")
    scenario.wield("k", sword.number)
    scenario.wear("k", tunic.number)
    scenario.set_health("k", hp=1)
    scenario.go("1", E)
    assert [gain.amount for gain in facts(scenario.events, ExperienceGained)] == [6 + 4 + 10 + 2]


@pytest.mark.rule("JG.12")
def test_what_the_dead_carried_lies_under_the_corpse() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario.give("k", "sword", "apple")
    scenario.set_health("k", hp=1)
    scenario.go("1", E)
    assert [item.name for item in scenario.level.piles[2]] == ["sword", "apple", "kobold corpse"]


@pytest.mark.parametrize("kind", ["kobold", "statue"])
def test_monsters_wield_and_wear_by_the_same_commands(kind: str) -> None:
    scenario = Scenario("#k.1#", k=kind)
    sword, tunic = scenario.give("k", "sword", "tunic")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    for command in (Wield(0), Wear(1)):
        assert try_execute(context, scenario["k"], command) is None
    assert (scenario["k"].wielded, scenario["k"].worn) == (sword.number, tunic.number)
    assert read_events(context.events, scenario["1"]) == [
        f"The {kind} is wielding a sword.",
        f"The {kind} is wearing a tunic.",
    ]


def test_body_without_stroke_takes_sword_harm() -> None:
    """A body without a stroke that takes up a sword can harm."""
    scenario = Scenario("#F1#", F="fungus")
    [sword] = scenario.give("F", "sword")
    scenario.wield("F", sword.number)
    scenario.turn(("1", Wait()))
    assert total_attack(scenario.level, scenario["F"]) == 10
