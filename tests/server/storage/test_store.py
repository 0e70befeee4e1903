"""The contract of a store as a whole, held against each backend: transactions, the lease, and that nothing is left untested."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gloam_server.storage.accounts import Accounts
from gloam_server.storage.archive import Archive, ArchiveChange, ArchivedRow
from gloam_server.storage.chat_store import ChatStore
from gloam_server.storage.directory import Death, Directory, WorldIdentity
from gloam_server.storage.errors import NameTaken, WorldOpen, WrongSequence
from gloam_server.storage.journal import Journal, Record, WriterClaim
from gloam_server.storage.snapshots import Snapshot, Snapshots
from gloam_server.storage.store import Lease, Store

CLAIM = WriterClaim(3, "ab12", 1_800_000_000, "numpy 1")
HERE = Path(__file__).parent


def kept(store: Store) -> tuple[object, ...]:
    """Return something of each interface."""
    return (
        store.journal.last_sequence(1),
        store.snapshots.partitions(),
        store.directory.account_numbers(),
        store.directory.deaths(),
    )


def writes(store: Store) -> list[Callable[[], object]]:
    """Return a call of each interface that writes."""
    return [
        lambda: store.directory.create_account("Bert", b"h" * 32, 5),
        lambda: store.directory.write_deaths([Death(1, "Bert", "a rat", 1, 1, 0, 9, 0, life=7)]),
        lambda: store.snapshots.put([Snapshot(1, 1, 1, b"state", b"hash")]),
    ]


def test_records_and_rows_are_one_transaction(store: Store) -> None:
    store.journal.claim(CLAIM)
    before = kept(store)

    def fails() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.commit([Record(1, 1, b"a")], [*writes(store), fails])
    assert kept(store) == before

    store.commit([Record(1, 1, b"a")], writes(store))
    assert kept(store)[:3] == (1, [1], {1})
    store.commit([Record(1, 2, b"b")])
    assert [record.body for record in store.journal.read(1, 0)] == [b"a", b"b"]


def test_a_gap_in_the_records_leaves_no_rows(store: Store) -> None:
    before = kept(store)
    with pytest.raises(WrongSequence):
        store.commit([Record(1, 2, b"a")], writes(store))
    assert kept(store) == before


def test_a_refusal_undoes_the_calls_before_it(store: Store) -> None:
    store.directory.create_account("Bert", b"h" * 32, 5)

    def ban_and_create() -> None:
        with store.directory.together():
            store.directory.ban(1, 9)
            store.directory.create_account("BERT", b"i" * 32, 6)

    with pytest.raises(NameTaken):
        ban_and_create()
    assert not store.directory.banned_until_s(1)

    with store.directory.together():
        store.directory.ban(1, 9)
        store.directory.record_seen(1, 8)
    assert store.directory.banned_until_s(1) == 9
    found = store.directory.account_by_name("bert")
    assert found is not None
    assert found.last_seen_s == 8


def test_a_fenced_server_begins_no_transaction(store: Store, rival: Store) -> None:
    store.journal.claim(CLAIM)
    rival.journal.claim(CLAIM)
    with pytest.raises(WrongSequence), store.directory.together():
        store.directory.create_account("Bert", b"h" * 32, 5)
    assert rival.directory.account_by_name("bert") is None
    assert rival.journal.newest_claim() == CLAIM


def test_the_newest_claim_is_told(store: Store) -> None:
    assert store.journal.newest_claim() is None
    store.journal.claim(WriterClaim(2, "cd", 5))
    store.journal.claim(CLAIM)
    assert store.journal.newest_claim() == CLAIM


def test_snapshots_go_one_by_one_or_before_a_record(store: Store) -> None:
    store.snapshots.put([Snapshot(1, at, 1, b"state", b"hash") for at in (0, 4, 9)])
    store.journal.append([Record(2, 1, b"a")])
    assert (store.journal.partitions(), store.snapshots.partitions(), store.partitions()) == (
        [2],
        [1],
        [1, 2],
    )
    store.snapshots.drop(1, 4)
    assert store.snapshots.get(1, 4) is None
    assert [mark.sequence for mark in store.snapshots.marks(1)] == [9, 0]
    store.snapshots.drop_before(1, 9)
    assert [mark.sequence for mark in store.snapshots.marks(1)] == [9]


def test_a_life_goes_from_the_table_of_ended_lives(store: Store) -> None:
    store.directory.create_account("Bert", b"h" * 32, 5)
    lives = [Death(1, "Bert", "a rat", 1, 1, 0, 9, 0, life=life, won=life == 8) for life in (7, 8, 9)]
    store.directory.write_deaths(lives)
    store.directory.drop_deaths([7, 9, 11])
    assert store.directory.deaths() == [lives[1]]


def test_only_adopt_changes_the_identity(store: Store) -> None:
    store.directory.create_identity(WorldIdentity("gloam", 7, 1, "ab", 5))
    store.directory.adopt(2, "cd")
    assert store.directory.identity() == WorldIdentity("gloam", 7, 2, "cd", 5)


def test_an_archived_life_written_again_is_one_life(store: Store) -> None:
    store.directory.create_account("Bert", b"h" * 32, 5)
    change = ArchiveChange([ArchivedRow(1, 7, 0, 3, b"life"), ArchivedRow(1, 7, 2, 3, b"map")])
    for _ in range(2):
        store.directory.write_archive(change)
    assert store.directory.archived_life(1, 3) == list(change.rows)


def test_ignoring_ends_with_the_last_ignored_player(store: Store) -> None:
    for name in ("Anna", "Bert"):
        store.directory.create_account(name, b"h" * 32, 5)
    store.directory.ignore(1, 2, blocked=True)
    assert store.directory.ignoring() == {1}
    store.directory.ignore(1, 2, blocked=None)
    assert store.directory.ignoring() == set()


def test_one_server_has_the_lease(store: Store, open_again: Callable[..., Store]) -> None:
    with pytest.raises(WorldOpen):
        open_again()
    open_again(take_over=True).close()
    store.lease.release()
    open_again().close()


@pytest.mark.parametrize("interface", [Journal, Snapshots, Directory, Accounts, Archive, ChatStore, Lease])
def test_every_call_of_an_interface_is_tested_here(interface: Any) -> None:
    """A method of an interface that no test of both backends calls could differ unseen."""
    texts = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    names = [name for name, value in vars(interface).items() if callable(value) and not name.startswith("_")]
    assert names
    assert [name for name in names if not re.search(rf"store\.(\w+\.)?{name}\b", texts)] == []
