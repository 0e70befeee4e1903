"""What one life has seen, in a file of the client's."""

import os
from pathlib import Path

import msgspec
import pytest

from gloam_client.memory import FILES_MAX, FOLDER, WRITE_EVERY_MS, Life, Memory
from gloam_client.recall import Recall
from gloam_shared.view import Item

ANN = Life("realm", "Ann", 1)
APPLE = Item(3, 40, 1, "%", "red", "apple")
SEEN: Recall = {1: {40: APPLE}, 2: {}}


def written(data: Path, life: Life = ANN, recall: Recall = SEEN) -> Path:
    """Keep what a life has seen, and return the file."""
    memory = Memory(data)
    memory.open(life)
    memory.keep(life, recall, 1, 0)
    return max((data / FOLDER).iterdir(), key=lambda path: path.stat().st_mtime_ns)


def test_the_next_run_gets_back_what_the_life_had_seen_once(tmp_path: Path) -> None:
    written(tmp_path)
    memory = Memory(tmp_path)
    assert memory.open(ANN) == SEEN
    assert memory.open(ANN) is None


@pytest.mark.parametrize(
    "other", [Life("other", "Ann", 1), Life("realm", "Bert", 1), Life("realm", "Ann", 2)]
)
def test_each_world_player_and_life_has_a_file_of_its_own(tmp_path: Path, other: Life) -> None:
    written(tmp_path)
    assert Memory(tmp_path).open(other) == {}


def test_a_name_that_a_server_invents_leads_nowhere(tmp_path: Path) -> None:
    path = written(tmp_path, Life("../../x", "../y", 1))
    assert path.parent == tmp_path / FOLDER


def test_it_is_written_on_another_level_at_the_end_and_else_once_in_ten_seconds(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    memory.open(ANN)

    def kept() -> Recall | None:
        return Memory(tmp_path).open(ANN)

    memory.keep(ANN, {1: {}}, 1, 0)
    memory.keep(ANN, SEEN, 1, WRITE_EVERY_MS - 1)
    assert kept() == {1: {}}
    memory.keep(ANN, SEEN, 1, WRITE_EVERY_MS)
    assert kept() == SEEN
    memory.keep(ANN, {2: {}}, 2, WRITE_EVERY_MS + 1)
    assert kept() == {2: {}}
    memory.keep(ANN, {3: {}}, 2, WRITE_EVERY_MS + 2, at_once=True)
    assert kept() == {3: {}}


def test_only_the_newest_files_stay_and_no_draft(tmp_path: Path) -> None:
    for at in range(FILES_MAX + 3):
        path = written(tmp_path, Life("realm", "Ann", at + 1))
        os.utime(path, (at, at))
    written(tmp_path, Life("realm", "Zoe", 1))
    names = {path.suffix for path in (tmp_path / FOLDER).iterdir()}
    assert (len(list((tmp_path / FOLDER).iterdir())), names) == (FILES_MAX, {".seen"})
    assert Memory(tmp_path).open(Life("realm", "Ann", 1)) == {}
    assert Memory(tmp_path).open(Life("realm", "Zoe", 1)) == SEEN


def _strange() -> list[bytes]:
    def kept(version: int = 1, cell: object = 40, depth: object = 1) -> bytes:
        item = (3, cell, 1, "%", "red", "apple")
        return msgspec.msgpack.encode((version, tuple(ANN), {depth: [item]}))

    whole = kept()
    return [
        b"", whole[:-1], whole + b"x", b"\xc1", b"\x91" * 100_000, kept(version=2), kept(cell="x"), kept(depth=0),
        kept(cell=-1), msgspec.msgpack.encode((1, ("realm", "Bert", 1), {})),
    ]  # fmt: skip


@pytest.mark.parametrize("data", _strange())
def test_a_damaged_or_hostile_file_is_ignored_and_replaced(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path)
    path.write_bytes(data)
    memory = Memory(tmp_path)
    assert not any((memory.open(ANN) or {}).values())
    memory.keep(ANN, SEEN, 1, 0)
    assert Memory(tmp_path).open(ANN) == SEEN


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way", encoding="utf-8")
    memory = Memory(tmp_path)
    assert memory.open(ANN) == {}
    memory.keep(ANN, SEEN, 1, 0)
