"""Faults on demand."""

import pytest

from gloam_server.storage.directory import Death
from gloam_server.storage.errors import StorageError, StorageFault, StorageFull
from gloam_server.storage.journal import LostInputs, Record, WriterClaim
from support.storage.memory_store import MemoryStore
from support.storage.writing import write


@pytest.mark.parametrize("error", [StorageFull("full"), StorageFault("broken")])
def test_the_next_appends_fail_and_write_nothing(error: StorageError) -> None:
    store = MemoryStore()
    store.journal.fail_next(error, times=2)
    for _ in range(2):
        with pytest.raises(type(error)):
            store.journal.append([Record(1, 1, b"a")])
        assert store.journal.last_sequence(1) == 0
    store.journal.append([Record(1, 1, b"a")])
    assert store.journal.last_sequence(1) == 1


CLAIM = WriterClaim(1, "ab", 5)


def test_append_landed_after_not_written_twice() -> None:
    """An append that landed after all is not written twice."""
    store = MemoryStore()
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    death = Death(bert.number, "Bert", "a rat", 1, 1, 0, 9, 0, life=7)
    store.journal.claim(CLAIM)
    store.journal.fail_next(StorageFault("broken"), times=2, landed=True)
    for _ in range(2):
        with pytest.raises(StorageFault):
            write(store, [Record(1, 1, b"a"), Record(1, 2, b"b")], deaths=[death])
    write(store, [Record(1, 1, b"a"), Record(1, 2, b"b")], deaths=[death])
    assert [record.body for record in store.journal.read(1, 0)] == [b"a", b"b"]
    assert store.directory.deaths() == [death]


def test_after_lie_and_power_cut_before_lie() -> None:
    """After a lie and a power cut the state is as before the lie, and is reported once."""
    store = MemoryStore()
    store.journal.claim(CLAIM)
    store.journal.append([Record(1, 1, b"a")])
    store.lie()
    store.journal.append([Record(1, 2, b"b"), Record(2, 1, b"c")])
    store.directory.create_account("Bert", b"h" * 32, 5)
    store.cut_power()
    assert store.partitions() == [1]
    assert store.journal.last_sequence(1) == 1
    assert store.directory.account_by_name("bert") is None
    assert store.journal.claim(CLAIM) == LostInputs(2, 5)
    assert store.journal.claim(CLAIM) is None
    store.journal.append([Record(1, 2, b"other")])


def test_landed_and_lost_written_next_server() -> None:
    """A record that landed and was lost is written again by the next server."""
    store = MemoryStore()
    store.journal.claim(CLAIM)
    store.lie()
    store.journal.fail_next(StorageFault("broken"), landed=True)
    with pytest.raises(StorageFault):
        store.journal.append([Record(1, 1, b"a")])
    store.cut_power()
    store.journal.claim(CLAIM)
    store.journal.append([Record(1, 1, b"a")])
    assert store.journal.last_sequence(1) == 1


def test_a_power_cut_without_a_lie_loses_nothing() -> None:
    store = MemoryStore()
    store.journal.claim(CLAIM)
    store.journal.append([Record(1, 1, b"a")])
    store.cut_power()
    assert store.journal.last_sequence(1) == 1
    assert store.journal.claim(CLAIM) is None
