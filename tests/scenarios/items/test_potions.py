"""Potions: rules TG.22, TG.23 and RG.16 as played."""

from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.actions import plan, try_execute
from gloam_server.world.items.equipment import total_attack, total_defense, total_sight
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import ExperienceGained, Narration
from gloam_server.world.model.identification import unidentified_name
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import ActionCommand, Drop, Quaff, Wait
from gloam_shared.view.view import ItemFlag
from support.content.campaigns import shipped
from support.content.magic_campaign import APPEARANCES, POTIONS, academy
from support.scenarios.scenario import E, Scenario, facts, kinds, read_events

HALL = """
###########
#1.......2#
###########
"""


def scene(drawing: str = "#1..2#", **letters: Any) -> Scenario:
    return Scenario(drawing, campaign=academy(), **letters)


def quaff(scenario: Scenario, kind: str, name: str = "1") -> list[Narration]:
    scenario.give(name, f"{kind}_potion")
    return scenario.turn((name, Quaff(0)))


def wait(scenario: Scenario, turns: int) -> list[Narration]:
    return [event for _ in range(turns) for event in scenario.turn(("1", Wait()))]


def looks(scenario: Scenario, kind: str) -> str:
    return unidentified_name(scenario.level, scenario.level.campaign.items[f"{kind}_potion"])


def refused(scenario: Scenario, command: ActionCommand) -> str:
    outcome = plan(scenario.level, scenario["1"], command)
    assert isinstance(outcome, Impossible)
    return outcome.text


@pytest.mark.rule("TG.22")
def test_health_gives_fifteen_and_no_more_room() -> None:
    """Health gives fifteen and no more than there is room for."""
    scenario = scene()
    scenario.set_health("1", hp=10)
    events = quaff(scenario, "health")
    assert scenario["1"].hp == 25
    assert "You feel better." in read_events(events, scenario["1"])
    scenario.set_health("1", hp=39)
    quaff(scenario, "health")
    assert (scenario["1"].hp, scenario["1"].hp_max) == (40, 40)


@pytest.mark.rule("TG.22")
def test_mana_gives_ten() -> None:
    scenario = scene()
    scenario.set_mana("1", mana=3)
    quaff(scenario, "mana")
    assert scenario["1"].mana == 13


@pytest.mark.rule("TG.22")
def test_slow_health_gives_one_in_each_of_100_turns() -> None:
    scenario = scene()
    scenario.set_health("1", hp_max=200, hp=5)
    quaff(scenario, "slow_health")
    assert scenario["1"].hp == 6
    wait(scenario, 98)
    assert scenario["1"].hp == 104
    events = wait(scenario, 1)
    assert read_events(events, scenario["1"]) == ["You are no longer mending."]
    wait(scenario, 5)
    assert (scenario["1"].hp, scenario["1"].lasting) == (105, [])


@pytest.mark.rule("TG.22")
def test_poison_takes_one_in_each_of_20_turns() -> None:
    scenario = scene()
    events = quaff(scenario, "poison")
    assert "You are poisoned." in read_events(events, scenario["1"])
    assert "Player1 is poisoned." not in read_events(events, scenario["1"])
    wait(scenario, 30)
    assert (scenario["1"].hp, scenario["1"].lasting) == (20, [])


@pytest.mark.rule("TG.22")
def test_one_dies_of_poison() -> None:
    scenario = scene()
    scenario.set_health("1", hp=2)
    quaff(scenario, "poison")
    events = wait(scenario, 1)
    assert read_events(events, scenario["1"]) == ["You have died of poison!"]
    assert read_events(events, scenario["2"]) == ["Player1 dies of poison!"]
    assert not scenario.alive("1")


@pytest.mark.rule("TG.22")
def test_warrior_gives_five_attack() -> None:
    """Warrior gives five attack and five defense for 20 turns."""
    scenario = scene()
    level, body = scenario.level, scenario["1"]
    quaff(scenario, "warrior")
    assert (total_attack(level, body), total_defense(level, body)) == (15, 5)
    wait(scenario, 18)
    assert (total_attack(level, body), total_defense(level, body)) == (15, 5)
    wait(scenario, 1)
    assert (total_attack(level, body), total_defense(level, body)) == (10, 0)


@pytest.mark.rule("TG.22")
def test_archer_gives_three_cells_sight_20_turns() -> None:
    """Archer gives three cells of sight for 20 turns."""
    scenario = scene(HALL)
    level, body = scenario.level, scenario["1"]
    assert not level.field_of_view(body)[scenario["2"].cell]
    quaff(scenario, "archer")
    assert total_sight(level, body) == 9
    assert level.field_of_view(body)[scenario["2"].cell]
    wait(scenario, 19)
    assert not level.field_of_view(body)[scenario["2"].cell]


@pytest.mark.rule("TG.22")
def test_experience_gives_five_for_each_level() -> None:
    scenario = scene()
    scenario.set_progress("1", level=3, experience=40)
    quaff(scenario, "experience")
    assert scenario["1"].experience == 55
    assert [gain.amount for gain in facts(scenario.events, ExperienceGained)] == [15]


@pytest.mark.rule("TG.22")
def test_experience_may_bring_levels() -> None:
    scenario = scene()
    quaff(scenario, "experience")
    quaff(scenario, "experience")
    assert (scenario["1"].level, scenario["1"].points) == (2, 1)


@pytest.mark.rule("TG.22", "F50")
def test_unidentified_looks_differ_by_realm() -> None:
    """All seven kinds hide behind different looks, and each realm has its own."""
    orders = set()
    for seed in range(5):
        scenario = Scenario("#1#", campaign=academy(), seed=seed)
        seen = [looks(scenario, kind) for kind in POTIONS]
        assert len(set(seen)) == len(POTIONS)
        assert {name.partition(" ")[0] for name in seen} <= set(APPEARANCES)
        orders.add(tuple(seen))
    assert len(orders) == 5


@pytest.mark.rule("TG.22")
def test_unknown_potion_shown_looks_wherever() -> None:
    """An unknown potion has the name of its looks everywhere."""
    scenario = scene()
    scenario.give("1", "poison_potion")
    scenario.lay("health_potion", 2)
    view = scenario.view()
    [carried], [lying] = view.inventory, view.items
    assert carried.name == looks(scenario, "poison")
    assert (carried.words, carried.target) == ("", "")
    assert carried.traits & ItemFlag.QUAFFABLE
    assert lying.name == looks(scenario, "health")
    assert lying.colour != "white" or lying.name == "light potion"
    scenario.go("1", E)
    assert scenario.view().pile[0].name == looks(scenario, "health")


@pytest.mark.rule("TG.23", "F51")
def test_who_sees_an_effect_learns_the_name() -> None:
    scenario = scene("#1..2#..3#")
    scenario.set_health("1", hp=10)
    name = looks(scenario, "health")
    events = quaff(scenario, "health")
    for viewer, first in (("1", f"You quaff the {name}."), ("2", f"Player1 quaffs a {name}.")):
        lines = read_events(events, scenario[viewer])
        assert lines[0] == first
        assert lines[-1] == f"The {name} is a health potion!"
    assert read_events(events, scenario["3"]) == []
    scenario.give("1", "health_potion")
    scenario.give("3", "health_potion")
    assert scenario.view("1").inventory[0].name == "health potion"
    assert scenario.view("3").inventory[0].name == name


@pytest.mark.rule("TG.23")
def test_what_is_known_already_is_not_reported_again() -> None:
    scenario = scene()
    scenario.set_health("1", hp=1)
    quaff(scenario, "health")
    events = quaff(scenario, "health")
    assert "turns_out" not in kinds(events)
    assert read_events(events, scenario["1"])[0] == "You quaff the health potion."


@pytest.mark.rule("TG.23")
def test_what_does_nothing_to_be_seen_teaches_nothing() -> None:
    scenario = scene()
    name = looks(scenario, "health")
    events = quaff(scenario, "health")
    assert read_events(events, scenario["1"]) == [f"You quaff the {name}."]
    assert scenario["1"].known == []


@pytest.mark.rule("TG.23")
def test_each_viewer_reads_their_own_item_name() -> None:
    """Each viewer reads the name of an item that they know."""
    scenario = scene()
    scenario["2"].known.append("poison_potion")
    scenario.give("1", "poison_potion")
    events = scenario.turn(("1", Drop(0)))
    assert read_events(events, scenario["1"]) == [f"You drop the {looks(scenario, 'poison')}."]
    assert read_events(events, scenario["2"]) == ["Player1 drops a poison potion."]


@pytest.mark.rule("TG.23", "F51")
def test_monsters_learn_as_players_do() -> None:
    scenario = scene("#1m#", m="mage")
    scenario.set_health("1", hp=1)
    quaff(scenario, "health")
    assert scenario["m"].known == ["health_potion"]


def test_monsters_quaff_by_the_same_command() -> None:
    scenario = scene("#1m#", m="mage")
    scenario.give("m", "health_potion")
    scenario.set_health("m", hp=1)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    assert try_execute(context, scenario["m"], Quaff(0)) is None
    assert scenario["m"].hp == 12
    assert "The mage looks better." in read_events(context.events, scenario["1"])


@pytest.mark.rule("RG.16", "F52")
def test_health_potion_gives_20_or_two_more() -> None:
    """A health potion gives 20 or two more than the maximum."""
    scenario = scene()
    scenario.set_health("1", hp=15)
    quaff(scenario, "draught")
    assert (scenario["1"].hp, scenario["1"].hp_max) == (35, 40)
    quaff(scenario, "draught")
    assert (scenario["1"].hp, scenario["1"].hp_max) == (40, 40)
    quaff(scenario, "draught")
    assert (scenario["1"].hp, scenario["1"].hp_max) == (42, 42)


def test_what_is_quaffed_is_gone() -> None:
    scenario = scene()
    quaff(scenario, "health")
    assert kinds(scenario.events)[:2] == ["quaffs", "ItemDestroyed"]
    assert scenario["1"].carried == []


@pytest.mark.parametrize(
    ("carried", "slot", "reason"),
    [
        ((), 0, "You are not carrying anything!"),
        (("sword",), 3, "You carry nothing there."),
        (("sword",), 0, "You cannot quaff the sword."),
    ],
)
def test_what_cannot_be_quaffed_is_refused(carried: tuple[str, ...], slot: int, reason: str) -> None:
    scenario = scene()
    scenario.give("1", *carried)
    assert refused(scenario, Quaff(slot)) == reason


def test_nothing_hides_its_name_in_the_cave_of_jsrogue() -> None:
    assert not any(kind.looks for kind in shipped("jsrogue").items.values())
