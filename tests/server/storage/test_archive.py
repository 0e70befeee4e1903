"""Rows of archived lives, on both back ends: written with their record, kept until the return is past."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.accounts import UNSEEN_ROWS_MAX
from gloam_server.storage.archive import ArchiveChange, ArchivedRow
from gloam_server.storage.journal import (
    Journal,
    Record,
    Snapshot,
    StorageFault,
    WorldIdentity,
    WriterClaim,
    WrongSequence,
)
from gloam_server.storage.sqlite.integrity.checksums import check_all
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal, open_realm
from gloam_server.world.transition.serialization import state_hash
from support.storage.memory_journal import MemoryJournal

DAY_S = 86_400
BODY = b"\x84" + bytes(500)
MEMORY = bytes(2_000)


def named(journal: Journal, name: str = "Anna") -> int:
    return journal.create_account(name, name.encode(), 5).number


def rows(account: int, sequence: int, *, body: bytes = BODY) -> list[ArchivedRow]:
    return [
        ArchivedRow(account, 77, 0, sequence, body),
        ArchivedRow(account, 77, 3, sequence, MEMORY),
    ]


def written(journal: Journal, sequence: int, change: ArchiveChange) -> None:
    """Append the realm's record with its change of the archive, and a record of level 3."""
    journal.append([Record(0, sequence, b"r"), Record(3, sequence, b"l")], archive=change)


def taken(journal: Journal, *sequences: int) -> None:
    """Take snapshots of both places."""
    for sequence in sequences:
        journal.append((), [Snapshot(place, sequence, 1, BODY, state_hash(BODY)) for place in (0, 3)])


def test_rows_are_read_as_they_were_written(journal: Journal) -> None:
    anna, bert = named(journal), named(journal, "Bert")
    written(journal, 1, ArchiveChange(rows(anna, 1)))
    written(journal, 2, ArchiveChange(rows(bert, 2)))
    assert journal.archived_life(anna, 1) == rows(anna, 1)
    assert journal.archived_life(bert, 2) == rows(bert, 2)
    assert journal.archived_life(anna, 2) == []


def test_rows_and_record_are_one_transaction(journal: Journal) -> None:
    """A record that is not the next one writes no rows."""
    anna = named(journal)
    with pytest.raises(WrongSequence):
        journal.append([Record(0, 5, b"r")], archive=ArchiveChange(rows(anna, 5)))
    assert journal.archived_life(anna, 5) == []


def test_a_repeated_append_writes_rows_once(journal: Journal) -> None:
    """An append that was written after all is tried again: its rows are there once."""
    anna = named(journal)
    journal.claim(WriterClaim(1, "ab", 5))
    change = ArchiveChange(rows(anna, 1))
    if isinstance(journal, MemoryJournal):
        journal.fail_next(StorageFault("broken"), landed=True)
        with pytest.raises(StorageFault):
            written(journal, 1, change)
    elif isinstance(journal, SqliteJournal):
        written(journal, 1, change)
        journal._last, journal._beat = {}, 0  # it is not known that the append was written
    written(journal, 1, change)
    assert journal.archived_life(anna, 1) == rows(anna, 1)


def test_retention_waits_for_the_return(journal: Journal) -> None:
    """Rows go when the record of the return is no longer in the journal, and not before; others stay."""
    anna, bert = named(journal), named(journal, "Bert")
    written(journal, 1, ArchiveChange([*rows(anna, 1), *rows(bert, 1)]))
    written(journal, 2, ArchiveChange(returned=[(anna, 1, 2)]))
    for sequence in range(3, 8):
        written(journal, sequence, ArchiveChange())
    taken(journal, 1)
    journal.retain(DAY_S)
    journal.retain(9 * DAY_S)
    assert journal.archived_life(anna, 1), "two snapshots have to be after the return"

    taken(journal, 4, 6)
    journal.retain(10 * DAY_S)
    while journal.retain(18 * DAY_S):
        pass
    journal.retain(18 * DAY_S)
    assert next(journal.read(0, 0)).sequence > 2
    assert journal.archived_life(anna, 1) == []
    assert journal.archived_life(bert, 1) == rows(bert, 1)


def test_a_removed_account_takes_its_rows(journal: Journal) -> None:
    anna, bert = named(journal), named(journal, "Bert")
    named(journal, "Newest")
    written(journal, 1, ArchiveChange([*rows(anna, 1), *rows(bert, 1)]))
    assert journal.drop_unused(lambda account: account == bert, 10, 0)[1] == [anna]
    assert journal.archived_life(anna, 1) == []
    assert journal.archived_life(bert, 1) == rows(bert, 1)


def test_accounts_unseen_come_in_pages(journal: Journal) -> None:
    numbers = [journal.create_account(f"Player{at}", b"t", at).number for at in range(UNSEEN_ROWS_MAX + 20)]
    first = journal.unseen(UNSEEN_ROWS_MAX + 9, 0)
    assert first == numbers[:UNSEEN_ROWS_MAX]
    assert journal.unseen(UNSEEN_ROWS_MAX + 9, first[-1]) == numbers[UNSEEN_ROWS_MAX : UNSEEN_ROWS_MAX + 10]
    assert journal.unseen(UNSEEN_ROWS_MAX + 9, numbers[-1]) == []


def world(path: Path) -> tuple[int, Path]:
    """Make a world in which a life was archived by record 3 and returned by record 5."""
    file = path / "world.sqlite3"
    journal = open_realm(file)
    journal.create_identity(WorldIdentity("gloam", 1, 9, "ab", 5))
    anna = named(journal)
    taken(journal, 0)
    changes = {3: ArchiveChange(rows(anna, 3)), 5: ArchiveChange(returned=[(anna, 3, 5)])}
    for sequence in range(1, 8):
        written(journal, sequence, changes.get(sequence, ArchiveChange()))
    journal.close()
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
    journal = open_realm(file)
    assert journal.last_sequence(0) == cut - 1
    assert journal.archived_life(anna, 3) == (rows(anna, 3) if kept else [])
    journal.close()
    with closing(sqlite3.connect(file)) as database:
        found = {row for (row,) in database.execute("SELECT returned FROM archived_lives")}
    assert found == ({returned} if kept else set())
    assert check_all(file, state_hash) == []


def test_a_damaged_row_is_found_and_is_empty(tmp_path: Path) -> None:
    anna, file = world(tmp_path)
    changed(file, "UPDATE archived_lives SET body = x'820102' WHERE place = 0")
    assert check_all(file, state_hash) == ["row 1 of the table of archived_lives is damaged"]
    journal = open_realm(file)
    assert [row.body for row in journal.archived_life(anna, 3)] == [b"", MEMORY]
    journal.close()
    changed(file, "UPDATE journal SET body = x'ff' WHERE place = 0 AND sequence = 7")
    salvage(file, "stamp", state_hash)
    journal = open_realm(file)
    assert [row.place for row in journal.archived_life(anna, 3)] == [3], "a salvage keeps what is whole"
    journal.close()
