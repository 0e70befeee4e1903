"""The bytes of the link: both sides know every message, and nothing else."""

from typing import get_args

import pytest

from gloam_server.engine import messages
from gloam_server.link import link_messages as link
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages.login import Bye, Error, Login, ResumeToken
from gloam_shared.protocol.messages.play import SubmitCommand
from gloam_shared.protocol.messages.records import AskHistory
from gloam_shared.view.view import CreatureFlag, Friend, LogLine

TO_TURNS: list[link.ToTurnProcess] = [
    link.Hello(link.Code(1, 2, 3, "numpy 2", "0.1"), 2),
    link.Opened(5, link.Address("v4", "1.2.3.4", 5), AdmissionStatus.RETURNING),
    link.LogIn(5, Login("Anna", b"t" * 32), frozenset({"deflate"})),
    link.Request(5, SubmitCommand(7, 3, Move(1, 0))),
    messages.Shown(4, frozenset({(1, 2, "item")})),
    messages.WatchEnded(5, "That player has left."),
]
TO_VIEWS: list[link.ToViewProcess] = [
    link.Setup(1, str(2**190), b"files", "name", 64, False, b""),
    link.DurableBatch(
        [link.DurableRecord(1, 8, b"turn", 99, None)], {3: b"level"}, {16}, [messages.Lines(4, ())], {(1, 2)}
    ),
    messages.Say(5, Error("slow", "wait")),
    messages.Say(5, b"framed"),
    messages.Say(5, ResumeToken(b"t" * 32)),
    messages.Checked(5, Bye("full", "No room.")),
    messages.Asked(5, AskHistory(3)),
    messages.Marks({16: CreatureFlag.AWAY | CreatureFlag.CUT_OFF}),
    messages.Party({4: Friend("Anna", 1, 2, 4, 0)}, (Friend("Anna", 1, 2, 4, 0),)),
    messages.Lines(4, (LogLine("pack_full", "you"),)),
]


@pytest.mark.parametrize("message", TO_TURNS, ids=lambda each: type(each).__name__)
def test_a_message_to_the_turn_process_is_read_again(message: link.ToTurnProcess) -> None:
    assert link.decode_to_turns(link.encode(message)) == message


@pytest.mark.parametrize("message", TO_VIEWS, ids=lambda each: type(each).__name__)
def test_a_message_to_a_view_process_is_read_again(message: link.ToViewProcess) -> None:
    assert link.decode_to_views(link.encode(message)) == message


@pytest.mark.parametrize("body", [b"", b"\xc1", b"\x91\x63", b"\x92\x66", link.encode(TO_TURNS[0])[:-1]])
def test_other_bytes_are_no_message(body: bytes) -> None:
    for decode in (link.decode_to_turns, link.decode_to_views):
        with pytest.raises(link.LinkError, match="no message of the link"):
            decode(body)


def test_every_message_of_the_engine_passes() -> None:
    assert set(get_args(messages.ToViewSide)) <= set(get_args(link.ToViewProcess))
    assert set(get_args(messages.ToTurnSide)) - {messages.Room} <= set(get_args(link.ToTurnProcess))
