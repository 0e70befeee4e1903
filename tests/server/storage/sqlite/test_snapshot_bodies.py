"""The bodies of snapshots are compressed in the database; bodies of older versions and damaged ones are handled."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gloam_server.storage.open_store import open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sql.snapshot_bodies import pack, unpack
from gloam_server.storage.sqlite.integrity.checksums import check_all, crc_of
from gloam_server.world.transition.serialization import state_hash
from support.storage.writing import write

BODY = b"\x93\x01" + bytes(5_000)


@pytest.mark.parametrize("body", [b"", b"\x93", BODY, bytes(range(256)) * 20])
def test_a_body_comes_back(body: bytes) -> None:
    assert unpack(pack(body)) == body


def test_what_is_known_of_a_level_takes_little_room() -> None:
    assert len(pack(BODY)) < len(BODY) // 50


def test_a_body_of_an_older_version_is_read() -> None:
    assert unpack(BODY) == BODY


@pytest.mark.parametrize("at", [0, 1, 5, -1])
def test_a_damaged_body_is_no_other_body(at: int) -> None:
    """It is returned as something that does not have the hash of the body."""
    stored = bytearray(pack(BODY))
    stored[at] ^= 0x20
    assert state_hash(unpack(bytes(stored))) != state_hash(BODY)


def test_the_database_holds_them_compressed(tmp_path: Path) -> None:
    world = tmp_path / "world.db"
    store = open_store(world)
    write(store, (), [Snapshot(1, 7, 1, BODY, state_hash(BODY))])
    kept = store.snapshots.newest(1)
    store.close()
    assert kept is not None
    assert kept.body == BODY
    assert check_all(world, state_hash) == []
    assert _stored(world) == pack(BODY)


def test_a_database_with_older_bodies_is_whole(tmp_path: Path) -> None:
    world = tmp_path / "world.db"
    store = open_store(world)
    write(store, (), [Snapshot(1, 7, 1, BODY, state_hash(BODY))])
    store.close()
    with closing(sqlite3.connect(world)) as raw:
        row = (1, 7, 1, BODY, state_hash(BODY))
        raw.execute("UPDATE snapshots SET body = ?, crc = ?", (BODY, crc_of(*row)))
        raw.commit()
    assert check_all(world, state_hash) == []
    store = open_store(world)
    kept = store.snapshots.newest(1)
    store.close()
    assert kept is not None
    assert kept.body == BODY


def _stored(world: Path) -> bytes:
    with closing(sqlite3.connect(world)) as raw:
        [(body,)] = raw.execute("SELECT body FROM snapshots").fetchall()
        return bytes(body)
