"""The writer thread, with a reactor whose turn the test takes by hand."""

import threading
import time
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from gloam_server.storage.errors import StorageFull
from gloam_server.storage.journal import Record
from gloam_server.storage.writer import Writer
from support.server.hand_reactor import HandReactor
from support.storage.memory_journal import MemoryJournal
from support.storage.memory_store import MemoryStore


def results(deferred: Deferred[Any]) -> list[Any]:
    collected: list[Any] = []
    deferred.addBoth(collected.append)
    return collected


@pytest.fixture
def reactor() -> HandReactor:
    return HandReactor()


def test_append_fires_reactors_turn(reactor: HandReactor) -> None:
    """An append fires in the reactors turn and not before."""
    writer = Writer(MemoryStore(), reactor)
    result = results(writer.append([Record(1, 1, b"a")]))
    while reactor.handed.empty():
        time.sleep(0.001)
    assert result == []
    reactor.turn()
    assert result == [None]
    assert writer.store.journal.last_sequence(1) == 1
    writer.stop()


def test_failed_append_brings_error_and_next_goes(reactor: HandReactor) -> None:
    """A failed append brings its error and the next goes on."""
    store = MemoryStore()
    store.journal.fail_next(StorageFull("full"))
    writer = Writer(store, reactor)
    failed, done = results(writer.append([Record(1, 1, b"a")])), results(writer.append([Record(1, 1, b"a")]))
    reactor.turn(2)
    assert failed[0].check(StorageFull)
    assert done == [None]
    writer.stop()


def test_calls_run_in_order_in_one_other_thread(reactor: HandReactor) -> None:
    writer = Writer(MemoryStore(), reactor)
    threads = [results(writer.call(threading.get_ident)) for _ in range(3)]
    order = [results(writer.call(str, number)) for number in range(3)]
    reactor.turn(6)
    assert len({ident for [ident] in threads}) == 1
    assert threads[0] != [threading.get_ident()]
    assert order == [["0"], ["1"], ["2"]]
    writer.stop()


def test_stopping_finishes_asked_and_ends_thread(reactor: HandReactor) -> None:
    """Stopping finishes what was asked and ends the thread."""
    writer = Writer(MemoryStore(), reactor)
    writer.append([Record(1, 1, b"a")])
    stopped = results(writer.stop())
    reactor.turn(2)
    assert stopped == [None]
    assert writer.store.journal.last_sequence(1) == 1
    writer._thread.join(timeout=60)
    assert not writer._thread.is_alive()
    with pytest.raises(RuntimeError, match="stopped"):
        writer.call(len, "a")


def test_beat_overtakes_errands_wait(reactor: HandReactor) -> None:
    """A beat overtakes the errands that wait and these keep their order."""
    begun, go_on = threading.Event(), threading.Event()
    order: list[str] = []

    class Noting(MemoryJournal):
        def append(self, *args: Any) -> None:
            super().append(*args)
            order.append("beat")

    def long_errand() -> None:
        begun.set()
        go_on.wait(60)

    writer = Writer(MemoryStore(Noting), reactor)
    writer.call(long_errand)
    begun.wait(60)
    writer.call(order.append, "look")
    writer.call(order.append, "make")
    writer.append([Record(1, 1, b"a")])
    go_on.set()
    reactor.turn(4)

    assert order == ["beat", "look", "make"]
    assert writer.backlog == 0
    writer.stop()
