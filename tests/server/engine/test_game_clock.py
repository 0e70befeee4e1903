"""The timer of the game loop: on the event loop's own timers as on a reactor's timers."""

import asyncio
import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.task import Clock

from gloam_server.engine.game_clock import GameClock, WakeTimer


@pytest.fixture
def loop() -> Iterator[asyncio.SelectorEventLoop]:
    loop = asyncio.SelectorEventLoop()
    yield loop
    loop.close()


def of_loop(loop: asyncio.SelectorEventLoop) -> GameClock:
    reactor: Any = SimpleNamespace(seconds=time.monotonic, callLater=None, start_timer=loop.call_later)
    return GameClock(reactor)


def test_what_has_arrived_is_read_before_timer(loop: asyncio.SelectorEventLoop) -> None:
    """A timer for now calls after all bytes that have arrived are read."""
    order: list[str] = []
    here, there = socket.socketpair()

    def woken() -> None:
        order.append("woken")
        loop.stop()

    def read() -> None:
        here.recv(1)
        order.append("read")

    def begin() -> None:
        clock = of_loop(loop)
        WakeTimer(clock, woken).set(clock.now_ms())
        there.send(b"a")

    with here, there:
        loop.add_reader(here, read)
        loop.call_soon(begin)
        loop.run_forever()
        loop.remove_reader(here)
    assert order == ["read", "woken"]


def test_cancelled_timer_of_loop_does_not_call(loop: asyncio.SelectorEventLoop) -> None:
    calls: list[str] = []
    clock = of_loop(loop)
    first, second = WakeTimer(clock, lambda: calls.append("first")), WakeTimer(clock, loop.stop)
    first.set(clock.now_ms())
    first.cancel()
    second.set(clock.now_ms() + 60_000)
    second.set(clock.now_ms())
    loop.run_forever()
    assert calls == []


def test_timer_of_reactor_calls_once() -> None:
    """Without timers of an event loop, the reactor's are used."""
    reactor, calls = Clock(), []
    timer = WakeTimer(GameClock(reactor), lambda: calls.append(reactor.seconds()))
    timer.set(500)
    timer.set(200)
    reactor.advance(0.1)
    reactor.advance(0.1)
    reactor.advance(1)
    assert calls == [0.2]
