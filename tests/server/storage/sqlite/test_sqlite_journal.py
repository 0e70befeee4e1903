"""Tests that need a file: settings, full disks, two writers, a killed process."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, text

from gloam_server.engine.journal_budget import ROW_BYTES
from gloam_server.storage.journal import Record, Snapshot, StorageFull, WrongSequence
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.retention import _bytes_used, drop_old_records, newest_mark_s
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal, open_realm

WRITER = """
import sys
from contextlib import closing
from pathlib import Path
from gloam_server.storage.journal import Record
from gloam_server.storage.sqlite.sqlite_journal import open_realm
journal = open_realm(Path(sys.argv[1]))
sequence = journal.last_sequence(1)
while True:
    journal.append([Record(1, sequence + 1, b"x" * 99), Record(1, sequence + 2, b"y" * 99)])
    sequence += 2
    print(sequence, flush=True)
"""


def test_written_when_opened(tmp_path: Path) -> None:
    """Records that were written are still there when opened again."""
    journal = open_realm(tmp_path / "world.db")
    journal.append([Record(1, 1, b"a")])
    journal.close()

    journal = open_realm(tmp_path / "world.db")
    assert list(journal.read(1, 0)) == [Record(1, 1, b"a")]
    journal.close()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
def test_connection_settings_are_reported(tmp_path: Path, pragma: str, value: object) -> None:
    """Every database connection has the settings for durable writes."""
    engine = connect(tmp_path / "world.db", mode="rwc")
    with engine.connect() as connection:
        assert connection.scalar(text(f"PRAGMA {pragma}")) == value
    engine.dispose()


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

    journal = open_realm(path)
    kept = [record.sequence for record in journal.read(1, 0)]
    journal.close()
    assert len(kept) >= port
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) % 2 == 0, "half an append was kept"


def test_full_disk_writes_nothing(tmp_path: Path) -> None:
    """A full disk writes nothing and the same append succeeds later."""
    open_realm(tmp_path / "world.db").close()
    engine = connect(tmp_path / "world.db", mode="rwc")
    pages_max = 50

    @event.listens_for(engine, "connect")
    def limit(connection: object, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages_max}")  # type: ignore[attr-defined]  # sqlite3's

    journal = SqliteJournal(engine)

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

    engine.dispose()
    pages_max = 1_000
    append(last + 1)
    assert journal.last_sequence(1) == last + 1
    journal.close()


def test_appends_keep_one_connection(tmp_path: Path) -> None:
    """Appends take no connection from the pool but the first one, and another one after a failure."""
    open_realm(tmp_path / "world.db").close()
    engine = connect(tmp_path / "world.db", mode="rwc")
    journal = SqliteJournal(engine)
    taken: list[object] = []
    event.listen(engine, "checkout", lambda connection, *_: taken.append(connection))
    for sequence in (1, 2, 3):
        journal.append([Record(1, sequence, b"a")])
    assert len(taken) == 1
    with closing(sqlite3.connect(tmp_path / "world.db")) as other, other:
        other.execute("INSERT INTO journal (place, sequence, body) VALUES (1, 5, 'x')")
    taken.clear()

    with pytest.raises(WrongSequence):
        journal.append([Record(1, 4, b"a"), Record(1, 5, b"a")])
    journal.append([Record(1, 4, b"a")])

    assert len(taken) == 1
    journal.close()
    assert not (tmp_path / "world.db-wal").exists(), "a connection is still open"


def test_a_second_writer_fences_the_first(tmp_path: Path) -> None:
    first = open_realm(tmp_path / "world.db")
    first.append([Record(1, 1, b"first")])
    second = SqliteJournal(connect(tmp_path / "world.db", mode="rwc"))
    second.append([Record(1, 2, b"second")])

    with pytest.raises(WrongSequence):
        first.append([Record(1, 2, b"first")])

    assert [record.body for record in second.read(1, 0)] == [b"first", b"second"]
    first.close()
    second.close()


def test_a_record_may_come_while_somebody_reads(tmp_path: Path) -> None:
    journal = open_realm(tmp_path / "world.db")
    journal.append([Record(1, sequence, b"a") for sequence in range(1, 1_001)])
    reading = journal.read(1, 0)
    next(reading)
    journal.append([Record(1, 1_001, b"late")])

    assert len(list(reading)) == 1_000
    journal.close()


def test_records_go_early_when_file_grown_large(tmp_path: Path) -> None:
    """Records go early when the file has grown too large."""
    journal = open_realm(tmp_path / "world.db")
    journal.append([], [Snapshot(1, 0, 1, b"s", b"h")])
    for first in range(1, 1_001, 100):
        journal.append([Record(1, at, b"x" * 1_000) for at in range(first, first + 100)])
    journal.append([], [Snapshot(1, 900, 1, b"s", b"h"), Snapshot(1, 1_000, 1, b"s", b"h")])
    engine = connect(tmp_path / "world.db", mode="rwc")
    with engine.begin() as connection:
        assert drop_old_records(connection, 0, keep_bytes=500_000) == 900
        assert drop_old_records(connection, 10, keep_bytes=500_000) == 0
    engine.dispose()
    assert journal.last_sequence(1) == 1_000
    journal.close()


@pytest.mark.parametrize("size", [100, 2_000])
def test_the_file_stays_below_its_bound(tmp_path: Path, size: int) -> None:
    """Small records of many days, then in one hour large ones: at no moment is the file larger than promised."""
    bound, now_s, largest = 4_000_000, 0, 0
    journal = open_realm(tmp_path / "world.db")
    engine = connect(tmp_path / "world.db", mode="rwc")
    sequence = grown = 0
    for body, beats in ((100, 60), (size, 9_000_000 // size // 100)):
        for _ in range(beats):
            now_s += 60
            journal.append([Record(1, sequence + at, b"x" * body) for at in range(1, 101)])
            sequence, grown = sequence + 100, grown + 100 * body
            journal.append([], [Snapshot(1, sequence, 1, b"s", b"h")])
            with engine.begin() as connection:
                before_s = newest_mark_s(connection)
                while drop_old_records(connection, now_s, keep_bytes=bound, grown=grown):
                    pass
                largest = max(largest, _bytes_used(connection))
                grown = grown if newest_mark_s(connection) == before_s else 0
    engine.dispose()
    assert bound * 5 // 8 < largest <= bound
    assert [record.sequence for record in journal.read(1, sequence - 100)] == list(
        range(sequence - 99, sequence + 1)
    )
    journal.close()


def test_a_row_takes_what_a_budget_counts(tmp_path: Path) -> None:
    """The budget's addition to a record for its row is the growth of the file, within the half full pages."""
    journal = open_realm(tmp_path / "world.db")
    engine = connect(tmp_path / "world.db", mode="rwc")
    sizes = []
    for first in (1, 501, 1_501):
        with engine.begin() as connection:
            sizes.append(_bytes_used(connection))
        for at in range(first, 501 if first == 1 else first + 1_000):
            journal.append([Record(1, at, b"x" * 20, None, 2**40)])
    engine.dispose()
    journal.close()

    assert abs((sizes[2] - sizes[1]) / 1_000 - 20 - ROW_BYTES) <= 6
