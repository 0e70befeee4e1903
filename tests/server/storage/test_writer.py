"""The writer thread, with a reactor whose turn the test takes by hand."""

import threading
import time
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from gloam_server.storage.errors import StorageFault, StorageFull, WrongSequence
from gloam_server.storage.journal import Record
from gloam_server.storage.writer import SHARED_MAX, Writer
from support.server.hand_reactor import HandReactor
from support.storage.busy_writer import BusyWriter
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


def test_shared_calls_that_wait_are_one_transaction(reactor: HandReactor) -> None:
    """Players who return together cost one sync, in the order of their names: so no two servers wait for each other."""
    writer, order = BusyWriter(reactor), list[str]()
    for name in ("finn", "anna", "carl"):
        writer.share(name, order.append, name)
    writer.go_on.set()
    reactor.turn(2 + 3)
    assert (order, writer.transactions) == (["anna", "carl", "finn"], 1)
    writer.stop()


def test_shared_calls_keep_their_place(reactor: HandReactor) -> None:
    """They pass no other call, and batches pass them."""
    order: list[str] = []

    class Noting(MemoryJournal):
        def append(self, *args: Any) -> None:
            super().append(*args)
            order.append("batch")

    writer = BusyWriter(reactor, Noting)
    writer.share("b", order.append, "b")
    writer.call(order.append, "between")
    writer.share("a", order.append, "a")
    writer.append([Record(1, 1, b"a")])
    writer.go_on.set()
    reactor.turn(2 + 4)
    assert (order, writer.transactions) == (["batch", "b", "between", "a"], 2)
    assert writer.backlog == 0
    writer.stop()


def test_a_shared_call_that_fails_fails_alone(reactor: HandReactor) -> None:
    """The others are undone with it, and done again."""
    writer = BusyWriter(reactor)

    def fail() -> None:
        raise StorageFault("bad")

    made = [
        results(writer.share(name, writer.directory.create_account, name, b"", 1))
        for name in ("Anna", "Bert")
    ]
    failed = results(writer.share("c", fail))
    writer.go_on.set()
    reactor.turn(2 + 3)
    assert [account.name for [account] in made] == ["Anna", "Bert"]
    assert failed[0].check(StorageFault)
    assert len(writer.directory.account_numbers()) == 2
    assert writer.transactions == 1 + 3
    writer.stop()


def test_shared_calls_of_a_lost_world_stop_the_server(reactor: HandReactor) -> None:
    """As any other call they say that another server has claimed it."""
    fenced: list[str] = []
    store = MemoryStore()
    writer = Writer(store, reactor, fenced.append)

    def lose() -> None:
        raise WrongSequence("claimed")

    failed = results(writer.share("a", lose))
    reactor.turn(2)
    assert failed[0].check(WrongSequence)
    assert fenced == ["claimed"]
    writer.stop()


def test_one_transaction_takes_no_crowd_without_end(reactor: HandReactor) -> None:
    writer = BusyWriter(reactor)
    for _ in range(SHARED_MAX + 1):
        writer.share("", len, "")
    writer.go_on.set()
    reactor.turn(2 + SHARED_MAX + 1)
    assert writer.transactions == 2
    writer.stop()
