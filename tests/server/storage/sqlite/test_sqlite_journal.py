"""Tests that need a file: settings, full disks, two writers, a killed process."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.engine.journal_budget import ROW_BYTES
from gloam_server.storage.errors import StorageFull, WrongSequence
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sql.retention import newest_mark_s
from gloam_server.storage.sqlite import database
from gloam_server.storage.sqlite.database import Connections, connect
from gloam_server.storage.sqlite.retention import _bytes_used, drop_old_records
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal
from gloam_server.storage.sqlite.transactions import Transactions
from support.run.fault_seam import FaultSeam
from support.storage.writing import write

WRITER = """
import sys
from contextlib import closing
from pathlib import Path
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store

journal = open_store(Path(sys.argv[1])).journal
sequence = journal.last_sequence(1)
while True:
    journal.append([Record(1, sequence + 1, b"x" * 99), Record(1, sequence + 2, b"y" * 99)])
    sequence += 2
    print(sequence, flush=True)
"""


def test_written_when_opened(tmp_path: Path) -> None:
    """Records that were written are still there when opened again."""
    store = open_store(tmp_path / "world.db")
    store.journal.append([Record(1, 1, b"a")])
    store.close()
    store = open_store(tmp_path / "world.db")
    assert list(store.journal.read(1, 0)) == [Record(1, 1, b"a")]
    store.close()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
def test_connection_settings_are_reported(tmp_path: Path, pragma: str, value: object) -> None:
    """Every database connection has the settings for durable writes."""
    with closing(connect(tmp_path / "world.db", mode="rwc")) as connection:
        assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_kill_9_loses_nothing_that_append_returned_for(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    port = 0
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(25):
                port = int(process.stdout.readline())
            process.kill()

    store = open_store(path)
    kept = [record.sequence for record in store.journal.read(1, 0)]
    store.close()
    assert len(kept) >= port
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) % 2 == 0, "half an append was kept"


def test_full_disk_writes_nothing(tmp_path: Path) -> None:
    """A full disk writes nothing and the same append succeeds later."""
    open_store(tmp_path / "world.db").close()
    connections = Connections(tmp_path / "world.db")
    connections.connection().execute("PRAGMA max_page_count = 50")
    journal = SqliteJournal(Transactions(connections))

    def append(sequence: int) -> None:
        journal.append([Record(1, sequence, bytes(1_000)), Record(2, sequence, b"small")])

    def fill() -> None:
        for sequence in range(1, 1_000):
            append(sequence)

    with pytest.raises(StorageFull):
        fill()
    last = journal.last_sequence(1)
    assert last > 0
    assert journal.last_sequence(2) == last

    connections.connection().execute("PRAGMA max_page_count = 1000")
    append(last + 1)
    assert journal.last_sequence(1) == last + 1
    journal.close()


def test_a_thread_keeps_its_connection(tmp_path: Path, seam: FaultSeam) -> None:
    """All calls of a thread have one connection, also after a failure; closing leaves none open."""
    made: list[Path] = []

    def noted(path: Path, *, mode: str) -> sqlite3.Connection:
        made.append(path)
        return connect(path, mode=mode)

    open_store(tmp_path / "world.db").close()
    seam.plant(connect, noted, within=database)
    store = open_store(tmp_path / "world.db")
    store.journal.append([Record(1, 1, b"a")])
    with closing(sqlite3.connect(tmp_path / "world.db")) as other, other:
        other.execute("INSERT INTO journal (place, sequence, body) VALUES (1, 3, 'x')")

    with pytest.raises(WrongSequence):
        store.journal.append([Record(1, 2, b"a"), Record(1, 3, b"a")])
    store.journal.append([Record(1, 2, b"a")])
    store.directory.create_account("Bert", b"h" * 32, 5)

    assert made == [tmp_path / "world.db"]
    store.close()
    assert not (tmp_path / "world.db-wal").exists(), "a connection is still open"


def test_a_second_writer_fences_the_first(tmp_path: Path) -> None:
    first = open_store(tmp_path / "world.db")
    first.journal.append([Record(1, 1, b"first")])
    second = SqliteJournal(Transactions(Connections(tmp_path / "world.db")))
    second.append([Record(1, 2, b"second")])
    with pytest.raises(WrongSequence):
        first.journal.append([Record(1, 2, b"first")])
    assert [record.body for record in second.read(1, 0)] == [b"first", b"second"]
    first.close()
    second.close()


def test_a_record_may_come_while_somebody_reads(tmp_path: Path) -> None:
    store = open_store(tmp_path / "world.db")
    store.journal.append([Record(1, sequence, b"a") for sequence in range(1, 1_001)])
    reading = store.journal.read(1, 0)
    next(reading)
    store.journal.append([Record(1, 1_001, b"late")])
    assert len(list(reading)) == 1_000
    store.close()


def test_records_go_early_when_file_grown_large(tmp_path: Path) -> None:
    """Records go early when the file has grown too large."""
    store = open_store(tmp_path / "world.db")
    write(store, [], [Snapshot(1, 0, 1, b"s", b"h")])
    for first in range(1, 1_001, 100):
        store.journal.append([Record(1, at, b"x" * 1_000) for at in range(first, first + 100)])
    write(store, [], [Snapshot(1, 900, 1, b"s", b"h"), Snapshot(1, 1_000, 1, b"s", b"h")])
    with closing(connect(tmp_path / "world.db")) as connection, connection:
        assert drop_old_records(connection, 0, keep_bytes=500_000) == 900
        assert drop_old_records(connection, 10, keep_bytes=500_000) == 0
    assert store.journal.last_sequence(1) == 1_000
    store.close()


@pytest.mark.thorough
@pytest.mark.parametrize("size", [100, 2_000])
def test_the_file_stays_below_its_bound(tmp_path: Path, size: int) -> None:
    """Small records of many days, then in one hour large ones: at no moment is the file larger than promised."""
    bound, now_s, largest = 1_000_000, 0, 0
    store = open_store(tmp_path / "world.db")
    connection = connect(tmp_path / "world.db")
    sequence = grown = 0
    for body, beats in ((100, 60), (size, 2_250_000 // size // 100)):
        for _ in range(beats):
            now_s += 60
            store.journal.append([Record(1, sequence + at, b"x" * body) for at in range(1, 101)])
            sequence, grown = sequence + 100, grown + 100 * body
            write(store, [], [Snapshot(1, sequence, 1, b"s", b"h")])
            with connection:
                connection.execute("BEGIN")
                before_s = newest_mark_s(connection)
                while drop_old_records(connection, now_s, keep_bytes=bound, grown=grown):
                    pass
                largest = max(largest, _bytes_used(connection))
                grown = grown if newest_mark_s(connection) == before_s else 0
    connection.close()
    assert bound * 5 // 8 < largest <= bound
    assert [record.sequence for record in store.journal.read(1, sequence - 100)] == list(
        range(sequence - 99, sequence + 1)
    )
    store.close()


def test_a_row_takes_what_a_budget_counts(tmp_path: Path) -> None:
    """The budget's addition to a record for its row is the growth of the file, within the half full pages."""
    store = open_store(tmp_path / "world.db")
    connection = connect(tmp_path / "world.db")
    sizes = []
    for first in (1, 501, 1_501):
        sizes.append(_bytes_used(connection))
        last = 501 if first == 1 else first + 1_000
        store.journal.append([Record(1, at, b"x" * 20, None, 2**40) for at in range(first, last)])
    connection.close()
    store.close()
    assert abs((sizes[2] - sizes[1]) / 1_000 - 20 - ROW_BYTES) <= 6
