"""A bot in a shut room works the levers that it sees there: one may open the room."""

import pytest

from gloam_lab.bots import Adventurer
from gloam_server.world.actions import registry
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.answers import refusal
from gloam_shared.protocol.commands import Dig, Move
from support.scenarios.device_scenario import is_open, machine
from support.scenarios.scenario import Scenario

ROOM = """
    #######
    #..#..#
    #1.#..#
    #######
"""
LEVER = """
    #######
    #..g..#
    #..#..#
    ##l####
"""


def decided(scenario: Scenario, bot: Adventurer, turns: int) -> list[int | None]:
    """Let a bot act, and return the cells that it stepped at; it hears of refusals as in play."""
    steps: list[int | None] = []
    for _ in range(turns):
        view = scenario.view()
        command = bot.decide(view)
        if isinstance(command, Dig):
            bot.memory.digs = False
            continue
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
    assert scenario.where("1") == (3, 1)


@pytest.mark.rule("F176")
def test_a_bot_tries_each_lever_of_a_depth_once() -> None:
    """A lever that opens nothing is not turned for ever."""
    scenario = machine(ROOM, LEVER.replace("g", "#"))
    lever = 3 * scenario.width + 2
    steps = decided(scenario, Adventurer(), 30)
    assert [at for at in steps if at == lever] == [lever]
