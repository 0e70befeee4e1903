"""The watched selector: it reports the time between two waits, and not the waits; new connections come last."""

import asyncio
import socket
from collections.abc import Iterator
from select import select
from selectors import EVENT_READ
from typing import TypeAlias

import pytest

from gloam_server.net.watched_selector import LAST_MS, WatchedSelector

Listening: TypeAlias = "tuple[WatchedSelector, Time, socket.socket]"


def test_the_time_between_two_waits_is_reported() -> None:
    readings: Iterator[float] = iter((10.0, 10.25, 17.0, 17.5, 20.0))
    busy: list[float] = []
    with WatchedSelector(busy.append, lambda: next(readings)) as selector:
        for _ in range(3):
            selector.select(0)
    assert busy == [0.25, 0.5]


def test_rest_comes_before_a_wait_without_other_work() -> None:
    """Work that a loop does at rest counts as busy, since a command that arrives then waits for it."""
    clock = Time()
    rests: list[float] = []
    busy: list[float] = []

    def rest() -> None:
        rests.append(clock.now_s)
        clock.now_s += 3

    here, there = socket.socketpair()
    with here, there, WatchedSelector(busy.append, clock, rest=rest) as selector:
        selector.register(here, EVENT_READ, "player")
        selector.select(0)  # the loop has other work
        there.send(b"x")
        selector.select(1)  # a socket is ready
        assert rests == []
        here.recv(1)
        selector.select(0.001)

    assert rests == [1.0]
    assert busy == [0.0, 3.0]


def test_a_loop_runs_with_it() -> None:
    busy: list[float] = []
    loop = asyncio.SelectorEventLoop(WatchedSelector(busy.append))
    try:
        loop.run_until_complete(asyncio.sleep(0))
    finally:
        loop.close()
    assert busy
    assert min(busy) >= 0


class Time:
    """A clock that a test moves."""

    now_s = 1.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def listening() -> Iterator[Listening]:
    """A selector, its time, a port with a waiting connection, and a socket that is ready when something is sent to it."""
    clock = Time()
    here, there = socket.socketpair()
    with (
        WatchedSelector(lambda _: None, clock) as selector,
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.create_connection(port.getsockname()),
        here,
        there,
    ):
        assert select([port], [], [], 20)[0]
        selector.register(port, EVENT_READ, "port")
        selector.register(here, EVENT_READ, "player")
        selector.serve_last(port.fileno())
        yield selector, clock, there


def ready(selector: WatchedSelector, timeout: float) -> list[str]:
    return sorted(key.data for key, _ in selector.select(timeout))


def test_a_new_connection_comes_when_nothing_else_does(listening: Listening) -> None:
    selector, *_ = listening
    assert ready(selector, 1) == ["port"]


def test_players_go_before_new_connections(listening: Listening) -> None:
    selector, _, there = listening
    there.send(b"x")
    assert ready(selector, 1) == ["player"]


def test_the_turn_that_waits_goes_before_them_too(listening: Listening) -> None:
    selector, *_ = listening
    assert ready(selector, 0) == []


def test_but_they_wait_for_a_bounded_time(listening: Listening) -> None:
    selector, clock, there = listening
    there.send(b"x")
    assert ready(selector, 0) == ["player"]
    clock.now_s += LAST_MS / 2_000
    assert ready(selector, 0) == ["player"]
    clock.now_s += LAST_MS / 1_000
    assert ready(selector, 0) == ["player", "port"]
    assert ready(selector, 0) == ["player"]
