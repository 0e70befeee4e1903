"""The schedule of all connections' deadlines: one timer, and few calls together."""

from functools import partial
from typing import Any

import pytest
from twisted.internet.task import Clock

from gloam_server.net.deadlines import CALLS_MAX, Deadlines


def test_calls_come_in_order_and_once() -> None:
    clock = Clock()
    called: list[object] = []
    deadlines = Deadlines(clock)
    for at_ms in (3_000, 1_000, 2_000):
        deadlines.add(at_ms, partial(called.append, at_ms))
    for _ in range(8):
        clock.advance(0.5)
    assert called == [1_000, 2_000, 3_000]
    assert clock.getDelayedCalls() == []


def test_many_share_one_timer() -> None:
    clock = Clock()
    deadlines = Deadlines(clock)
    for at_ms in range(5_000, 6_000):
        deadlines.add(at_ms, list)
    deadlines.add(1_000, list)
    calls: Any = clock.getDelayedCalls()
    assert [call.getTime() for call in calls] == [1.0]


def test_a_burst_is_spread_over_turns_of_the_reactor() -> None:
    """Connections that were opened together are due together; other work runs between them."""
    clock = Clock()
    called: list[object] = []
    deadlines = Deadlines(clock)
    for _ in range(3 * CALLS_MAX):
        deadlines.add(5_000, lambda: called.append("deadline"))
    clock.callLater(5, called.append, "a turn of the game")
    clock.advance(5)
    assert called.index("a turn of the game") == CALLS_MAX
    assert called.count("deadline") == 3 * CALLS_MAX


def test_a_dropped_one_is_not_called() -> None:
    clock = Clock()
    called: list[object] = []
    deadlines = Deadlines(clock)
    numbers = [deadlines.add(1_000, partial(called.append, at)) for at in range(3)]
    deadlines.drop(numbers[1])
    clock.advance(1)
    deadlines.drop(numbers[0])
    assert called == [0, 2]


def test_no_timer_is_left_when_all_are_dropped() -> None:
    clock = Clock()
    deadlines = Deadlines(clock)
    numbers = [deadlines.add(1_000 + at, list) for at in range(3)]
    for number in numbers:
        deadlines.drop(number)
    assert clock.getDelayedCalls() == []


def test_dropped_ones_take_no_memory() -> None:
    deadlines = Deadlines(Clock())
    deadlines.add(5_000, list)
    for _ in range(1_000):
        deadlines.drop(deadlines.add(4_000, list))
    assert len(deadlines._heap) < 100


def test_a_call_may_add_and_drop() -> None:
    clock = Clock()
    called: list[object] = []
    deadlines = Deadlines(clock)

    def again() -> None:
        called.append(clock.seconds())
        deadlines.drop(other)
        if len(called) < 3:
            deadlines.add(int(clock.seconds() * 1_000) + 1_000, again)

    deadlines.add(1_000, again)
    other = deadlines.add(1_000, lambda: called.append(-1.0))
    for _ in range(8):
        clock.advance(0.5)

    assert called == [1.0, 2.0, 3.0]
    assert clock.getDelayedCalls() == []


def test_a_fault_in_a_call_delays_no_other() -> None:
    clock = Clock()
    called: list[object] = []
    deadlines = Deadlines(clock)

    def fail() -> None:
        raise RuntimeError

    deadlines.add(1_000, fail)
    deadlines.add(2_000, lambda: called.append(2))
    with pytest.raises(RuntimeError):
        clock.advance(1)
    clock.advance(1)

    assert called == [2]
