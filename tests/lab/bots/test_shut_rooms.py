"""A bot in a shut room works the levers that it sees there: one may open the room."""

import pytest
from msgspec.structs import replace

from gloam_lab.bots import Adventurer
from gloam_lab.bots.bot_memory import UNHURT
from gloam_lab.bots.navigation import PULLS_MAX
from gloam_server.world.actions import registry
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.answers import refusal
from gloam_shared.protocol.commands import Climb, Dig, Move, Wait
from gloam_shared.view.view import Friend
from support.scenarios.device_scenario import is_open, machine
from support.scenarios.scenario import Scenario

ROOM = """
    #######
    #..#..#
    #1.#.>#
    #######
"""
LEVER = """
    #######
    #..g..#
    #..#..#
    ##l####
"""


def decided(
    scenario: Scenario, bot: Adventurer, turns: int, party: tuple[Friend, ...] = ()
) -> list[int | None]:
    """Let a bot act, and return the cells that it stepped at; it hears of refusals as in play."""
    steps: list[int | None] = []
    for _ in range(turns):
        view = replace(scenario.view(), party=party)
        command = bot.decide(view)
        if isinstance(command, Dig):
            bot.memory.digs = False
            continue
        if isinstance(command, Wait):
            continue
        if isinstance(command, Climb):
            break
        assert isinstance(command, Move)
        outcome = registry.plan(scenario.level, scenario["1"], command)
        if isinstance(outcome, Impossible):
            bot.hear(view, refusal(1, outcome.text, outcome.reason))
        else:
            steps.append(view.step((command.dx, command.dy)))
            scenario.turn(("1", command))
    return steps


@pytest.mark.rule("F176")
def test_a_bot_that_is_shut_in_works_a_lever() -> None:
    scenario = machine(ROOM, LEVER)
    decided(scenario, Adventurer(), 12)
    assert is_open(scenario, 3, 1)
    assert scenario.where("1") == (5, 2)


@pytest.mark.rule("F176")
def test_a_shut_in_leader_works_a_lever_at_once() -> None:
    """It does not wait sixty times for the friends who are outside."""
    scenario = machine(ROOM, LEVER)
    friends = tuple(Friend(name, 1, 5, UNHURT, 0) for name in ("Player1", "Zoe"))
    bot = Adventurer()
    bot.memory.digs = False
    decided(scenario, bot, 40, friends)
    assert is_open(scenario, 3, 1)


@pytest.mark.rule("F176")
def test_a_bot_pulls_again_what_shut_it_in() -> None:
    """It pulled the lever once on this depth, and so shut the gate."""
    scenario = machine(ROOM, LEVER)
    bot = Adventurer()
    bot.memory.look(scenario.view())
    bot.memory.stairs[1, 3 * scenario.width + 2] = 1
    decided(scenario, bot, 12)
    assert is_open(scenario, 3, 1)


@pytest.mark.rule("F176")
def test_a_bot_does_not_turn_a_lever_for_ever() -> None:
    """A lever that opens nothing is left alone after some pulls."""
    scenario = machine(ROOM, LEVER.replace("g", "#"))
    lever = 3 * scenario.width + 2
    steps = decided(scenario, Adventurer(), 60)
    assert 1 <= steps.count(lever) <= PULLS_MAX
