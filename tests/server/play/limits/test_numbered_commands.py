"""Numbered commands: each is answered, none is done twice, and what costs nothing is not written down."""

import pytest

from gloam_shared.protocol.commands import Climb, Explore, Move, Rest, Stop, Wait
from gloam_shared.protocol.messages.login import Bye, Joined
from gloam_shared.protocol.messages.play import Answer, SubmitCommand, Update
from support.server import parties
from support.server.sim_server import SimClient


def newest_patch(client: SimClient) -> int:
    """Return what a client acknowledges with its next command."""
    return client.link._line.updates.patch


def test_a_done_command_is_answered_by_its_number() -> None:
    server, (anna,) = parties.company("Anna")
    number = parties.turn(server, anna)
    assert anna.link.done == number
    assert server.body(anna).command == number
    assert anna.link.unanswered is None


def test_a_newer_command_replaces_the_one_that_waits() -> None:
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.hear()
    first = anna.command(Wait())
    second = anna.command(Wait())
    assert parties.answers(anna) == [(first, "replaced")]
    parties.turn(server, bert)
    assert server.body(anna).command == second
    assert parties.actions(server, anna) == 1


def test_the_command_after_the_stairs_is_answered() -> None:
    """A command that waits while its player changes level is carried out on the next one."""
    server, (anna,) = parties.at_the_stairs("Anna")
    anna.command(Climb(down=True))
    number = anna.command(Wait())
    server.advance(2 * parties.SPACING_MS)
    last = parties.turn(server, anna, Climb(down=True)) if anna.view.place.depth == 1 else number
    server.advance(2 * parties.SPACING_MS)
    assert anna.link.done >= last
    assert anna.link.unanswered is None


def test_the_command_of_one_who_is_replaced_is_dropped() -> None:
    """A second login takes the body over: the first connection ends, and the second owes no answer."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.command(Wait())
    again = server.join("Anna", token=anna.link.login.token)
    server.advance(parties.SPACING_MS)
    assert anna.of_kind(Bye)[-1].code == "replaced"
    assert again.link.unanswered is None
    number = again.command(Wait())
    parties.turn(server, bert)
    assert (server.body(again).command, again.link.unanswered) == (number, None)


@pytest.mark.rule("A40")
def test_thousand_commands_waits_and_newest_wins() -> None:
    """Of a thousand commands one waits and the newest wins."""
    server, (anna,) = parties.company("Anna")
    sent = [anna.command(Wait()) for _ in range(60)]
    server.advance(parties.SPACING_MS)
    assert parties.actions(server, anna) == 2
    assert server.body(anna).command == sent[-1]


def test_impossible_command_refused_reason() -> None:
    """An impossible command is refused with a reason and costs nothing."""
    server, (anna,) = parties.company("Anna")
    written = len(server.inputs(1))
    anna.hear()
    number = anna.command(Move(0, 0))
    (answer,) = [each for each in anna.hear() if isinstance(each, Answer)]
    assert (answer.number, answer.code) == (number, "cannot")
    assert answer.text.endswith(".")
    assert parties.actions(server, anna) == 0
    assert len(server.inputs(1)) == written


def test_what_reads_only_is_never_written_down() -> None:
    server, (anna,) = parties.company("Anna")
    written = len(server.writer.appended)
    for command in (Stop(), Rest(), Climb(down=False), Move(0, 0)):
        anna.command(command)
    assert len(server.writer.appended) == written
    assert anna.link.unanswered is None


def test_a_command_that_is_sent_twice_is_done_once() -> None:
    server, (anna,) = parties.company("Anna")
    number = parties.turn(server, anna)
    anna.hear()
    anna.send(SubmitCommand(number, newest_patch(anna), Wait()))
    server.advance(parties.SPACING_MS)
    assert parties.answers(anna) == [(number, "done")]
    assert parties.actions(server, anna) == 1


def test_waits_and_sent_goes_waiting() -> None:
    """One that still waits and is sent again goes on waiting."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    anna.hear()
    number = anna.command(Wait())
    anna.send(SubmitCommand(number, newest_patch(anna), Wait()))
    assert parties.answers(anna) == []
    parties.turn(server, bert)
    assert server.body(anna).command == number
    assert parties.actions(server, anna) == 1


def test_after_cut_newest_command_sent_and_done() -> None:
    """After a cut the newest command is sent again and done."""
    server, (anna, bert) = parties.company("Anna", "Bert")
    parties.threatened(server, anna, bert)
    number = anna.command(Wait())
    anna.cut()
    anna.dial()
    server.advance(parties.SPACING_MS)
    assert anna.link.unanswered is not None
    parties.turn(server, bert)
    assert server.body(anna).command == number
    assert parties.actions(server, anna) == 1
    assert anna.link.unanswered is None


def test_after_cut_done_unheard_answered() -> None:
    """After a cut what was done unheard is answered and not done again."""
    server, (anna,) = parties.company("Anna")
    parties.threatened(server, anna)
    anna.reading = False
    number = parties.turn(server, anna)
    assert parties.actions(server, anna) == 1
    assert anna.link.unanswered is not None
    anna.cut()
    anna.reading = True
    anna.dial()
    server.advance(parties.SPACING_MS)
    assert anna.of_kind(Joined)[-1].number == number
    assert anna.link.unanswered is None
    assert parties.actions(server, anna) == 1


def test_plan_answered_first_step_and_end_reported() -> None:
    """The first step answers a plan, and a message reports its end."""
    server, (anna,) = parties.company("Anna")
    number = anna.command(Explore())
    server.advance(20)
    assert anna.link.done == number
    anna.hear()
    anna.command(Stop())
    assert anna.link.unanswered is None
    assert [code for _, code in parties.answers(anna)] == ["done"]


def test_nothing_done_reported_before_disk() -> None:
    """The server reports nothing as done before it is on disk, even if a client asks twice."""
    server, (anna,) = parties.company("Anna", write_s=0.5)
    anna.hear()
    number = anna.command(Wait())
    anna.send(SubmitCommand(number, newest_patch(anna), Wait()))
    server.advance(400)
    assert anna.hear() == []
    server.advance(200)
    messages = anna.hear()
    assert [each.done for each in messages if isinstance(each, Update)] == [number]
