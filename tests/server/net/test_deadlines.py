"""Deadlines are absolute: no dripping of bytes moves them."""

import pytest

from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import first_frame, frame
from gloam_shared.protocol.messages.login import Hello, Joined, Login, ResumeToken, Welcome
from gloam_shared.protocol.messages.play import Acknowledge, HeartbeatReply
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

HELLO = first_frame(encode(Hello(PROTOCOL_VERSION, "by bytes")))


def seconds_until_closed(client: RawClient, drip: bytes = b"", at_most: int = 30) -> int:
    """Return after how many seconds a client is cut off that sends one byte of `drip` a second."""
    for second in range(at_most):
        if client.wire.closed:
            return second
        if second < len(drip):
            client.send(drip[second : second + 1])
        client.server.clock.advance(1)
        client.server.settle()
    return at_most


@pytest.mark.rule("A1")
def test_says_nothing_cut_off_after_five_seconds() -> None:
    """A client that says nothing is cut off after five seconds."""
    client = RawClient(SimServer())
    assert seconds_until_closed(client) == 5
    assert client.wire.aborted
    assert client.heard() == []


@pytest.mark.rule("A2")
def test_one_byte_a_second_moves_no_deadline() -> None:
    client = RawClient(SimServer())
    assert seconds_until_closed(client, HELLO) == 5
    assert client.wire.aborted


def test_greets_never_logs_cut_off_ten_seconds() -> None:
    """A client that greets and never logs in is cut off ten seconds after it connected."""
    client = RawClient(SimServer())
    client.server.clock.advance(3)
    client.send(HELLO)
    assert seconds_until_closed(client) == 7


@pytest.mark.rule("A7")
@pytest.mark.parametrize("kept", [1, 2, 3, -1], ids=["length", "head", "body", "all but one"])
def test_a_half_frame_ends_the_connection(kept: int) -> None:
    """bound: FRAME_S. The line stands until then."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    client.server.clock.advance(2)
    client.send(frame(bytes(200))[:kept])
    assert seconds_until_closed(client) == 5
    assert client.wire.aborted


@pytest.mark.rule("A7")
def test_a_deadline_counts_from_the_first_byte() -> None:
    """The bytes of a frame may drip, but the deadline counts from the first."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    assert seconds_until_closed(client, frame(encode(Acknowledge(100_000)))) == 5


def test_frame_whole_time_begins_new_deadline() -> None:
    """A frame that is whole in time begins a new deadline."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    client.acknowledge()
    for number in range(6):
        whole = frame(encode(HeartbeatReply(number)))
        client.send(whole[:2])
        client.server.clock.advance(4)
        client.send(whole[2:])
    assert not client.wire.closed


def test_after_fifteen_silent_seconds_line_counts() -> None:
    """After fifteen silent seconds a line counts as cut."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    assert seconds_until_closed(client) == 15
    assert client.wire.aborted


def test_any_whole_frame_is_a_sign_of_life() -> None:
    client = RawClient(SimServer())
    client.log_in("Anna")
    for number in range(5):
        client.acknowledge()
        client.server.clock.advance(14)
        client.say(HeartbeatReply(number))
    assert not client.wire.closed


def test_no_timer_is_left_of_a_line_that_is_gone() -> None:
    client = RawClient(SimServer())
    client.log_in("Anna")
    client.vanish()
    client.server.settle()
    assert client.server.timers() == 0


def test_one_byte_at_a_time_is_as_good_as_all_at_once() -> None:
    client = RawClient(SimServer())
    login = frame(encode(Login("Anna", b".".ljust(32, b"."))))
    for at in range(len(HELLO + login)):
        client.send((HELLO + login)[at : at + 1])
    kinds = [type(message) for message in client.heard()]
    assert kinds[:3] == [Welcome, ResumeToken, Joined]
