"""A disk that forgets what it had called durable: the witness beside the world knows of it."""

import shutil
from pathlib import Path

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.journal import LostInputs, Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from gloam_server.storage.sqlite.world_file.durability_witness import (
    DurabilityWitness,
    WitnessRecord,
    path_beside,
)
from gloam_server.storage.store import Store

CLAIM = WriterClaim(1, "ab", 5)
IDENTITY = WorldIdentity("gloam", 7, 1, "ab", 5)


def begun(folder: Path, identity: WorldIdentity = IDENTITY) -> tuple[Path, Store]:
    store = open_store(folder / "world.db")
    store.directory.create_identity(identity)
    store.journal.claim(CLAIM)
    store.journal.append([Record(0, 1, b"a"), Record(1, 1, b"b")])
    return folder / "world.db", store


def remembered(world: Path, aside: Path) -> None:
    """Keep the world as the disk would have it after a power cut now."""
    aside.mkdir()
    for ending in ("", "-wal"):
        shutil.copyfile(world.with_name(world.name + ending), aside / (world.name + ending))


def power_cut(world: Path, aside: Path) -> None:
    """Take the world's own files back; the witness stays."""
    for ending in ("", "-wal"):
        shutil.copyfile(aside / (world.name + ending), world.with_name(world.name + ending))
    world.with_name(world.name + "-shm").unlink(missing_ok=True)


def test_lying_disk_lost_counted_reported_once(tmp_path: Path) -> None:
    """The inputs that a lying disk lost are counted, reported once and not doubled."""
    world, store = begun(tmp_path / "data")
    remembered(world, tmp_path / "aside")
    for sequence in range(2, 6):
        store.journal.append([Record(0, sequence, b"lost"), Record(1, sequence, b"lost")])
    store.close()
    power_cut(world, tmp_path / "aside")

    store = open_store(world)
    shortfall = store.journal.claim(CLAIM)
    assert shortfall is not None
    assert shortfall.inputs == 8
    assert shortfall.at_s > 1_700_000_000
    store.journal.append([Record(1, 2, b"anew")])
    store.close()
    store = open_store(world)
    assert store.journal.claim(CLAIM) is None
    assert [record.body for record in store.journal.read(1, 0)] == [b"b", b"anew"]
    store.close()


def test_a_lost_write_ahead_log_is_noticed(tmp_path: Path) -> None:
    world, store = begun(tmp_path / "data")
    store.close()
    store = open_store(world)
    store.journal.claim(CLAIM)
    whole = world.read_bytes()
    for sequence in range(2, 10):
        store.journal.append([Record(1, sequence, b"in the log")])
    store.close()
    world.write_bytes(whole)

    known = DurabilityWitness(world).read()
    assert known is not None
    store = open_store(world)
    assert store.journal.claim(CLAIM) == LostInputs(8, known.at_s), (
        "the claim writes the witness again, with its own time"
    )
    store.close()


@pytest.mark.parametrize("body", [b"", b"realm", b"x" * 80])
def test_a_witness_that_is_no_witness_is_not_believed(tmp_path: Path, body: bytes) -> None:
    world, store = begun(tmp_path)
    store.close()
    path_beside(world).write_bytes(body)
    store = open_store(world)
    assert store.journal.claim(CLAIM) is None
    store.close()
    assert DurabilityWitness(world).read() is not None


def test_one_changed_digit_is_noticed(tmp_path: Path) -> None:
    witness = DurabilityWitness(tmp_path / "world.db")
    witness.write(WitnessRecord(1, 22, 333), surely=True)
    witness.close()
    assert witness.read() == WitnessRecord(1, 22, 333)
    path = path_beside(tmp_path / "world.db")
    path.write_bytes(path.read_bytes().replace(b"22 inputs", b"23 inputs"))
    assert witness.read() is None


def test_another_realms_witness_says_nothing(tmp_path: Path) -> None:
    """Another realms witness says nothing of this one."""
    world, store = begun(tmp_path / "data", WorldIdentity("gloam", 8, 1, "ab", 5))
    store.journal.append([Record(1, sequence, b"x") for sequence in range(2, 99)])
    store.close()
    _, other = begun(tmp_path / "other")
    other.close()
    shutil.copyfile(tmp_path / "other" / "world.db", world)
    store = open_store(world)
    assert store.journal.claim(CLAIM) is None
    store.close()


def test_host_goes_back_backup_reported_no_loss(tmp_path: Path) -> None:
    """A server on a restored backup reports no loss."""
    world, store = begun(tmp_path / "data")
    backup(world, tmp_path / "copy.db")
    store.journal.append([Record(1, 2, b"after it")])
    store.close()
    world.unlink()
    restore(tmp_path / "copy.db", world)
    store = open_store(world)
    assert store.journal.claim(CLAIM) is None
    store.close()


def test_an_unwritable_witness_stops_no_one(tmp_path: Path) -> None:
    """A witness that cannot be written keeps no one from playing."""
    world, store = begun(tmp_path)
    store.close()
    path_beside(world).unlink()
    path_beside(world).mkdir()
    store = open_store(world)
    assert store.journal.claim(CLAIM) is None
    store.journal.append([Record(1, 2, b"c")])
    store.close()
    assert DurabilityWitness(world).read() is None


def test_who_only_looks_tells_the_witness_nothing(tmp_path: Path) -> None:
    world, store = begun(tmp_path)
    store.close()
    before = path_beside(world).read_bytes()
    open_store(world).close()
    assert path_beside(world).read_bytes() == before
