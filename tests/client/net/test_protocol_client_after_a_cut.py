"""The link after a cut: how it returns, what it sends again, and what a new life leaves behind."""

import pytest

from gloam_client.net.protocol_client import ProtocolClient
from gloam_shared.protocol.codes import ErrorCode
from gloam_shared.protocol.commands import Choose, Move, Wait
from gloam_shared.protocol.messages.lives import Died, NewLife
from gloam_shared.protocol.messages.login import Error, Joined, Login, Resume, ResumeToken
from gloam_shared.protocol.messages.play import Answer, Heartbeat, SubmitCommand
from support.client.joined_client import HELLO, TOKEN, dialled, joined_link, sent, wire


def test_cut_newest_unanswered_command_sent_under() -> None:
    """After a cut the newest unanswered command is sent again under its number."""
    link = joined_link()
    link.command(Move(1, 0), 0)
    link.command(Move(0, 1), 10)
    link.outgoing()
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 1, 1)), 510)

    assert [SubmitCommand(2, 0, Move(0, 1))] == sent(link)
    assert link.unanswered_since_ms == 0


def test_command_answered_before_cut_not_sent() -> None:
    """A command that was answered before the cut is not sent again."""
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


def test_after_cut_newest_token_leads_back() -> None:
    """After a cut the newest token leads back and not the device."""
    assert sent(cut_link()) == [HELLO, Resume("Ann", b"2" * 32)]


def test_a_resume_concerns_no_one_else() -> None:
    link = cut_link()

    assert link.receive(wire(Error("expired", "Log in."), ResumeToken(b"3" * 32), Heartbeat(1, 0)), 0) == [
        Heartbeat(1, 0)
    ]


@pytest.mark.parametrize("code", ["auth", "expired"])
def test_resume_refused_link_logs_same_line(code: ErrorCode) -> None:
    """After a refused resume the link logs in on the same line."""
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
    """Return a link that returned after a cut with a command and a choice unanswered; this many were done."""
    link = joined_link()
    link.command(Move(1, 0), 0)
    link.command(Choose(1), 5)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", done, 1)), 510)
    return link


def test_cut_loses_neither_command_nor_choice() -> None:
    """A cut loses neither a command nor the choice behind it."""
    link = cut_with_a_choice_waiting(done=0)
    assert sent(link) == [SubmitCommand(1, 0, Move(1, 0))]
    link.receive(wire(Answer(1, "done")), 520)

    assert sent(link) == [SubmitCommand(2, 0, Choose(1))]


def test_command_done_unheard_choice_follows() -> None:
    """The choice follows the joining if the command was done unheard."""
    link = cut_with_a_choice_waiting(done=1)

    assert sent(link) == [SubmitCommand(2, 0, Choose(1))]


@pytest.mark.parametrize("tokens", [(), (ResumeToken(b"1" * 32),)], ids=["logging in", "resuming"])
def test_command_life_begun_sent_after_cut(tokens: tuple[ResumeToken, ...]) -> None:
    """A command of a life that had just begun is sent again after a cut."""
    link = joined_link()
    link.receive(wire(*tokens), 0)
    link.command(Move(1, 0), 0)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 0, 1)), 510)

    assert sent(link) == [SubmitCommand(1, 0, Move(1, 0))]


@pytest.mark.parametrize("mourned", [True, False], ids=["their own next life", "one that another began"])
def test_life_began_death_another_however_come(*, mourned: bool) -> None:
    """A life that began after a death is another by any way of return."""
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


def test_new_life_not_carry_last_wish_old() -> None:
    """A new life does not carry out the last command of the old."""
    link = joined_link()
    link.command(Move(1, 0), 0)
    link.command(Choose(0), 0)
    dialled(link, 500)
    sent(link)
    link.receive(wire(Joined("Ann", 0, 2)), 510)

    assert sent(link) == []
    assert link.command(Wait(), 520) == 3
    assert sent(link) == [SubmitCommand(3, 0, Wait())]


def test_waited_behind_command_not_wished_next() -> None:
    """A command that waited behind another is not wished in the next life."""
    link = joined_link()
    for command in (Move(1, 0), Choose(1), Wait()):
        link.command(command, 0)
    dialled(link, 500)
    link.receive(wire(Joined("Ann", 0, 1), Died("a rat", 1, 1, 0, 9, 0, 0)), 510)
    sent(link)
    link.send(NewLife(1))  # the answers to the old life's commands arrive when the new one is on its way
    link.receive(wire(Answer(1, "cannot")), 520)

    assert sent(link) == [NewLife(1)]


def test_command_given_while_line_down_goes() -> None:
    """A command given while the line is down goes out after the login."""
    link = joined_link()
    dialled(link, 0)
    link.command(Wait(), 5)
    assert [HELLO, Login("Ann", TOKEN)] == sent(link)

    link.receive(wire(Joined("Ann", 0, 1)), 10)
    assert [SubmitCommand(1, 0, Wait())] == sent(link)
