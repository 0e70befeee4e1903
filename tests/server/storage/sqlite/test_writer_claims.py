"""One writer: claims, appends with an unknown result, and two servers with one file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.directory import Death
from gloam_server.storage.errors import StorageError, StorageFault, WrongSequence
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite.database import Connections
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal
from gloam_server.storage.sqlite.transactions import Transactions
from gloam_server.storage.sqlite.writer_claims import KEPT
from gloam_server.storage.store import Store
from support.run.fault_seam import FaultSeam
from support.storage.writing import write

CLAIM = WriterClaim(1, "ab", 5)


def world(path: Path) -> Store:
    store = open_store(path / "world.db")
    store.journal.claim(CLAIM)
    return store


def fail_after_the_next_commit(seam: FaultSeam) -> None:
    """Let the disk's answer to the next commit get lost: it is written, and the caller gets an error."""
    commit, failures = Transactions._commit, [sqlite3.OperationalError("disk I/O error")]

    def commit_and_fail(self: Transactions, connection: sqlite3.Connection) -> None:
        commit(self, connection)
        if failures:
            raise failures.pop()

    seam.plant(commit, commit_and_fail)


def test_error_after_commit_landed_not_taken(tmp_path: Path, seam: FaultSeam) -> None:
    """An error after a commit that landed is not taken for another writer."""
    store = world(tmp_path)
    bert = store.directory.create_account("Bert", b"h" * 32, 5)
    death = Death(bert.number, "Bert", "a rat", 1, 1, 0, 9, 0, life=7)
    store.journal.append([Record(1, 1, b"a")])
    beat = (
        [Record(1, 2, b"b"), Record(2, 1, b"c"), Record(1, 3, b"d")],
        [Snapshot(1, 3, 1, b"s", b"h")],
        [death],
    )
    fail_after_the_next_commit(seam)
    with pytest.raises(StorageFault, match="disk I/O error"):
        write(store, *beat)

    write(store, *beat)

    assert [record.body for record in store.journal.read(1, 0)] == [b"a", b"b", b"d"]
    assert [record.body for record in store.journal.read(2, 0)] == [b"c"]
    assert store.directory.deaths() == [death]
    store.journal.append([Record(1, 4, b"e"), Record(2, 2, b"f")])
    store.close()


def test_first_append_place_landed(tmp_path: Path, seam: FaultSeam) -> None:
    """The first append to a place may have landed too."""
    store = world(tmp_path)
    fail_after_the_next_commit(seam)
    with pytest.raises(StorageFault):
        store.journal.append([Record(1, 1, b"a")])
    store.journal.append([Record(1, 1, b"a")])
    store.journal.append([Record(1, 2, b"b")])
    assert store.journal.last_sequence(1) == 2
    store.close()


def test_append_nothing_known(tmp_path: Path, seam: FaultSeam) -> None:
    """An append of which nothing is known and another server fence as ever."""
    store = world(tmp_path)
    fail_after_the_next_commit(seam)
    with pytest.raises(StorageFault):
        store.journal.append([Record(1, 1, b"a")])
    rival = open_store(tmp_path / "world.db", take_over=True)
    rival.journal.claim(CLAIM)
    with pytest.raises(WrongSequence):
        store.journal.append([Record(1, 1, b"a")])
    store.close()
    rival.close()


def test_same_bytes_without_claim_anothers(tmp_path: Path) -> None:
    """The same bytes of someone without a claim are anothers."""
    store = world(tmp_path)
    with pytest.raises(WrongSequence):
        store.journal.append([Record(1, 2, b"out of its turn")])
    other = SqliteJournal(Transactions(Connections(tmp_path / "world.db")))
    other.append([Record(1, 1, b"a"), Record(1, 2, b"b")])
    with pytest.raises(WrongSequence):
        store.journal.append([Record(1, 1, b"a")])
    other.close()
    store.close()


def test_a_fenced_server_writes_no_accounts_either(tmp_path: Path) -> None:
    store = world(tmp_path)
    rival = open_store(tmp_path / "world.db", take_over=True)
    rival.journal.claim(CLAIM)
    with pytest.raises(WrongSequence):
        store.directory.create_account("Bert", b"h" * 32, 5)
    assert rival.directory.account_by_name("bert") is None
    store.close()
    rival.close()


def test_took_over_holds_lock_and_keeps(tmp_path: Path) -> None:
    """The server that took over holds the lock and keeps it when the former ends."""
    former = world(tmp_path)
    rival = open_store(tmp_path / "world.db", take_over=True)
    former.close()
    with pytest.raises(StorageError, match="open in another server"):
        open_store(tmp_path / "world.db")
    rival.close()
    open_store(tmp_path / "world.db").close()


def test_a_closed_world_is_taken_over(tmp_path: Path) -> None:
    """A world that no one has open is taken over like any other."""
    open_store(tmp_path / "world.db", take_over=True).close()
    open_store(tmp_path / "world.db", take_over=True).close()


def test_server_hangs_middle_writing_named_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hangs in the middle of writing is named as what is in the way."""
    store = world(tmp_path)
    monkeypatch.setattr("gloam_server.storage.sqlite.database._BUSY_MS", 10)
    with store.directory.together():
        store.directory.drop_deaths([1])
        rival = open_store(tmp_path / "world.db", take_over=True)
        with pytest.raises(StorageFault, match="being written by another process; end that one first"):
            rival.journal.claim(CLAIM)
        rival.close()
    store.close()


@pytest.mark.thorough
def test_claims_do_not_pile_up(tmp_path: Path) -> None:
    store = open_store(tmp_path / "world.db")
    for _ in range(KEPT + 5):
        store.journal.claim(CLAIM)
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        assert database.execute("SELECT count(*) FROM claims").fetchone() == (KEPT,)
    store.close()
