"""Every path opens as itself, under any name: in everything that opens, copies, restores and salvages worlds."""

import re
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

import gloam_server
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite.file_access import SQLITE_PATH_MAX, connect_to, sqlite_uri
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from support.storage.hostile_names import names
from support.storage.writing import write

IDENTITY = WorldIdentity("gloam", 1, 1, "ab", 0)


@given(names)
def test_database_file_path_and_no_other(name: str) -> None:
    """A database is the file of its path and no other."""
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / name / "world.db"
        path.parent.mkdir()
        with closing(connect_to(path, "rwc")) as database:
            database.execute("CREATE TABLE t (a)")
        assert [file for file in Path(tmp).rglob("*") if file.is_file()] == [path]
        with closing(sqlite3.connect(sqlite_uri(path, "ro", immutable=True), uri=True)) as database:
            assert database.execute("SELECT count(*) FROM t").fetchone() == (0,)


@pytest.mark.thorough
@given(names, names)
@settings(max_examples=settings.default.max_examples // 8)  # type: ignore[union-attr]
def test_world_made_copied_restored(one: str, other: str) -> None:
    """A world is made copied restored and salvaged in a folder of any name."""
    with tempfile.TemporaryDirectory() as tmp:
        here, there = Path(tmp) / "1" / one, Path(tmp) / "2" / other
        there.mkdir(parents=True)
        world = _founded(here / "world.db")
        assert backup(world, there / "copy.db") == (there / "copy.db").stat().st_size
        restore(there / "copy.db", there / "world.db")
        assert sequences(there / "world.db") == sequences(world) == [1, 2]
        assert salvage(world, "1", lambda body: body).records == 2
        assert sequences(world) == [1, 2]
        with file_store(world).accounts() as accounts:
            accounts.add_invite(b"c" * 32, 1, 0)

        (there / "world.db-lock").unlink()
        assert files(there) == ["copy.db", "world.db"]
        assert files(here) == ["world.damaged-1.db", "world.db", "world.db-lock"]
        assert files(Path(tmp)) == ["1", "2"]


def test_copy_long_name_file(tmp_path: Path) -> None:
    """A copy may have as long a name as a file can have."""
    world = made(tmp_path / "world.db")
    for name in ("c" * 255, "ж" * 127, "file:copy?mode=memory"):
        backup(world, tmp_path / name)
        restore(tmp_path / name, tmp_path / name[:9] / "world.db")
        assert sequences(tmp_path / name[:9] / "world.db") == [1, 2]


def test_relative_path_taken_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is taken from where one stands."""
    monkeypatch.chdir(tmp_path)
    made(Path("a #b") / "world.db")
    backup(Path("a #b") / "world.db", Path("file:copy.db"))
    assert sequences(tmp_path / "a #b" / "world.db") == sequences(Path("file:copy.db")) == [1, 2]


def test_longest_path_sqlite_takes_opens(tmp_path: Path) -> None:
    """The longest path that sqlite takes opens and a longer one is named as such."""
    folder = tmp_path
    while len(bytes(folder)) < SQLITE_PATH_MAX - 120:
        folder /= "n" * 90
    room = SQLITE_PATH_MAX - len(bytes(folder)) - len("//world.db.new")
    assert sequences(made(folder / ("n" * room) / "world.db")) == [1, 2]

    longer = folder / ("n" * 100) / ("n" * 20)
    for refused in (
        lambda: open_store(longer / "world.db"),
        lambda: backup(made(tmp_path / "world.db"), longer / "copy.db"),
    ):
        longer.mkdir(parents=True, exist_ok=True)
        with pytest.raises(StorageError, match=r"is longer than SQLite takes; name a .*short"):
            refused()
        assert files(longer) == []


def test_uris_are_made_in_one_place_alone() -> None:
    root = Path(gloam_server.__file__).parent
    makers = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        if re.search(r"[\"']file:|as_uri\(|uri=True|sqlite3\.connect\(", path.read_text(encoding="utf-8"))
    ]
    assert makers == ["storage/sqlite/file_access.py"]


def made(path: Path) -> Path:
    """Put a world where a path says: made once, for making tables takes long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_world())
    return path


@cache
def _world() -> bytes:
    with tempfile.TemporaryDirectory() as tmp:
        return _founded(Path(tmp) / "world.db").read_bytes()


def _founded(path: Path) -> Path:
    store = open_store(path)
    store.directory.create_identity(IDENTITY)
    write(store, [Record(1, 1, b"a"), Record(1, 2, b"b")], [Snapshot(1, 0, 1, b"s", b"s")])
    store.close()
    return path


def sequences(path: Path) -> list[int]:
    store = open_store(path, make=False)
    try:
        assert store.directory.identity() == IDENTITY
        return [record.sequence for record in store.journal.read(1, 0)]
    finally:
        store.close()


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())
