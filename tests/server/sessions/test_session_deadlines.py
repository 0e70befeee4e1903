"""The effects of time alone in a conversation: deadlines, heartbeats, and lines that are dead."""

import pytest

from gloam_server.sessions.effects import Close, Send
from gloam_server.sessions.session import State
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.play import Acknowledge, Heartbeat, HeartbeatReply, SubmitCommand
from support.server.session_states import HELLO, LOGIN, lobby, new, playing


@pytest.mark.rule("A1")
@pytest.mark.parametrize(("now_ms", "closed"), [(4_999, False), (5_000, True), (5_001, True)])
def test_a_greeting_must_come_within_five_seconds(now_ms: int, closed: bool) -> None:
    """bound: HANDSHAKE_S."""
    session = new()
    assert session.tick(now_ms) == ([Close(at_once=True)] if closed else [])
    assert (session.state is State.CLOSED) is closed


@pytest.mark.parametrize(("now_ms", "closed"), [(9_999, False), (10_000, True), (10_001, True)])
def test_login_must_come_within_ten_seconds(now_ms: int, closed: bool) -> None:
    """bound: LOGIN_S."""
    session = new()
    session.receive(HELLO, 4_000)
    assert session.tick(now_ms) == ([Close(at_once=True)] if closed else [])


@pytest.mark.rule("A2")
def test_deadline_absolute_and_no_frame_puts_off() -> None:
    """The deadline is absolute and no frame puts it off."""
    session = new()
    for now_ms in range(0, 5_000, 100):
        session.admit(now_ms)
    assert session.tick(5_000) == [Close(at_once=True)]


def test_a_login_check_hurries_no_one() -> None:
    session = lobby()
    session.receive(LOGIN, 9_000)
    assert session.tick(60_000) == []
    assert session.login_checked(None) == []


@pytest.mark.parametrize(("now_ms", "pings"), [(4_999, 0), (5_000, 1), (5_001, 1)])
def test_a_heartbeat_comes_after_five_seconds(now_ms: int, pings: int) -> None:
    """bound: HEARTBEAT_S."""
    assert len(playing().tick(now_ms)) == pings


def test_a_heartbeat_comes_every_five_seconds() -> None:
    session = playing()
    pings = []
    for now_ms in range(0, 20_001, 500):
        session.admit(now_ms)
        pings += [(now_ms, effect.message) for effect in session.tick(now_ms) if isinstance(effect, Send)]
    assert pings == [(now_ms, Heartbeat(now_ms // 5_000, 0)) for now_ms in (5_000, 10_000, 15_000, 20_000)]


def test_a_heartbeat_tells_the_last_round_trip() -> None:
    session = playing()
    assert session.tick(5_000) == [Send(Heartbeat(1, 0))]
    session.admit(5_080)
    session.receive(HeartbeatReply(1), 5_080)
    assert session.tick(10_000) == [Send(Heartbeat(2, 80))]


def test_answer_older_heartbeat_measures_nothing() -> None:
    """An answer to an older heartbeat measures nothing."""
    session = playing()
    session.tick(5_000)
    session.tick(10_000)
    session.receive(HeartbeatReply(1), 10_005)
    session.receive(HeartbeatReply(99), 10_005)
    assert session.tick(14_999) == []
    session.admit(14_999)
    assert session.tick(15_000) == [Send(Heartbeat(3, 0))]


@pytest.mark.parametrize(("now_ms", "dead"), [(22_999, False), (23_000, True), (23_001, True)])
def test_fifteen_seconds_of_silence_are_a_cut_line(now_ms: int, dead: bool) -> None:
    """bound: DEAD_S."""
    session = playing()
    session.admit(8_000)
    closed = Close(at_once=True) in session.tick(now_ms)
    assert closed is dead
    assert (session.state is State.CLOSED) is dead


def test_dropped_frames_are_signs_of_life_too() -> None:
    session = playing()
    for _ in range(100):
        session.admit(10_000)
    assert Close(at_once=True) not in session.tick(24_000)


@pytest.mark.rule("A35")
@pytest.mark.parametrize(("now_ms", "dead"), [(16_999, False), (17_000, True)])
def test_a_patch_needs_its_own_ack(now_ms: int, dead: bool) -> None:
    """A patch must be acknowledged within fifteen seconds, and no heartbeat stands for it."""
    session = playing()
    session.patch_sent(1, 2_000)
    session.patch_sent(2, 9_000)
    session.admit(now_ms)
    session.receive(HeartbeatReply(0), now_ms)
    session.receive(SubmitCommand(1, 0, Wait()), now_ms)
    assert (Close(at_once=True) in session.tick(now_ms)) is dead
    assert (session.state is State.CLOSED) is dead


@pytest.mark.rule("A35")
def test_acknowledgement_gives_next_fifteen() -> None:
    """Each acknowledgement gives the next one fifteen seconds."""
    session = playing()
    session.patch_sent(1, 0)
    session.patch_sent(2, 0)
    session.receive(Acknowledge(1), 14_000)
    session.admit(28_999)
    assert Close(at_once=True) not in session.tick(28_999)
    assert session.tick(29_000) == [Close(at_once=True)]


def test_who_is_shown_nothing_owes_no_acknowledgement() -> None:
    session = playing()
    session.patch_sent(1, 0)
    session.receive(Acknowledge(1), 50)
    session.admit(100_000)
    assert Close(at_once=True) not in session.tick(100_000)
