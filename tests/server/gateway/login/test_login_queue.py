"""The queue of logins: one begins after another, also on a busy server; a closed connection delays no other."""

import pytest
from twisted.internet.task import Clock

from gloam_server.engine.game_clock import GameClock
from gloam_server.gateway.login.login_queue import LoginQueue
from gloam_server.sessions.session import State
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye
from support.server.sim_server import SimClient, SimServer

GAP_S = limits.LOGIN_GAP_MS / 1_000
OWN = b"of many devices".ljust(32, b".")


class Turns:
    """A queue under a manual clock, and which of its logins have begun."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.clock.advance(1_000)
        self.queue = LoginQueue(GameClock(self.clock))
        self.begun: list[int] = []

    def put(self, number: int, *, here: bool = True, gap_ms: int = limits.LOGIN_GAP_MS) -> None:
        """Queue a login; without `here` its connection has closed."""

        def begin() -> bool:
            if here:
                self.begun.append(number)
            return here

        self.queue.put(begin, gap_ms)


def test_the_first_login_begins_at_once() -> None:
    turns = Turns()
    turns.put(1)
    turns.clock.advance(60)
    turns.put(2)
    assert turns.begun == [1, 2]


@pytest.mark.rule("A81")
def test_logins_begin_one_after_another() -> None:
    """bound: LOGIN_GAP_MS."""
    turns = Turns()
    for number in range(4):
        turns.put(number)
    counts = [len(turns.begun)]
    for _ in range(4):
        turns.clock.advance(GAP_S)
        counts.append(len(turns.begun))
    assert counts == [1, 2, 3, 4, 4]
    assert turns.begun == sorted(turns.begun)
    assert not turns.clock.getDelayedCalls()


@pytest.mark.rule("A81")
def test_resumes_begin_sooner() -> None:
    """A crowd whose process was killed is back before its players give up. bound: RESUME_GAP_MS."""
    turns = Turns()
    for number in range(4):
        turns.put(number, gap_ms=limits.RESUME_GAP_MS if number else limits.LOGIN_GAP_MS)
    counts = [len(turns.begun)]
    for gap_ms in (limits.LOGIN_GAP_MS, *[limits.RESUME_GAP_MS] * 3):
        turns.clock.advance((gap_ms - 1) / 1_000)
        counts.append(len(turns.begun))
        turns.clock.advance(0.001)
        counts.append(len(turns.begun))
    assert counts == [1, 1, 2, 2, 3, 3, 4, 4, 4]


@pytest.mark.parametrize(("gap_ms", "most"), [(limits.LOGIN_GAP_MS, 16), (limits.RESUME_GAP_MS, 38)])
def test_a_busy_server_makes_up_for_its_delay(gap_ms: int, most: int) -> None:
    turns = Turns()
    for number in range(100):
        turns.put(number, gap_ms=gap_ms)
    turns.clock.advance(gap_ms * 8 / 1_000)
    assert len(turns.begun) == 9
    turns.clock.advance(60)
    assert len(turns.begun) == 9 + most, "no more at once"


def test_a_closed_connection_delays_no_other() -> None:
    turns = Turns()
    for number in range(100):
        turns.put(number, here=number % 10 == 0)
    turns.clock.advance(GAP_S)
    assert turns.begun == [0, 10]


def test_a_login_that_fails_stops_no_other() -> None:
    turns = Turns()

    def fail() -> bool:
        raise LookupError("a fault")

    turns.put(1)
    turns.queue.put(fail)
    turns.put(2)
    with pytest.raises(LookupError, match="a fault"):
        turns.clock.advance(GAP_S)
    turns.clock.advance(GAP_S)
    assert turns.begun == [1, 2]


def test_a_login_that_waits_is_not_cut_off() -> None:
    """A login that has arrived in time waits for its turn beyond the deadline of a login."""
    server = SimServer()
    crowd = [SimClient(server, f"Guest{at}", OWN) for at in range(4)]
    server.clock.advance(limits.LOGIN_S + 1)  # a turn of the reactor that took so long
    server.clients += crowd
    server.advance(100)
    assert [client.connection.session.state for client in crowd] == [State.PLAYING] * 4


@pytest.mark.rule("A81")
def test_a_full_dungeon_looks_for_no_account() -> None:
    server = SimServer(players_max=1)
    anna = server.join("Anna")
    stranger = server.join("Bert")
    assert [each.code for each in stranger.of_kind(Bye)] == ["full"]
    assert server.store.directory.account_by_name("bert") is None
    server.join("ANNA", b"Anna".ljust(32, b"."))
    assert [each.code for each in anna.of_kind(Bye)] == ["replaced"]


def test_a_resume_waits_for_its_turn_among_logins() -> None:
    server = SimServer()
    anna = server.join("Anna")
    anna.cut()
    crowd = [SimClient(server, f"Guest{at}", OWN) for at in range(3)]
    anna.dial()  # the link resumes by itself
    assert not anna.connection.player
    server.clients += crowd
    server.advance(100)
    assert anna.connection.player
