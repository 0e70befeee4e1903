"""Room for the log: it is as long as it ever gets from the start on, and nothing else is different."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.world_file.wal_preallocation import PAGES, preallocate_wal

BYTES = PAGES * 4_096


def test_servers_start_makes_room(tmp_path: Path) -> None:
    """A servers start makes room and changes nothing of the world."""
    path = tmp_path / "world.sqlite3"
    open_store(path).close()
    with sqlite3.connect(path) as database:
        tables, pages = _tables(database), database.execute("PRAGMA page_count").fetchone()
    database.close()
    before = path.stat().st_size
    store = open_store(path)
    store.journal.claim(WriterClaim(1, "content", 0))
    log = path.with_name("world.sqlite3-wal")

    assert log.stat().st_size >= BYTES
    assert path.stat().st_size == before
    store.journal.append([Record(1, 1, b"a")])
    assert log.stat().st_size < BYTES * 1.2
    with sqlite3.connect(path) as database:
        assert _tables(database) == tables
        assert database.execute("PRAGMA page_count").fetchone() == pages
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    store.close()
    assert path.stat().st_size == before


def test_written_survives_although_old_pages(tmp_path: Path) -> None:
    """A record that was written survives although old pages stand behind the log's end."""
    path = tmp_path / "world.sqlite3"
    store = open_store(path)
    store.journal.claim(WriterClaim(1, "content", 0))
    store.journal.append([Record(1, 1, b"a")])
    copy = tmp_path / "killed"
    copy.mkdir()
    for file in tmp_path.glob("world.sqlite3*"):  # as a kill -9 leaves it
        (copy / file.name).write_bytes(file.read_bytes())
    store.close()
    again = open_store(copy / "world.sqlite3")
    assert [record.body for record in again.journal.read(1, 0)] == [b"a"]
    again.close()


def test_no_room_server_starts_same(tmp_path: Path) -> None:
    """A server without room on the disk starts all the same."""
    path = tmp_path / "world.sqlite3"
    open_store(path).close()
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA max_page_count = 60")
        assert not preallocate_wal(connection)
        [(cache,)] = connection.execute("PRAGMA cache_size")
        assert cache < -1_000


def _tables(database: sqlite3.Connection) -> list[tuple[str]]:
    return database.execute("SELECT name FROM sqlite_master ORDER BY name").fetchall()
