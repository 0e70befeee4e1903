"""One writer: claims, appends with an unknown result, and two servers with one file."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from gloam_server.storage.journal import (
    Death,
    Record,
    Snapshot,
    StorageError,
    StorageFault,
    WriterClaim,
    WrongSequence,
)
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal, open_realm
from gloam_server.storage.sqlite.writer_claims import KEPT

CLAIM = WriterClaim(1, "ab", 5)


def world(path: Path) -> SqliteJournal:
    journal = open_realm(path / "world.db")
    journal.claim(CLAIM)
    return journal


def fail_after_the_next_commit(journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk's answer to the next commit get lost: it is written, and the caller gets an error."""
    commit = journal._engine.dialect.do_commit

    def commit_and_fail(connection: Any) -> None:
        commit(connection)
        monkeypatch.setattr(journal._engine.dialect, "do_commit", commit)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(journal._engine.dialect, "do_commit", commit_and_fail)


def test_error_after_commit_landed_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error after a commit that landed is not taken for another writer."""
    journal = world(tmp_path)
    bert = journal.create_account("Bert", b"h" * 32, 5)
    death = Death(bert.number, "Bert", "a rat", 1, 1, 0, 9, 0)
    journal.append([Record(1, 1, b"a")])
    beat = (
        [Record(1, 2, b"b"), Record(2, 1, b"c"), Record(1, 3, b"d")],
        [Snapshot(1, 3, 1, b"s", b"h")],
        [death],
    )
    fail_after_the_next_commit(journal, monkeypatch)
    with pytest.raises(StorageFault, match="disk I/O error"):
        journal.append(*beat)

    journal.append(*beat)

    assert [record.body for record in journal.read(1, 0)] == [b"a", b"b", b"d"]
    assert [record.body for record in journal.read(2, 0)] == [b"c"]
    assert journal.deaths() == [death]
    journal.append([Record(1, 4, b"e"), Record(2, 2, b"f")])
    journal.close()


def test_first_append_place_landed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first append to a place may have landed too."""
    journal = world(tmp_path)
    fail_after_the_next_commit(journal, monkeypatch)
    with pytest.raises(StorageFault):
        journal.append([Record(1, 1, b"a")])

    journal.append([Record(1, 1, b"a")])
    journal.append([Record(1, 2, b"b")])
    assert journal.last_sequence(1) == 2
    journal.close()


def test_append_nothing_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An append of which nothing is known and another server fence as ever."""
    journal = world(tmp_path)
    fail_after_the_next_commit(journal, monkeypatch)
    with pytest.raises(StorageFault):
        journal.append([Record(1, 1, b"a")])
    rival = open_realm(tmp_path / "world.db", take_over=True)
    rival.claim(CLAIM)

    with pytest.raises(WrongSequence):
        journal.append([Record(1, 1, b"a")])
    journal.close()
    rival.close()


def test_same_bytes_without_claim_anothers(tmp_path: Path) -> None:
    """The same bytes of someone without a claim are anothers."""
    journal = world(tmp_path)
    with pytest.raises(WrongSequence):
        journal.append([Record(1, 2, b"out of its turn")])
    other = SqliteJournal(connect(tmp_path / "world.db"))
    other.append([Record(1, 1, b"a"), Record(1, 2, b"b")])

    with pytest.raises(WrongSequence):
        journal.append([Record(1, 1, b"a")])
    other.close()
    journal.close()


def test_a_fenced_server_writes_no_accounts_either(tmp_path: Path) -> None:
    journal = world(tmp_path)
    rival = open_realm(tmp_path / "world.db", take_over=True)
    rival.claim(CLAIM)

    with pytest.raises(WrongSequence):
        journal.create_account("Bert", b"h" * 32, 5)
    assert rival.account_by_name("bert") is None
    journal.close()
    rival.close()


def test_took_over_holds_lock_and_keeps(tmp_path: Path) -> None:
    """The server that took over holds the lock and keeps it when the former ends."""
    former = world(tmp_path)
    rival = open_realm(tmp_path / "world.db", take_over=True)
    former.close()

    with pytest.raises(StorageError, match="open in another server"):
        open_realm(tmp_path / "world.db")
    rival.close()
    open_realm(tmp_path / "world.db").close()


def test_a_closed_world_is_taken_over(tmp_path: Path) -> None:
    """A world that no one has open is taken over like any other."""
    open_realm(tmp_path / "world.db", take_over=True).close()
    open_realm(tmp_path / "world.db", take_over=True).close()


def test_server_hangs_middle_writing_named_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hangs in the middle of writing is named as what is in the way."""
    journal = world(tmp_path)
    monkeypatch.setattr("gloam_server.storage.sqlite.database._BUSY_MS", 10)
    with journal._transaction() as connection:
        connection.execute(text("DELETE FROM deaths"))
        rival = open_realm(tmp_path / "world.db", take_over=True)
        with pytest.raises(StorageFault, match="being written by another process; end that one first"):
            rival.claim(CLAIM)
        rival.close()
    journal.close()


@pytest.mark.thorough
def test_claims_do_not_pile_up(tmp_path: Path) -> None:
    journal = open_realm(tmp_path / "world.db")
    for _ in range(KEPT + 5):
        journal.claim(CLAIM)
    with journal._transaction() as connection:
        assert connection.scalar(text("SELECT count(*) FROM claims")) == KEPT
    journal.close()
