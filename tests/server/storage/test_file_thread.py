"""The thread for files: order, bounds, and a disk that hangs."""

import threading
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from gloam_server.storage.file_thread import STOP_S, WAITING_MAX, FilesBusy, FileThread
from support.server.hand_reactor import HandReactor


def results(deferred: Deferred[Any]) -> list[Any]:
    collected: list[Any] = []
    deferred.addBoth(collected.append)
    return collected


def test_calls_run_in_order_and_errors_come_back() -> None:
    reactor, ran = HandReactor(), list[int]()
    files = FileThread(reactor)
    came = [results(files.call(ran.append, number)) for number in range(3)]
    failed = results(files.call(int, "no number"))
    assert (came, failed) == ([[], [], []], [])
    reactor.turn(4)
    assert (ran, came) == ([0, 1, 2], [[None], [None], [None]])
    assert isinstance(failed[0].value, ValueError)


def test_a_hung_disk_has_bounds() -> None:
    """While one call hangs, a bounded number waits, and a stop does not wait for it."""
    reactor, clock, hung = HandReactor(), Clock(), threading.Event()
    files = FileThread(reactor)
    came = [results(files.call(hung.wait)) for _ in range(WAITING_MAX)]
    assert isinstance(results(files.call(hung.wait))[0].value, FilesBusy)
    hung.set()
    reactor.turn(WAITING_MAX)
    assert came == [[True]] * WAITING_MAX

    hung.clear()
    files.call(hung.wait)
    stopped = results(files.stop(clock))
    clock.advance(STOP_S - 0.1)
    assert stopped == []
    clock.advance(0.2)
    assert stopped == [None]
    hung.set()
    reactor.turn(2)
