"""Faults on demand."""

import pytest

from gloam_server.storage.journal import (
    Death,
    LostInputs,
    Record,
    StorageError,
    StorageFault,
    StorageFull,
    WriterClaim,
)
from support.storage.memory_journal import MemoryJournal


@pytest.mark.parametrize("error", [StorageFull("full"), StorageFault("broken")])
def test_the_next_appends_fail_and_write_nothing(error: StorageError) -> None:
    journal = MemoryJournal()
    journal.fail_next(error, times=2)

    for _ in range(2):
        with pytest.raises(type(error)):
            journal.append([Record(1, 1, b"a")])
        assert journal.last_sequence(1) == 0

    journal.append([Record(1, 1, b"a")])
    assert journal.last_sequence(1) == 1


CLAIM = WriterClaim(1, "ab", 5)


def test_append_landed_after_not_written_twice() -> None:
    """An append that landed after all is not written twice."""
    journal = MemoryJournal()
    bert = journal.create_account("Bert", b"h" * 32, 5)
    death = Death(bert.number, "Bert", "a rat", 1, 1, 0, 9, 0)
    journal.claim(CLAIM)
    journal.fail_next(StorageFault("broken"), times=2, landed=True)

    for _ in range(2):
        with pytest.raises(StorageFault):
            journal.append([Record(1, 1, b"a"), Record(1, 2, b"b")], deaths=[death])
    journal.append([Record(1, 1, b"a"), Record(1, 2, b"b")], deaths=[death])

    assert [record.body for record in journal.read(1, 0)] == [b"a", b"b"]
    assert journal.deaths() == [death]


def test_after_lie_and_power_cut_before_lie() -> None:
    """After a lie and a power cut the state is as before the lie, and is reported once."""
    journal = MemoryJournal()
    journal.claim(CLAIM)
    journal.append([Record(1, 1, b"a")])
    journal.lie()
    journal.append([Record(1, 2, b"b"), Record(2, 1, b"c")])
    journal.create_account("Bert", b"h" * 32, 5)
    journal.cut_power()

    assert journal.places() == [1]
    assert journal.last_sequence(1) == 1
    assert journal.account_by_name("bert") is None
    assert journal.claim(CLAIM) == LostInputs(2, 5)
    assert journal.claim(CLAIM) is None
    journal.append([Record(1, 2, b"other")])


def test_landed_and_lost_written_next_server() -> None:
    """A record that landed and was lost is written again by the next server."""
    journal = MemoryJournal()
    journal.claim(CLAIM)
    journal.lie()
    journal.fail_next(StorageFault("broken"), landed=True)
    with pytest.raises(StorageFault):
        journal.append([Record(1, 1, b"a")])
    journal.cut_power()
    journal.claim(CLAIM)
    journal.append([Record(1, 1, b"a")])

    assert journal.last_sequence(1) == 1


def test_a_power_cut_without_a_lie_loses_nothing() -> None:
    journal = MemoryJournal()
    journal.claim(CLAIM)
    journal.append([Record(1, 1, b"a")])
    journal.cut_power()

    assert journal.last_sequence(1) == 1
    assert journal.claim(CLAIM) is None
