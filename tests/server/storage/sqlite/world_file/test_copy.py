"""A copy is one only when it was opened and holds what its source holds: all else is refused, and leaves no file."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite.file_access import connect_to, sync
from gloam_server.storage.sqlite.world_file import copy
from gloam_server.storage.sqlite.world_file.backup import backup, keep_former, restore
from gloam_server.storage.sqlite.world_file.copy import WorldCopy, copy_world, verify_copy
from support.run.fault_seam import FaultSeam
from support.storage.writing import write

IDENTITY = WorldIdentity("gloam", 1, 1, "ab", 0)


@pytest.fixture
def copied(tmp_path: Path) -> WorldCopy:
    store = open_store(tmp_path / "world.db")
    store.directory.create_identity(IDENTITY)
    for sequence in range(1, 40):
        store.journal.append([Record(1, sequence, b"a" * 300)])
    write(store, [], [Snapshot(1, 39, 1, b"s" * 9_000, b"hash")])
    store.close()
    return copy_world(tmp_path / "world.db", tmp_path / "copy.db")


def changed(path: Path, statement: str) -> None:
    with closing(connect_to(path, "rw")) as database:
        database.execute(statement)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("statement", "differs"),
    [
        ("DELETE FROM realm", "rows"),
        ("UPDATE realm SET seed = '2'", "realm"),
        ("DELETE FROM journal WHERE sequence = 39", "rows"),
        ("UPDATE journal SET sequence = 40 WHERE sequence = 39", "records"),
        ("UPDATE journal SET beat = 99 WHERE sequence = 39", "records"),
        ("UPDATE snapshots SET sequence = 38", "snapshots"),
        ("UPDATE alembic_version SET version_num = '0001'", "version"),
        ("CREATE TABLE more (a)", "rows"),
    ],
)
def test_a_copy_that_holds_anything_else_is_none(copied: WorldCopy, statement: str, differs: str) -> None:
    verify_copy(copied.path, copied.summary)
    changed(copied.path, statement)
    with pytest.raises(StorageError, match=rf"copy.db does not hold what its source does \(its {differs} "):
        verify_copy(copied.path, copied.summary)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda body: body[:0],
        lambda body: body[: len(body) // 2],
        lambda body: body[:100] + bytes(4_000) + body[4_100:],
        lambda body: body[:8_192] + bytes(4_096) + body[12_288:],
    ],
)
def test_a_copy_that_is_cut_or_damaged_is_none(copied: WorldCopy, spoil: Callable[[bytes], bytes]) -> None:
    copied.path.write_bytes(spoil(copied.path.read_bytes()))
    with pytest.raises(StorageError, match=r"copy\.db (is not whole|does not hold)"):
        verify_copy(copied.path, copied.summary)


def test_disk_lost_while_written_makes_no_backup(copied: WorldCopy, tmp_path: Path, seam: FaultSeam) -> None:
    """A copy that its disk lost while it was written makes no backup."""

    def forgetful(source: sqlite3.Connection, scratch: Path) -> None:
        written(source, scratch)
        scratch.write_bytes(scratch.read_bytes()[:4_096])

    written = copy._write
    seam.plant(written, forgetful)
    for refused in (
        lambda: backup(tmp_path / "world.db", tmp_path / "other.db"),
        lambda: keep_former(tmp_path / "world.db", "before", "1"),
        lambda: restore(copied.path, tmp_path / "new" / "world.db"),
    ):
        with pytest.raises(StorageError, match="is not used; look at the disk"):
            refused()
    assert sorted(file.name for file in tmp_path.rglob("*.db*")) == ["copy.db", "world.db", "world.db-lock"]


@pytest.mark.usefixtures("copied")
def test_damaged_world_no_backup(tmp_path: Path) -> None:
    """A damaged world has no backup and its host hears why."""
    world = tmp_path / "world.db"
    body = bytearray(world.read_bytes())
    body[-12_000:-4_096] = b"x" * 7_904
    world.write_bytes(body)
    with pytest.raises(StorageError, match=r"other\.db is not whole|world\.db is damaged"):
        backup(world, tmp_path / "other.db")
    assert not list(tmp_path.glob("other*"))
    assert world.read_bytes() == body


@pytest.mark.usefixtures("copied")
def test_a_copy_has_its_name_only_once_it_is_on_disk(tmp_path: Path, seam: FaultSeam) -> None:
    synced: list[tuple[str, bool]] = []

    def watched(path: Path) -> None:
        synced.append((path.name, (tmp_path / "other.db").exists()))
        sync(path)

    seam.plant(sync, watched)
    backup(tmp_path / "world.db", tmp_path / "other.db")

    assert synced == [("other.db.unfinished", False), (tmp_path.name, True)]


def test_world_never_put_back_copy(tmp_path: Path) -> None:
    """A world is never put back from a copy that is not what it was."""
    store = open_store(tmp_path / "world.db")
    store.directory.create_identity(IDENTITY)
    write(store, [Record(1, 1, b"a")], [Snapshot(1, 0, 1, b"s", b"hash")])
    store.close()
    store = open_store(tmp_path / "world.db")
    kept = keep_former(tmp_path / "world.db", "tables", "1")
    setattr(store.file, "_kept", kept)  # noqa: B010  # as after an upgrade of the tables
    kept.path.write_bytes(b"")
    with pytest.raises(StorageError, match="so it is not used"):
        store.put_back()
    store = open_store(tmp_path / "world.db")
    assert (store.directory.identity(), store.journal.last_sequence(1)) == (IDENTITY, 1)
    store.close()
