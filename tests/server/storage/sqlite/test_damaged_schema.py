"""Damage in `sqlite_master`, the file's description of its own tables: a sentence, and a salvage that keeps all rows."""

from pathlib import Path

import pytest

from gloam_server.app.config import WORLD_FILE
from gloam_server.app.verify_world import verify_world
from gloam_server.storage.errors import StorageDamaged, StorageError
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.storage.sqlite.file_access import reading
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.world_file.backup import backup
from gloam_server.storage.sqlite.world_file.copy import summary_of
from gloam_server.world.transition.serialization import state_hash
from support.storage.bad_worlds import killed_world

PIECES = {
    "a table's name and columns": (b"CREATE TABLE marks (", 13),
    "a bracket": (b"CREATE TABLE marks (", 16),
    "a needed table": (b"CREATE TABLE journal (", 13),
    "a column's name": (b"beat_size", 0),
    "an index": (b"CREATE UNIQUE INDEX", 0),
    "an entry's name": (b"tablejournal", 5),
}


def damaged(folder: Path, piece: str, filler: bytes = b"\xc7") -> Path:
    """Return a world with four bytes of a text in `sqlite_master` changed."""
    text, offset = PIECES[piece]
    body = killed_world()["clean"]
    at = body.index(text) + offset
    world = folder / WORLD_FILE
    world.write_bytes(body[:at] + filler * 4 + body[at + 4 :])
    return world


@pytest.mark.thorough
@pytest.mark.parametrize("filler", [b"\xc7", b"x"])
@pytest.mark.parametrize("piece", PIECES)
def test_all_rows_are_salvaged(tmp_path: Path, piece: str, filler: bytes) -> None:
    world = damaged(tmp_path, piece, filler)
    whole = tmp_path / "whole"
    whole.write_bytes(killed_world()["clean"])
    with reading(whole) as source:
        expected = dict(summary_of(source).rows)
    saved = salvage(world, "1", state_hash)
    assert saved.lost == 0
    with reading(world) as made:
        found = dict(summary_of(made).rows)
    del expected["marks"], found["marks"]  # they are made again
    assert found == expected
    assert verify_world(world, None)[0] > 0


@pytest.mark.parametrize("piece", PIECES)
def test_each_command_says_that_it_is_damaged(tmp_path: Path, piece: str) -> None:
    world = damaged(tmp_path, piece)
    with pytest.raises(StorageDamaged, match="damaged"):
        open_store(world)
    with pytest.raises(StorageDamaged, match="damaged"):
        verify_world(world, None)
    with pytest.raises(StorageError, match="damaged"):
        backup(world, tmp_path / "copy")
    with pytest.raises(StorageError, match="damaged"), file_store(world).accounts():
        pass
