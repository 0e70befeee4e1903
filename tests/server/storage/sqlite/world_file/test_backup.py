"""Backup while a server writes, restore into an empty place."""

from pathlib import Path

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sqlite.world_file.backup import backup, restore


def world(path: Path) -> Path:
    store = open_store(path)
    store.directory.create_identity(WorldIdentity("gloam", 1, 1, "ab", 0))
    store.journal.append([Record(1, 1, b"a"), Record(1, 2, b"b")])
    store.close()
    return path


def test_backup_running_world_whole(tmp_path: Path) -> None:
    """A backup of a running world is whole and holds what was durable."""
    store = open_store(world(tmp_path / "world.db"))
    store.journal.append([Record(1, 3, b"c")])
    size = backup(tmp_path / "world.db", tmp_path / "copy.db")
    store.journal.append([Record(1, 4, b"d")])
    store.close()
    assert size == (tmp_path / "copy.db").stat().st_size > 0
    restore(tmp_path / "copy.db", tmp_path / "new" / "world.db")
    again = open_store(tmp_path / "new" / "world.db")
    assert [record.sequence for record in again.journal.read(1, 0)] == [1, 2, 3]
    again.journal.append([Record(1, 4, b"e")])
    again.close()


def test_nothing_is_ever_written_over(tmp_path: Path) -> None:
    path = world(tmp_path / "world.db")
    backup(path, tmp_path / "copy.db")
    with pytest.raises(StorageError, match=r"copy.db exists already"):
        backup(path, tmp_path / "copy.db")
    with pytest.raises(StorageError, match=r"There is a world .* already"):
        restore(tmp_path / "copy.db", path)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "is empty"),
        (b"no database", "is damaged or is no world"),
        (b"SQLite format 3\0" + b"x" * 5_000, "is damaged or is no world"),
    ],
)
def test_what_is_no_backup_is_not_restored(tmp_path: Path, body: bytes, expected: str) -> None:
    (tmp_path / "copy.db").write_bytes(body)
    with pytest.raises(StorageError, match=f"copy.db {expected}.*; name another"):
        restore(tmp_path / "copy.db", tmp_path / "world.db")
    assert not (tmp_path / "world.db").exists()


def test_a_damaged_backup_is_not_restored(tmp_path: Path) -> None:
    backup(world(tmp_path / "old.db"), tmp_path / "copy.db")
    body = bytearray((tmp_path / "copy.db").read_bytes())
    body[4_096 * 2 : 4_096 * 5] = bytes(4_096 * 3)
    (tmp_path / "copy.db").write_bytes(body)
    with pytest.raises(StorageError, match=r"damaged or is no world|is not whole"):
        restore(tmp_path / "copy.db", tmp_path / "world.db")
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("world")] == []


def test_without_a_world_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no world"):
        backup(tmp_path / "world.db", tmp_path / "copy.db")
    with pytest.raises(StorageError, match="There is no backup"):
        restore(tmp_path / "copy.db", tmp_path / "world.db")


def test_backup_cannot_written_leaves_nothing(tmp_path: Path) -> None:
    """A backup that cannot be written leaves nothing behind."""
    path = world(tmp_path / "world.db")
    with pytest.raises(StorageError, match="could not be written"):
        backup(path, tmp_path / "nowhere" / "copy.db")
    assert sorted(file.name for file in tmp_path.iterdir() if "copy" in file.name) == []
