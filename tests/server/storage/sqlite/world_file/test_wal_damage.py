"""Damage in the write-ahead log that a killed server left: SQLite drops what follows without a word, and we do not."""

import random  # noqa: TID251  # its own seed
import shutil
import struct
from pathlib import Path

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sqlite.world_file.wal_damage import find_wal_damage

FRAME = 4_096 + 24


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """Return a world as a server leaves it that is killed: its commits stand in the log, before the room for more."""
    store = open_store(tmp_path / "live" / "world.db")
    store.directory.create_identity(WorldIdentity("arena", 1, 6, "ab", 0))
    store.journal.claim(WriterClaim(6, "ab", 0))
    for sequence in range(1, 9):
        store.journal.append([Record(1, sequence, b"body" * 50)])
    shutil.copytree(tmp_path / "live", tmp_path / "left")
    store.close()
    return tmp_path / "left" / "world.db"


def flip(world: Path, at: int) -> None:
    log = world.with_name("world.db-wal")
    body = bytearray(log.read_bytes())
    body[at] ^= 0x55
    log.write_bytes(body)


def commits(world: Path) -> list[int]:
    """Return where the log's frames begin that end a transaction."""
    log = world.with_name("world.db-wal").read_bytes()
    starts = range(32, len(log) - FRAME + 1, FRAME)
    return [at for at in starts if struct.unpack_from(">I", log, at + 4)[0]]


def test_a_log_that_is_whole_is_not_doubted(killed: Path) -> None:
    assert killed.with_name("world.db-wal").stat().st_size > 4_000_000, "there is no room behind the end"
    assert find_wal_damage(killed) is None


@pytest.mark.thorough
def test_a_flip_in_any_durable_frame_is_reported(killed: Path) -> None:
    chance = random.Random(1)
    log = killed.with_name("world.db-wal").read_bytes()
    last = commits(killed)[-1] + FRAME
    for at in [0, 5, 20, 30, *(chance.randrange(32, last) for _ in range(40))]:
        flip(killed, at)
        damage = find_wal_damage(killed)
        assert damage is not None, f"byte {at} of {last}"
        assert damage.startswith("its write-ahead log"), damage
        killed.with_name("world.db-wal").write_bytes(log)


def test_a_flip_behind_the_end_is_no_harm(killed: Path) -> None:
    flip(killed, commits(killed)[-1] + FRAME + 100)
    assert find_wal_damage(killed) is None


def test_without_a_log_there_is_nothing_to_doubt(tmp_path: Path) -> None:
    assert find_wal_damage(tmp_path / "world.db") is None
    (tmp_path / "world.db-wal").write_bytes(b"short")
    assert find_wal_damage(tmp_path / "world.db") is None
