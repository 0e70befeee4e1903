"""A new realm is founded where nothing of another lies; else what lies there is named, and not a byte of it is changed."""

from pathlib import Path

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from support.storage.writing import write

IDENTITY = WorldIdentity("gloam", 7, 1, "ab", 5)
CLAIM = WriterClaim(1, "ab", 5)
REMAINS = (
    "world.db-wal",
    "world.db-shm",
    "world.db-journal",
    "world.db-witness",
    "world.damaged-20261121-120000.db",
    "world.damaged-20261121-120000.db-wal",
    "world.tables-0001-20261121-120000.db",
    "world.before-20261121-120000.db",
    "world.db.unfinished",
    "monday.db.unfinished",
)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def refused(folder: Path) -> str:
    before = contents(folder)
    with pytest.raises(StorageError) as error:
        open_store(folder / "world.db")
    assert contents(folder) == before
    return str(error.value)


@pytest.mark.parametrize("body", [b"", b"something"])
@pytest.mark.parametrize("name", REMAINS)
def test_nothing_founded_beside_left_world(tmp_path: Path, name: str, body: bytes) -> None:
    """Nothing is founded beside what is left of a world."""
    (tmp_path / name).write_bytes(body)
    error = refused(tmp_path)
    assert f"holds {name} ({len(body)} bytes) of a former world" in error
    assert f"`gloam-server restore FILE --data {tmp_path}`" in error
    assert "another folder with --data" in error


def test_a_world_of_no_bytes_is_a_world_that_was_there(tmp_path: Path) -> None:
    (tmp_path / "world.db").touch()
    assert "world.db (0 bytes)" in refused(tmp_path)
    (tmp_path / "world.db-wal").write_bytes(b"all that there was")
    assert "world.db (0 bytes) and world.db-wal (18 bytes)" in refused(tmp_path)
    for number in range(3):
        (tmp_path / f"world.damaged-{number}.db").touch()
    assert (
        "world.db (0 bytes), world.db-wal (18 bytes), world.damaged-0.db (0 bytes) and 2 more of"
        in refused(tmp_path)
    )


def test_foreign_files_are_in_no_ones_way(tmp_path: Path) -> None:
    for name in (
        "realm.toml",
        "tls-key.pem",
        "server.log",
        "world.db-lock",
        "other.db",
        "notes.damaged-1.txt",
    ):
        (tmp_path / name).write_text("")
    (tmp_path / "lost+found").mkdir()
    open_store(tmp_path / "world.db").close()


def killed(folder: Path) -> Path:
    """Leave a young world as a killed server does: most of it is in its log alone."""
    (folder / "live").mkdir(parents=True)
    store = open_store(folder / "live" / "world.db")
    store.directory.create_identity(IDENTITY)
    write(store, [Record(1, 1, b"a")], [Snapshot(1, 0, 1, b"s", b"hash")])
    store.journal.claim(CLAIM)
    for sequence in range(2, 5):
        store.journal.append([Record(1, sequence, b"a")])
    (folder / "killed").mkdir()
    for file in (folder / "live").iterdir():
        (folder / "killed" / file.name).write_bytes(file.read_bytes())
    store.close()
    return folder / "killed" / "world.db"


def test_young_world_log_removed(tmp_path: Path) -> None:
    """A young world whose log was removed is itself still and tells what is missing."""
    world = killed(tmp_path)
    world.with_name("world.db-wal").unlink()
    world.with_name("world.db-shm").unlink()
    store = open_store(world)
    assert store.directory.identity() == IDENTITY
    shortfall = store.journal.claim(CLAIM)
    assert shortfall is not None
    assert shortfall.inputs == 3
    store.close()


def test_world_founded_log_gone_not_founded(tmp_path: Path) -> None:
    """A world that was founded in a log that is gone is not founded again."""
    folder = tmp_path / "data"
    store = open_store(folder / "world.db")
    store.close()  # with its tables, and no realm yet
    (folder / "world.db-witness").write_bytes(b"realm ...")
    assert "world.db-witness (9 bytes)" in refused(folder)


def test_first_start_killed_any_moment_and_done(tmp_path: Path) -> None:
    """The first start may be killed at any moment and is done again."""
    (tmp_path / "world.db.new").write_bytes(b"half of the tab")
    (tmp_path / "world.db.new-wal").write_bytes(b"les")
    (tmp_path / "world.db-lock").touch()
    store = open_store(tmp_path / "world.db")
    assert store.directory.identity() is None
    store.close()
    store = open_store(tmp_path / "world.db")  # the tables are there, the realm is not
    store.directory.create_identity(IDENTITY)
    store.close()
    store = open_store(tmp_path / "world.db")  # founded, and then the plug was pulled
    assert (store.directory.identity(), store.partitions()) == (IDENTITY, [])
    store.close()
    assert sorted(contents(tmp_path)) == ["world.db", "world.db-lock"]


def test_backup_restored_beside_damaged(tmp_path: Path) -> None:
    """A backup is restored beside damaged and former worlds and served."""
    world = killed(tmp_path)
    backup(world, tmp_path / "copy.db")
    for ending in ("", "-wal", "-shm"):
        world.with_name(world.name + ending).unlink()
    (world.parent / "world.damaged-1.db").write_bytes(b"what it was")
    assert "holds world.db-witness (69 bytes) and world.damaged-1.db" in refused(world.parent)
    restore(tmp_path / "copy.db", world)
    store = open_store(world)
    assert store.journal.claim(CLAIM) is None
    assert store.journal.last_sequence(1) == 4
    store.close()


def test_who_only_looks_for_a_world_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no world"):
        open_store(tmp_path / "world.db", make=False)
    assert contents(tmp_path) == {}
