"""Every command is answered, also where its body leaves play in the same turn: by a fault, by a swap, by an end."""

import pytest

from gloam_server.world.effects.upkeep import end_action
from gloam_server.world.transition import turn as turns_of_the_world
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import AnyCommand, Duel, Explore, Move, Wait
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import Stat
from support.server.failing_rules import Poison
from support.server.journal_checks import byes
from support.server.parties import SPACING_MS, company, turn, until
from support.server.sim_server import SimClient, SimServer


def towards(server: SimServer, one: SimClient, other: SimClient) -> Move:
    grid = server.level_of(one).grid
    ways = {grid.step(server.body(one).cell, *way): way for way in DIRECTIONS}
    return Move(*ways[server.body(other).cell])


@pytest.mark.rule("A41")
@pytest.mark.parametrize("command", [Wait(), Explore()], ids=["wait", "plan"])
def test_the_command_of_an_expulsion_is_answered(poison: Poison, command: AnyCommand) -> None:
    """A fault takes the player out: the command that failed has its answer, and one sent after it is not waited for."""
    server, (anna,) = company("Anna")
    poison.spoil(turns_of_the_world, end_action, server.level_of(anna), server.body(anna))
    number = anna.command(command)
    anna.command(Wait())
    server.advance(SPACING_MS)
    assert byes(anna) == ["fault"]
    assert [(each.number, each.reason) for each in anna.of_kind(Answer)] == [(number, "fault")]
    anna.dial()
    server.advance(200)
    assert anna.link.unanswered is None
    number = turn(server, anna)
    assert anna.link.done == number


@pytest.mark.rule("A41", "F13")
@pytest.mark.parametrize("both", [False, True])
def test_commands_of_two_who_swap_are_answered(both: bool) -> None:
    """A player who steps onto a friend, the friend, and two who step onto each other in one turn."""
    server, (anna, bert) = company("Anna", "Bert")
    for each in (anna, bert):
        turn(server, each)
    cells = server.body(anna).cell, server.body(bert).cell
    orders = towards(server, anna, bert), towards(server, bert, anna) if both else Wait()
    numbers = anna.command(orders[0]), bert.command(orders[1])
    server.advance(2 * SPACING_MS)
    assert both or (server.body(bert).cell, server.body(anna).cell) == cells
    assert (anna.link.done, bert.link.done) == numbers
    assert (anna.link.unanswered, bert.link.unanswered) == (None, None)


@pytest.mark.rule("A41")
def test_the_last_command_of_the_one_life_is_answered() -> None:
    """In a realm of one life nothing follows; the last command, one after the end, and the request for an heir are answered."""
    server = SimServer(one_life=True)
    anna = server.join("Anna")
    turn(server, anna)
    server.put("ogre", server.body(anna).cell)
    until(lambda: anna.of_kind(Died), lambda: turn(server, anna))
    assert anna.link.unanswered is None

    anna.hear()
    late = anna.command(Duel(anna.view.fact(Stat.HANDLE), agree=True)), anna.command(Wait())
    anna.begin_again()
    server.advance(SPACING_MS)
    assert {each.number for each in anna.of_kind(Answer)} >= set(late)
    assert [error.code for error in anna.of_kind(Error)] == ["one-life"]
    assert anna.link.unanswered is None
    anna.cut()
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.link.unanswered is None
