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
    """Let the disk's answer to the next commit get lost: it is written, and an error is what comes back."""
    commit = journal._engine.dialect.do_commit

    def commit_and_fail(connection: Any) -> None:
        commit(connection)
        monkeypatch.setattr(journal._engine.dialect, "do_commit", commit)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(journal._engine.dialect, "do_commit", commit_and_fail)


def test_an_error_after_a_commit_that_landed_is_not_taken_for_another_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_the_first_append_to_a_place_may_have_landed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = world(tmp_path)
    fail_after_the_next_commit(journal, monkeypatch)
    with pytest.raises(StorageFault):
        journal.append([Record(1, 1, b"a")])

    journal.append([Record(1, 1, b"a")])
    journal.append([Record(1, 2, b"b")])
    assert journal.last_sequence(1) == 2
    journal.close()


def test_an_append_of_which_nothing_is_known_and_another_server_fence_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_the_same_bytes_of_somebody_without_a_claim_are_anothers(tmp_path: Path) -> None:
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


def test_who_took_over_holds_the_lock_and_keeps_it_when_the_former_ends(tmp_path: Path) -> None:
    former = world(tmp_path)
    rival = open_realm(tmp_path / "world.db", take_over=True)
    former.close()

    with pytest.raises(StorageError, match="open in another server"):
        open_realm(tmp_path / "world.db")
    rival.close()
    open_realm(tmp_path / "world.db").close()


def test_a_world_that_nobody_has_open_is_taken_over_like_any_other(tmp_path: Path) -> None:
    open_realm(tmp_path / "world.db", take_over=True).close()
    open_realm(tmp_path / "world.db", take_over=True).close()


def test_a_server_that_hangs_in_the_middle_of_writing_is_named_as_what_is_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = world(tmp_path)
    monkeypatch.setattr("gloam_server.storage.sqlite.database._BUSY_MS", 10)
    with journal._transaction() as connection:
        connection.execute(text("DELETE FROM deaths"))
        rival = open_realm(tmp_path / "world.db", take_over=True)
        with pytest.raises(StorageFault, match="being written by another process; end that one first"):
            rival.claim(CLAIM)
        rival.close()
    journal.close()


def test_claims_do_not_pile_up(tmp_path: Path) -> None:
    journal = open_realm(tmp_path / "world.db")
    for _ in range(KEPT + 5):
        journal.claim(CLAIM)
    with journal._transaction() as connection:
        assert connection.scalar(text("SELECT count(*) FROM claims")) == KEPT
    journal.close()
