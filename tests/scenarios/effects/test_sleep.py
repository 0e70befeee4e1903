"""Sleep: rule RG.17 as played, by players and monsters alike."""

from typing import Any

import pytest
from msgspec.structs import replace

from gloam_server.rules.dice import Dice
from gloam_server.views.projection import project
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.hostility import is_held
from gloam_server.world.effects.status_effects import add_status
from gloam_server.world.model.context import TurnContext
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_server.world.transition.turn import can_act
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.view.view import CreatureFlag, Log, StatusEffect
from support.content.campaigns import arena_with, shipped, with_rules
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario, kinds, read_events


def scene(drawing: str, **letters: Any) -> Scenario:
    return Scenario(drawing, campaign=academy(), **letters)


@pytest.mark.rule("RG.17")
def test_turn_takes_off_and_two_foes_view() -> None:
    """A turn takes one off and two with foes in view."""
    scenario = scene("#k#1..k#", k="statue")
    far, near = (body for body in scenario.level.creatures.values() if not body.account)
    far.asleep = near.asleep = 10
    scenario.turn(("1", Wait()))
    assert (far.asleep, near.asleep) == (9, 8)


@pytest.mark.rule("RG.17")
def test_being_hurt_takes_ten_off() -> None:
    scenario = scene("#1k#", k="statue")
    scenario.put_to_sleep("k", 36)
    apply_damage(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["k"], 3, scenario["1"], "")
    assert scenario["k"].asleep == 26


@pytest.mark.rule("RG.17")
def test_waking_is_shown_to_viewers() -> None:
    """A sleeper wakes at zero or less, and all viewers get a message."""
    scenario = scene("#1k2#", k="statue")
    scenario.put_to_sleep("k", 1)
    events = scenario.turn(("1", Wait()))
    assert scenario["k"].asleep == 0
    assert (
        read_events(events, scenario["1"]) == read_events(events, scenario["2"]) == ["The statue wakes up."]
    )
    scenario.put_to_sleep("k", 4)
    events = scenario.turn(("1", Move(1, 0)))
    assert "wakes" in kinds(events)
    assert scenario["k"].asleep == 0


@pytest.mark.rule("RG.17")
def test_a_sleeper_does_nothing_and_holds_no_one() -> None:
    scenario = scene("#1k#", k="imp")
    scenario.put_to_sleep("k", 36)
    assert not is_held(scenario.level, scenario["1"])
    assert kinds(scenario.turn(("1", Wait()))) == []
    assert scenario["1"].hp == 40
    view = scenario.view()
    assert any(creature.marks & CreatureFlag.ASLEEP for creature in view.creatures)


@pytest.mark.rule("RG.17")
def test_a_sleeping_players_turns_pass() -> None:
    """A sleeping player's turns pass, and the player counts as having answered."""
    scenario = scene("#12.k#", k="statue")
    scenario.put_to_sleep("2", 5)
    level = scenario.level
    group = compute_turn_groups(level).of(scenario["2"].number)
    assert not can_act(level, group, scenario["2"])
    assert can_act(level, group, scenario["1"])
    scenario.turn(("1", Wait()), ("2", Move(0, 1)))
    assert (scenario["2"].asleep, scenario["2"].actions) == (3, 0)
    view = project(level, scenario["2"], marks={}, party=(), log=Log())
    assert view.states == (StatusEffect("asleep", fading=True),)
    scenario.turn(("1", Wait()), ("2", None))
    events = scenario.turn(("1", Wait()), ("2", None))
    assert read_events(events, scenario["2"]) == ["You wake up."]


@pytest.mark.rule("RG.5", "RG.18", "F28")
def test_sleeping_player_hungers_heals() -> None:
    """A sleeping player hungers heals and their states pass."""
    campaign = replace(
        academy(), hunger=shipped("ruggrogue").hunger, regeneration=shipped("ruggrogue").regeneration
    )
    scenario = Scenario("#1#", campaign=campaign)
    player, context = scenario["1"], TurnContext(scenario.level, Dice(1, 1, 1))
    player.hp, player.asleep = 10, 300
    add_status(context, player, campaign.spells["warrior"], 0, 0)
    for _ in range(20):
        scenario.turn(("1", Wait()))
    assert player.asleep == 280
    assert player.food == campaign.hunger.start - 2 * 20
    assert player.hp == 12
    assert player.lasting == []


@pytest.mark.rule("RG.5")
def test_sleeping_monsters_states_pass_and_heals() -> None:
    """A sleeping monsters states pass and it heals too."""
    campaign = with_rules(academy(), "regeneration", rule="thousandths")
    scenario = Scenario("#1#.k#", campaign=campaign, k="statue")
    statue, context = scenario["k"], TurnContext(scenario.level, Dice(1, 1, 1))
    statue.hp, statue.asleep, statue.regeneration = 900, 100, 500
    add_status(context, statue, academy().spells["haste"], 0, 0)
    for _ in range(10):
        scenario.turn(("1", Wait()))
    assert statue.lasting == []
    assert statue.hp > 900
    assert statue.asleep > 0


@pytest.mark.rule("RG.5")
def test_poison_works_in_sleep_and_wakes() -> None:
    scenario = scene("#1#")
    player, context = scenario["1"], TurnContext(scenario.level, Dice(1, 1, 1))
    player.asleep = 21
    add_status(context, player, academy().spells["poison"], 0, 0)
    scenario.turn(("1", Wait()))
    assert (player.hp, player.asleep) == (39, 10)


@pytest.mark.rule("RG.17")
def test_who_starves_may_die_in_his_sleep() -> None:
    scenario = Scenario("#1#", campaign=academy(hunger="starve_or_choke"))
    scenario.put_to_sleep("1", 9)
    scenario.set_food("1", 1)
    assert "starves" in kinds(scenario.turn(("1", Wait())))
    assert not scenario.alive("1")


def den(stirs_percent: int) -> Scenario:
    """Return a sleeper by nature, two cells from a player."""
    kind = f"""
[bear]
name = "bear"
glyph = "U"
colour = "brown"
hp = 30
attack = 5
tasks = ["hunt"]
sleeps = true
stirs_percent = {stirs_percent}
spawns = false
"""
    scenario = Scenario("#1.b#", campaign=arena_with(creatures=kind), b="bear")
    scenario["b"].asleep = 1
    return scenario


@pytest.mark.rule("F71")
def test_a_sleeper_by_nature_sleeps_on() -> None:
    """Time alone does not wake it, and neither do foes in view unless it stirs."""
    scenario = den(0)
    for _ in range(30):
        scenario.turn(("1", Wait()))
    assert scenario["b"].asleep
    scenario = den(100)
    events = scenario.turn(("1", Wait()))
    assert read_events(events, scenario["1"]) == ["The bear wakes up."]


@pytest.mark.rule("F71")
def test_damage_wakes_a_sleeper_by_nature() -> None:
    """One hurt is enough, however little it takes."""
    scenario = den(0)
    scenario["b"].asleep = 500
    apply_damage(TurnContext(scenario.level, Dice(1, 1, 1)), scenario["b"], 1, scenario["1"], "")
    assert not scenario["b"].asleep


@pytest.mark.rule("F71")
def test_sleepers_by_nature_begin_asleep() -> None:
    """Creatures that a level is made with, and later ones, sleep."""
    level = new_dungeon(shipped("gloam"), 1)
    populate(level)
    bears = [
        body for each in level.levels.values() for body in each.creatures.values() if body.kind == "bear"
    ]
    assert bears
    assert all(bear.asleep for bear in bears)
