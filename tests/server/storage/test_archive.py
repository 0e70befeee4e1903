"""Rows of archived lives, on both backends: written with their record, kept until the return is past."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.accounts import UNSEEN_ROWS_MAX
from gloam_server.storage.archive import ArchiveChange, ArchivedRow
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageFault, WrongSequence
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite.integrity.checksums import check_all
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal
from gloam_server.storage.store import Store
from gloam_server.world.transition.serialization import state_hash
from support.storage.memory_store import MemoryStore
from support.storage.writing import write

DAY_S = 86_400
BODY = b"\x84" + bytes(500)
MEMORY = bytes(2_000)


def named(store: Store, name: str = "Anna") -> int:
    return store.directory.create_account(name, name.encode(), 5).number


def rows(account: int, sequence: int, *, body: bytes = BODY) -> list[ArchivedRow]:
    return [
        ArchivedRow(account, 77, 0, sequence, body),
        ArchivedRow(account, 77, 3, sequence, MEMORY),
    ]


def written(store: Store, sequence: int, change: ArchiveChange) -> None:
    """Append the realm's record with its change of the archive, and a record of level 3."""
    write(store, [Record(0, sequence, b"r"), Record(3, sequence, b"l")], archive=change)


def taken(store: Store, *sequences: int) -> None:
    """Take snapshots of both places."""
    for sequence in sequences:
        write(store, (), [Snapshot(partition, sequence, 1, BODY, state_hash(BODY)) for partition in (0, 3)])


def test_rows_are_read_as_they_were_written(store: Store) -> None:
    anna, bert = named(store), named(store, "Bert")
    written(store, 1, ArchiveChange(rows(anna, 1)))
    written(store, 2, ArchiveChange(rows(bert, 2)))
    assert store.directory.archived_life(anna, 1) == rows(anna, 1)
    assert store.directory.archived_life(bert, 2) == rows(bert, 2)
    assert store.directory.archived_life(anna, 2) == []


def test_rows_and_record_are_one_transaction(store: Store) -> None:
    """A record that is not the next one writes no rows."""
    anna = named(store)
    with pytest.raises(WrongSequence):
        write(store, [Record(0, 5, b"r")], archive=ArchiveChange(rows(anna, 5)))
    assert store.directory.archived_life(anna, 5) == []


def test_a_repeated_append_writes_rows_once(store: Store) -> None:
    """An append that was written after all is tried again: its rows are there once."""
    anna = named(store)
    store.journal.claim(WriterClaim(1, "ab", 5))
    change = ArchiveChange(rows(anna, 1))
    if isinstance(store, MemoryStore):
        store.journal.fail_next(StorageFault("broken"), landed=True)
        with pytest.raises(StorageFault):
            written(store, 1, change)
    elif isinstance(store, SqliteJournal):
        written(store, 1, change)
        store._last, store._beat = {}, 0  # it is not known that the append was written
    written(store, 1, change)
    assert store.directory.archived_life(anna, 1) == rows(anna, 1)


def test_retention_waits_for_the_return(store: Store) -> None:
    """Rows go when the record of the return is no longer in the journal, and not before; others stay."""
    anna, bert = named(store), named(store, "Bert")
    written(store, 1, ArchiveChange([*rows(anna, 1), *rows(bert, 1)]))
    written(store, 2, ArchiveChange(returned=[(anna, 1, 2)]))
    for sequence in range(3, 8):
        written(store, sequence, ArchiveChange())
    taken(store, 1)
    store.journal.retain(DAY_S)
    store.journal.retain(9 * DAY_S)
    assert store.directory.archived_life(anna, 1), "two snapshots have to be after the return"

    taken(store, 4, 6)
    store.journal.retain(10 * DAY_S)
    while store.journal.retain(18 * DAY_S):
        pass
    store.journal.retain(18 * DAY_S)
    assert next(store.journal.read(0, 0)).sequence > 2
    assert store.directory.archived_life(anna, 1) == []
    assert store.directory.archived_life(bert, 1) == rows(bert, 1)


def test_a_removed_account_takes_its_rows(store: Store) -> None:
    anna, bert = named(store), named(store, "Bert")
    named(store, "Newest")
    written(store, 1, ArchiveChange([*rows(anna, 1), *rows(bert, 1)]))
    assert store.directory.drop_unused(lambda account: account == bert, 10, 0)[1] == [anna]
    assert store.directory.archived_life(anna, 1) == []
    assert store.directory.archived_life(bert, 1) == rows(bert, 1)


@pytest.mark.thorough
def test_accounts_unseen_come_in_pages(store: Store) -> None:
    numbers = [
        store.directory.create_account(f"Player{at}", b"t", at).number for at in range(UNSEEN_ROWS_MAX + 20)
    ]
    first = store.directory.unseen(UNSEEN_ROWS_MAX + 9, 0)
    assert first == numbers[:UNSEEN_ROWS_MAX]
    assert (
        store.directory.unseen(UNSEEN_ROWS_MAX + 9, first[-1])
        == numbers[UNSEEN_ROWS_MAX : UNSEEN_ROWS_MAX + 10]
    )
    assert store.directory.unseen(UNSEEN_ROWS_MAX + 9, numbers[-1]) == []


def world(path: Path) -> tuple[int, Path]:
    """Make a world in which a life was archived by record 3 and returned by record 5."""
    file = path / "world.sqlite3"
    store = open_store(file)
    store.directory.create_identity(WorldIdentity("gloam", 1, 9, "ab", 5))
    anna = named(store)
    taken(store, 0)
    changes = {3: ArchiveChange(rows(anna, 3)), 5: ArchiveChange(returned=[(anna, 3, 5)])}
    for sequence in range(1, 8):
        written(store, sequence, changes.get(sequence, ArchiveChange()))
    store.close()
    return anna, file


def changed(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute(statement)
        database.commit()


@pytest.mark.parametrize(
    ("cut", "kept", "returned"),
    [(3, False, None), (4, True, None), (5, True, None), (6, True, 5)],
)
def test_a_salvage_cuts_the_archive_too(tmp_path: Path, cut: int, kept: bool, returned: int | None) -> None:
    """Before and after each of the two records: rows of a future that is lost go, and a lost return has not been."""
    anna, file = world(tmp_path)
    changed(file, f"UPDATE journal SET body = x'ff' WHERE place = 0 AND sequence = {cut}")
    salvage(file, "stamp", state_hash)
    store = open_store(file)
    assert store.journal.last_sequence(0) == cut - 1
    assert store.directory.archived_life(anna, 3) == (rows(anna, 3) if kept else [])
    store.close()
    with closing(sqlite3.connect(file)) as database:
        found = {row for (row,) in database.execute("SELECT returned FROM archived_lives")}
    assert found == ({returned} if kept else set())
    assert check_all(file, state_hash) == []


def test_a_damaged_row_is_found_and_is_empty(tmp_path: Path) -> None:
    anna, file = world(tmp_path)
    changed(file, "UPDATE archived_lives SET body = x'820102' WHERE place = 0")
    assert check_all(file, state_hash) == ["row 1 of the table of archived_lives is damaged"]
    store = open_store(file)
    assert [row.body for row in store.directory.archived_life(anna, 3)] == [b"", MEMORY]
    store.close()
    changed(file, "UPDATE journal SET body = x'ff' WHERE place = 0 AND sequence = 7")
    salvage(file, "stamp", state_hash)
    store = open_store(file)
    assert [row.partition for row in store.directory.archived_life(anna, 3)] == [3], (
        "a salvage keeps what is whole"
    )
    store.close()
