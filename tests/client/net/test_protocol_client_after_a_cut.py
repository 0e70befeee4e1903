"""The link after a cut: how it comes back, what it sends again, and what a new life leaves behind."""

import pytest

from gloam_client.net.protocol_client import ProtocolClient
from gloam_shared.protocol.codes import ErrorCode
from gloam_shared.protocol.commands import Choose, Move, Wait
from gloam_shared.protocol.messages import (
    Answer,
    Died,
    Error,
    Heartbeat,
    Joined,
    Login,
    NewLife,
    Resume,
    ResumeToken,
    SubmitCommand,
)
from support.client.joined_client import HELLO, TOKEN, dialled, joined_link, sent, wire


def test_after_a_cut_the_newest_unanswered_command_is_sent_again_under_its_number() -> None:
    link = joined_link()
    link.command(Move(1, 0), 0)
    link.command(Move(0, 1), 10)
    link.outgoing()
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 1, 1)), 510)

    assert [SubmitCommand(2, 0, Move(0, 1))] == sent(link)
    assert link.unanswered_since_ms == 0


def test_a_command_that_was_answered_before_the_cut_is_not_sent_again() -> None:
    link = joined_link()
    link.command(Move(1, 0), 0)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 1, 1)), 510)

    assert sent(link) == []
    assert link.unanswered_since_ms is None


def cut_link() -> ProtocolClient:
    """Return a protocol client that got a resume token, lost its connection, and has connected again."""
    link = joined_link()
    link.receive(wire(ResumeToken(b"1" * 32)), 0)
    link.receive(wire(ResumeToken(b"2" * 32)), 0)
    dialled(link, 500)
    return link


def test_after_a_cut_the_newest_token_leads_back_and_not_the_device() -> None:
    assert sent(cut_link()) == [HELLO, Resume("Ann", b"2" * 32)]


def test_what_is_about_resuming_concerns_nobody_else() -> None:
    link = cut_link()

    assert link.receive(wire(Error("expired", "Log in."), ResumeToken(b"3" * 32), Heartbeat(1, 0)), 0) == [
        Heartbeat(1, 0)
    ]


@pytest.mark.parametrize("code", ["auth", "expired"])
def test_where_a_resume_is_refused_the_link_logs_in_on_the_same_line(code: ErrorCode) -> None:
    link = cut_link()
    link.command(Wait(), 600)
    sent(link)
    link.receive(wire(Error(code, "Log in.")), 610)
    assert sent(link) == [Login("Ann", TOKEN)]

    link.receive(wire(Joined("Ann", 0, 1)), 620)
    assert sent(link) == [SubmitCommand(1, 0, Wait())]
    dialled(link, 1_000)
    assert sent(link) == [HELLO, Login("Ann", TOKEN)], "the refused token is forgotten"


def cut_with_a_choice_waiting(done: int) -> ProtocolClient:
    """Return a link that came back after a cut with a command and a choice unanswered; this many were done."""
    link = joined_link()
    link.command(Move(1, 0), 0)
    link.command(Choose(1), 5)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", done, 1)), 510)
    return link


def test_a_cut_loses_neither_a_command_nor_the_choice_behind_it() -> None:
    link = cut_with_a_choice_waiting(done=0)
    assert sent(link) == [SubmitCommand(1, 0, Move(1, 0))]
    link.receive(wire(Answer(1, "done")), 520)

    assert sent(link) == [SubmitCommand(2, 0, Choose(1))]


def test_where_the_command_was_done_unheard_the_choice_follows_the_joining() -> None:
    link = cut_with_a_choice_waiting(done=1)

    assert sent(link) == [SubmitCommand(2, 0, Choose(1))]


@pytest.mark.parametrize("tokens", [(), (ResumeToken(b"1" * 32),)], ids=["logging in", "resuming"])
def test_a_command_of_a_life_that_had_just_begun_is_sent_again_after_a_cut(
    tokens: tuple[ResumeToken, ...],
) -> None:
    link = joined_link()
    link.receive(wire(*tokens), 0)
    link.command(Move(1, 0), 0)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 0, 1)), 510)

    assert sent(link) == [SubmitCommand(1, 0, Move(1, 0))]


@pytest.mark.parametrize("mourned", [True, False], ids=["his own next life", "one that another began"])
def test_a_life_that_began_after_a_death_is_another_however_it_was_come_back_to(*, mourned: bool) -> None:
    link = joined_link()
    link.receive(wire(ResumeToken(b"1" * 32)), 0)
    link.command(Move(1, 0), 0)
    if mourned:
        link.receive(wire(Died("a rat", 1, 1, 0, 9, 0, 0)), 400)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 0, 2)), 510)

    assert sent(link) == []
    assert link.life == 2


def test_a_new_life_does_not_carry_out_the_last_wish_of_the_old() -> None:
    link = joined_link()
    link.command(Move(1, 0), 0)
    link.command(Choose(0), 0)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 0, 2)), 510)

    assert sent(link) == []
    assert link.command(Wait(), 520) == 3
    assert sent(link) == [SubmitCommand(3, 0, Wait())]


def test_what_waited_behind_a_command_is_not_wished_in_the_next_life() -> None:
    link = joined_link()
    for command in (Move(1, 0), Choose(1), Wait()):
        link.command(command, 0)
    dialled(link, 500)
    link.receive(wire(Joined("Ann", 0, 1), Died("a rat", 1, 1, 0, 9, 0, 0)), 510)
    sent(link)
    link.send(NewLife(1))  # the answers to the old life's commands come when the new one is on its way
    link.receive(wire(Answer(1, "cannot")), 520)

    assert sent(link) == [NewLife(1)]


def test_a_command_given_while_the_line_is_down_goes_out_after_the_login() -> None:
    link = joined_link()
    dialled(link, 0)
    link.command(Wait(), 5)
    assert [HELLO, Login("Ann", TOKEN)] == sent(link)

    link.receive(wire(Joined("Ann", 0, 1)), 10)
    assert [SubmitCommand(1, 0, Wait())] == sent(link)
