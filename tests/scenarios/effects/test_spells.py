"""Spells: rules TG.24 and TG.25 as played, by players and by monsters."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.actions import try_execute
from gloam_server.world.items import equipment
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Cast
from gloam_shared.view.view import Stat
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario, kinds, read_events
from support.scenarios.spellcasting import cast, refused, scene, wait


@pytest.mark.rule("TG.24")
@pytest.mark.parametrize(("spell", "cost", "health"), [("minor_heal", 4, 20), ("major_heal", 8, 50)])
def test_healing_costs_mana_and_aimed_friend(spell: str, cost: int, health: int) -> None:
    """Healing costs its mana and may be aimed at a friend."""
    scenario = scene()
    scenario.set_health("2", hp_max=100, hp=10)
    events = cast(scenario, spell, "2")
    assert (scenario["1"].mana, scenario["2"].hp) == (20 - cost, 10 + health)
    assert read_events(events, scenario["2"])[-1] == "You feel better."


@pytest.mark.rule("TG.24")
def test_slow_heal_gives_two_50_turns_healed() -> None:
    """Slow heal gives two for 50 turns of the healed."""
    scenario = scene("#1#")
    scenario.set_health("1", hp_max=300, hp=1)
    cast(scenario, "slow_heal", "1")
    wait(scenario, 60)
    assert (scenario["1"].mana, scenario["1"].hp) == (8, 101)


@pytest.mark.rule("TG.24")
def test_inner_strength() -> None:
    scenario = scene("#1#")
    level, body = scenario.level, scenario["1"]
    body.hp_max = 300
    cast(scenario, "inner_strength", "1")
    assert body.mana == 4
    assert (
        equipment.total_attack(level, body),
        equipment.total_defense(level, body),
        equipment.total_sight(level, body),
    ) == (12, 2, 7)
    assert (equipment.total_regeneration(level, body), equipment.total_mana_regeneration(level, body)) == (
        10,
        -10,
    )
    wait(scenario, 49)
    assert (
        equipment.total_attack(level, body),
        equipment.total_defense(level, body),
        equipment.total_sight(level, body),
    ) == (10, 0, 6)
    assert (equipment.total_regeneration(level, body), equipment.total_mana_regeneration(level, body)) == (
        0,
        0,
    )
    assert 4 <= body.hp - 40 <= 22  # a chance of 25 in 100, fifty times


@pytest.mark.rule("TG.24")
def test_blood_to_mana() -> None:
    scenario = scene("#1#")
    scenario.set_mana("1", mana=1)
    cast(scenario, "blood_to_mana")
    assert (scenario["1"].mana, scenario["1"].hp) == (20, 20)
    scenario.set_health("1", hp=3)
    scenario.set_mana("1", mana=10)
    cast(scenario, "blood_to_mana")
    assert (scenario["1"].mana, scenario["1"].hp) == (9 + 2, 1)


@pytest.mark.rule("TG.24")
def test_blink_moves_up_to_five_cells() -> None:
    scenario = scene("#............1............#")
    before = scenario["1"].cell
    events = cast(scenario, "blink")
    assert scenario["1"].mana == 14
    assert 0 < scenario.grid.distance(before, scenario["1"].cell) <= 5
    assert kinds(events) == ["casts", "fades_out", "fades_in"]


@pytest.mark.rule("TG.24")
def test_summon_bats_calls_eight_around_one() -> None:
    scenario = scene(
        """
        #######
        #.....#
        #..1..#
        #.....#
        #######
        """
    )
    events = cast(scenario, "call_bats")
    called = [body for body in scenario.level.creatures.values() if body.kind == "bat"]
    assert len(called) == kinds(events).count("appears") == 8
    assert scenario["1"].mana == 9
    assert {body.owner for body in called} == {scenario["1"].number}


@pytest.mark.rule("TG.24")
def test_a_caller_has_eight_creatures_at_most() -> None:
    """A caller has eight creatures at most, and none stands on another."""
    scenario = scene("#.1.........#")
    cast(scenario, "call_bats")
    assert len(scenario.level.creatures) == 3
    scenario = scene(
        """
        ########
        #......#
        #..1...#
        #......#
        #......#
        ########
        """
    )
    scenario.set_mana("1", mana=99, mana_max=99)
    for _ in range(4):
        cast(scenario, "call_bats")
    assert sum(body.owner == scenario["1"].number for body in scenario.level.creatures.values()) <= 8


@pytest.mark.rule("TG.24")
def test_detect_creatures_shows_level_75_turns() -> None:
    """Detect creatures shows all of the level for 75 turns."""
    scenario = scene("#1.######.b#", b="statue")
    assert len(scenario.view().creatures) == 1
    cast(scenario, "detect")
    shown = scenario.view()
    assert [creature.name for creature in shown.creatures if creature.cell == scenario["b"].cell] == [
        "statue"
    ]
    assert not shown.sight[scenario["b"].cell]
    assert [state.word for state in shown.states] == ["sensing"]
    wait(scenario, 73)
    assert len(scenario.view().creatures) == 2
    wait(scenario, 1)
    assert len(scenario.view().creatures) == 1


@pytest.mark.rule("TG.24")
def test_a_spell_without_target_or_mana_costs_nothing() -> None:
    """A spell at nothing or without mana does nothing and costs nothing."""
    scenario = scene("#1..2#")
    assert refused(scenario, "minor_heal", 2) == "You point and mumble at nothing."
    scenario.set_mana("1", mana=3)
    assert refused(scenario, "minor_heal", 4).startswith("You point and mumble but nothing happens")
    assert scenario["1"].mana == 3


@pytest.mark.rule("TG.24")
def test_only_what_one_has_a_book_of_can_be_cast() -> None:
    scenario = Scenario("#1#", campaign=academy())
    assert refused(scenario, "blink") == refused(scenario, "no_such_spell") == "You know no such spell."
    scenario.give("1", "white_book")
    told_spells = {spell.key: spell for spell in scenario.view().spells}
    assert (told_spells["fireball"].range, told_spells["fireball"].radius) == (6, 3)
    assert (told_spells["blink"].cost, told_spells["blink"].target) == (6, "self")


@pytest.mark.rule("TG.24")
def test_the_sheet_tells_mana() -> None:
    scenario = scene("#1#")
    cast(scenario, "blink")
    sheet = scenario.view().sheet
    assert (sheet[Stat.MANA], sheet[Stat.MANA_MAX]) == (scenario["1"].mana, 20)


def test_monsters_cast_same_command_kind_knows() -> None:
    """Monsters cast by the same command what their kind knows."""
    scenario = scene("#1..m#", m="mage")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    assert try_execute(context, scenario["m"], Cast("missile", scenario["1"].cell)) is None
    assert (scenario["1"].hp, scenario["m"].mana) == (32, 17)
    assert read_events(context.events, scenario["1"]) == [
        "The mage casts missile.",
        "You take 8 damage from the missile!",
    ]
    assert isinstance(try_execute(context, scenario["m"], Cast("blink", None)), Impossible)


@pytest.mark.rule("TG.25")
def test_states_add_fast_health() -> None:
    """States add to how fast health and mana grow back."""
    scenario = scene("#1#")
    level, body = scenario.level, scenario["1"]
    body.regeneration, body.mana_regeneration = 10, 20
    cast(scenario, "inner_strength", "1")
    assert (equipment.total_regeneration(level, body), equipment.total_mana_regeneration(level, body)) == (
        20,
        10,
    )


def test_cannot_cast_any_more_turn_becomes() -> None:
    """A spell that cannot be cast any more in its turn becomes guarding."""
    scenario = scene("#1..k#", k="kobold")
    scenario.set_mana("1", mana=0)
    events = cast(scenario, "missile", "k")
    assert "guards" in kinds(events)
