"""Faults between a server and its cluster: nothing that was confirmed is lost, and nothing is written twice."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from gloam_server.storage.accounts import Account
from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.errors import StorageError, StorageFault, WorldOpen, WrongSequence
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.store import LeaseTerms, Store
from support.cluster.nats_server import NatsServer
from support.cluster.postgres_server import PostgresServer
from support.processes.cut_proxy import CutProxy
from support.storage.clusters import Cluster, opened
from support.storage.writing import write

CLAIM = WriterClaim(1, "ab12", 1_800_000_000)
IDENTITY = WorldIdentity("gloam", 7, 1, "ab12", 1_800_000_000)


def record(sequence: int, partition: int = 1) -> Record:
    return Record(partition, sequence, b"%d" % sequence)


def bodies(store: Store, partition: int = 1) -> list[bytes]:
    return [each.body for each in store.journal.read(partition, 0)]


@pytest.fixture
def own(cluster: Cluster, tmp_path: Path) -> Iterator[Cluster]:
    """A NATS server of this test alone, which it may end, with the PostgreSQL of all."""
    made = Cluster.__new__(Cluster)
    made.nats, made.postgres = NatsServer(tmp_path / "nats").start(), cluster.postgres
    yield made
    made.nats.kill()


def address_through(proxy: CutProxy, cluster: Cluster, realm: str) -> str:
    return cluster.address(realm).replace(f":{cluster.nats.port}/", f":{proxy.port}/")


@pytest.fixture
def proxy(own: Cluster) -> Iterator[CutProxy]:
    made = CutProxy(own.nats.port)
    yield made
    made.close()


@pytest.mark.thorough
def test_an_answer_that_is_lost_is_asked_again(own: Cluster, proxy: CutProxy) -> None:
    realm = own.realm()
    with opened(address_through(proxy, own, realm)) as store:
        store.journal.claim(CLAIM)
        store.journal.append([record(1)])
        proxy.hold_answers()
        with pytest.raises(StorageFault, match="NATS does not answer"):
            store.journal.append([record(2), record(1, 2)])
        proxy.cut()
        repeat(store, [record(2), record(1, 2)])
        store.journal.append([record(3)])
        assert bodies(store) == [b"1", b"2", b"3"]
    with opened(own.address(realm)) as store:
        assert (bodies(store), bodies(store, 2)) == ([b"1", b"2", b"3"], [b"1"])


@pytest.mark.thorough
def test_a_killed_nats_keeps_its_word(own: Cluster, proxy: CutProxy) -> None:
    """It is killed when it has an entry on disk and its answer is under way."""
    realm = own.realm()
    with opened(address_through(proxy, own, realm)) as store:
        store.journal.claim(CLAIM)
        store.journal.append([record(1)])
        proxy.hold_answers()
        with pytest.raises(StorageFault):
            store.journal.append([record(2)])
        own.nats.kill()
        proxy.cut()
        with pytest.raises(StorageFault):
            store.journal.append([record(2)])
        own.nats.start()
        repeat(store, [record(2)])
        store.journal.append([record(3)])
    with opened(own.address(realm)) as store:
        assert bodies(store) == [b"1", b"2", b"3"]


@pytest.mark.thorough
def test_an_entry_that_never_arrived_is_written(own: Cluster) -> None:
    with opened(own.address(own.realm())) as store:
        store.journal.claim(CLAIM)
        store.journal.append([record(1)])
        own.nats.kill()
        for _ in range(2):
            with pytest.raises(StorageFault):
                write(store, [record(2)], [Snapshot(1, 2, 1, b"state", b"hash")])
        assert store.snapshots.marks(1) == []
        own.nats.start()
        repeat(store, [record(2)], [Snapshot(1, 2, 1, b"state", b"hash")])
        assert bodies(store) == [b"1", b"2"]
        assert [mark.sequence for mark in store.snapshots.marks(1)] == [2]


@pytest.mark.thorough
def test_a_hung_owner_is_refused_when_it_wakes(own: Cluster, proxy: CutProxy) -> None:
    """Its entry is under way while another server claims the world: one of both is refused, and it is the former."""
    realm = own.realm()
    with opened(address_through(proxy, own, realm)) as store:
        store.journal.claim(CLAIM)
        store.journal.append([record(1)])
        proxy.hold_answers()
        with opened(own.address(realm), take_over=True) as rival:
            rival.journal.claim(CLAIM)
            rival.journal.append([record(2)])
            proxy.cut()
            with pytest.raises(WrongSequence, match="taken this world over"):
                repeat(store, [Record(1, 2, b"other")])
            with pytest.raises(WrongSequence, match="taken this world over"):
                store.directory.create_account("Bert", b"h" * 32, 5)
            assert bodies(rival) == [b"1", b"2"]
            assert rival.directory.account_numbers() == set()


def test_two_writers_never_both_append(cluster: Cluster) -> None:
    realm = cluster.realm()
    with (
        opened(cluster.address(realm)) as first,
        opened(cluster.address(realm), take_over=True) as second,
    ):
        first.journal.claim(CLAIM)
        second.journal.claim(CLAIM)
        written: list[str] = []

        def work(store: Store, name: str) -> None:
            try:
                for sequence in range(1, 40):
                    store.journal.append([Record(1, sequence, name.encode())])
                    written.append(name)
            except WrongSequence:
                pass

        threads = [Thread(target=work, args=each) for each in ((first, "first"), (second, "second"))]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert written == ["second"] * 39
    with opened(cluster.address(realm)) as store:
        assert bodies(store) == [b"second"] * 39


def transactions_of(store: Store) -> Any:
    """Return the transactions of a store in a cluster."""
    return vars(store.journal)["_transactions"]


def founded(store: Store) -> Account:
    store.directory.create_identity(IDENTITY)
    store.journal.claim(CLAIM)
    return store.directory.create_account("Bert", b"h" * 32, 5)


DEATH = Death(1, "Bert", "a rat", 1, 1, 0, 9, 0, life=7, sequence=1)


class Stopped(BaseException):
    """The server is gone at this moment."""


def test_the_next_server_writes_lacking_rows(cluster: Cluster) -> None:
    """It is stopped when the entry is in the journal, and its rows are not committed."""
    realm = cluster.realm()
    with opened(cluster.address(realm)) as store:
        founded(store)
        transactions = transactions_of(store)
        write_held = transactions.before_commit

        def stop(connection: object) -> None:
            write_held(connection)
            raise Stopped

        transactions.before_commit = stop
        with pytest.raises(Stopped):
            write(store, [record(1, 0)], [Snapshot(0, 1, 1, b"state", b"hash")], [DEATH])
        assert store.directory.deaths() == []
    for _ in range(2):
        with opened(cluster.address(realm)) as store:
            assert store.directory.deaths() == [DEATH]
            assert store.snapshots.newest(0) == Snapshot(0, 1, 1, b"state", b"hash")
            assert store.journal.last_sequence(0) == 1


@pytest.mark.thorough
def test_rows_are_written_when_postgres_is_back(tmp_path: Path) -> None:
    """PostgreSQL ends between the entry and the commit; the same batch again writes the rows alone."""
    nats, postgres = NatsServer(tmp_path / "nats").start(), PostgresServer().start()
    try:
        with opened(f"{nats.address('realm')},{postgres.address()}") as store:
            founded(store)
            transactions = transactions_of(store)
            hook = transactions.before_commit

            def end_postgres(connection: object) -> object:
                done = hook(connection)
                postgres.kill()
                return done

            transactions.before_commit = end_postgres
            with pytest.raises(StorageFault, match="PostgreSQL does not answer"):
                write(store, [record(1, 0)], deaths=[DEATH])
            transactions.before_commit = hook
            with pytest.raises(StorageError, match="PostgreSQL does not let this server in"):
                write(store, [record(1, 0)], deaths=[DEATH])
            postgres.start()
            write(store, [record(1, 0)], deaths=[DEATH])
            assert store.directory.deaths() == [DEATH]
            store.journal.append([record(2, 0)])
            assert bodies(store, 0) == [b"1", b"2"]
    finally:
        nats.kill()
        postgres.remove()


def small_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide entries as if NATS took a thousand bytes."""
    entries = pytest.importorskip("gloam_server.storage.jetstream.entries")
    monkeypatch.setattr(entries, "MESSAGE_MAX", 1_000)


@pytest.mark.thorough
def test_an_entry_of_many_messages_is_one(own: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    realm = own.realm()
    small_messages(monkeypatch)
    with opened(own.address(realm)) as store:
        store.journal.claim(CLAIM)
        store.journal.append([Record(1, 1, b"a" * 10_500), record(1, 2)])
        store.journal.append([record(2)])
    with opened(own.address(realm)) as store:
        assert bodies(store) == [b"a" * 10_500, b"2"]
        assert bodies(store, 2) == [b"1"]


@pytest.mark.thorough
def test_half_an_entry_is_none(own: Cluster, proxy: CutProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that ends between two messages of an entry has written nothing, and the next one goes on from before."""
    realm = own.realm()
    small_messages(monkeypatch)
    with opened(address_through(proxy, own, realm)) as store:
        store.journal.claim(CLAIM)
        store.journal.append([record(1)])
        proxy.hold_answers()
        with pytest.raises(StorageFault):
            store.journal.append([Record(1, 2, b"a" * 10_500)])
        proxy.cut()
    with opened(own.address(realm), take_over=True) as store:
        assert bodies(store) == [b"1"]
        store.journal.claim(CLAIM)
        store.journal.append([record(2)])
    with opened(own.address(realm)) as store:
        assert bodies(store) == [b"1", b"2"]


@pytest.mark.thorough
def test_a_lease_ends_with_its_holder(own: Cluster, proxy: CutProxy) -> None:
    """A server that was killed holds it for two seconds at most; one that hangs, too."""
    realm = own.realm()
    with opened(address_through(proxy, own, realm)) as store:
        store.journal.claim(CLAIM)
        proxy.close()
        with opened(own.address(realm)) as other:
            other.journal.claim(CLAIM)


@pytest.mark.thorough
def test_a_standby_waits_for_no_lease(own: Cluster, proxy: CutProxy) -> None:
    """It has ended the holder itself, on its own machine. The lease of any other process it waits for."""
    realm = own.realm()
    with opened(address_through(proxy, own, realm)) as store:
        store.journal.claim(CLAIM)
        proxy.close()
        began_s = time.monotonic()
        with pytest.raises(WorldOpen):
            open_store(own.address(realm), terms=LeaseTerms(0, follows=os.getpid() + 1))
        with opened(own.address(realm), terms=LeaseTerms(0, follows=os.getpid())) as other:
            assert time.monotonic() < began_s + 1
            other.journal.claim(CLAIM)


def repeat(store: Store, records: list[Record], snapshots: list[Snapshot] | None = None) -> None:
    """Write the same batch again until NATS answers, as a server does each second."""
    for _ in range(30):
        try:
            write(store, records, snapshots or [])
        except StorageFault:
            continue
        return
    raise AssertionError("NATS answers no more")


@pytest.mark.thorough
def test_a_start_reads_from_the_last_checkpoint(cluster: Cluster) -> None:
    address = cluster.address(cluster.realm())
    with opened(address) as store:
        store.journal.claim(CLAIM)
        store.journal.append([record(1, 2)])
        for sequence in range(1, 1_101):
            store.journal.append([record(sequence)])
    with opened(address) as store:
        assert store.journal.last_sequence(1) == 1_100
        assert store.journal.last_sequence(2) == 1
        assert len(list(store.journal.read(1, 1_000))) == 100
        assert store.journal.newest_claim() == CLAIM
        assert [each.sequence for each in store.journal.read(2, 0)] == [1]
