"""A crowd that a player leads onto a newcomer: it keeps its target, and the newcomer has time and gains nothing."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import ExperienceGained
from gloam_server.world.model.inputs import Arrive, Leave
from gloam_server.world.transition.apply import ARRIVAL_GRACE
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import arena, with_rules
from support.scenarios.scenario import Scenario, facts

HALL = """
    #########
    #......k#
    #......k#
    #.1....k#
    #......k#
    #......k#
    #########
"""
WAITS = ("1", Wait())


def led() -> Scenario:
    """Return a hall in which five kobolds see the first player and are after them."""
    scenario = Scenario(HALL, campaign=with_rules(arena(), "experience", credit="full"), k="kobold")
    scenario.set_health("1", hp=10_000, hp_max=10_000)
    scenario.turn(WAITS)
    return scenario


def newcomer(scenario: Scenario) -> Creature:
    """Let a second player arrive in the crowd's way, beside several of them."""
    life = new_creature(scenario.level.campaign.player_kind, 2_048, name="Player2", account=2)
    scenario.apply(Arrive(life, 3 * scenario.width + 5, (0, 1, 0)))
    scenario.named["2"] = life
    return life


@pytest.mark.rule("A60")
def test_an_arrival_is_safe_for_three_turns() -> None:
    """In a crowd a player who arrives cannot be hurt before they act, for three turns."""
    scenario = led()
    life = newcomer(scenario)
    scenario.apply(Leave(scenario["1"].number))  # now they are after no one else
    for _ in range(ARRIVAL_GRACE):
        scenario.turn(("2", None))
    assert life.hp == life.hp_max
    scenario.turn(("2", None))
    assert life.hp < life.hp_max, "the crowd could have hurt the newcomer"


@pytest.mark.rule("A60")
def test_crowd_finds_way_keeps_hunts() -> None:
    """A crowd that finds a way keeps to who it hunts."""
    scenario = led()
    life = newcomer(scenario)
    for _ in range(12):
        scenario.turn(WAITS, ("2", None))
    assert life.hp == life.hp_max
    assert scenario["1"].hp < scenario["1"].hp_max


@pytest.mark.rule("A60", "A61")
def test_nothing_fight_learns_nothing() -> None:
    """A player who did nothing in a fight learns nothing from it."""
    scenario = led()
    life = newcomer(scenario)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    kobold = scenario["k"]
    apply_damage(context, kobold, kobold.hp, scenario["1"], "a blow")
    learned = {gain.creature for gain in facts(context.events, ExperienceGained)}
    assert learned == {scenario["1"].number}
    assert life.experience == 0
