"""The memory of one life, in a file of the client's."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from gloam_client.state.map import saved_memory
from gloam_client.state.map.friend_locations import KEPT_MAX, LastSeen
from gloam_shared.view.view import Item

ANN = saved_memory.SavedLife("realm", "Ann", 1)
APPLE = Item(3, 40, 1, "%", "red", "apple")
NOTHING = saved_memory.Seen({})
SEEN = saved_memory.Seen(
    {1: {40: APPLE}, 2: {}}, {"Bert": LastSeen(2, 77), "Cyd": LastSeen(1, 3, called=True)}
)


def written(data: Path, life: saved_memory.SavedLife = ANN, seen: saved_memory.Seen = SEEN) -> Path:
    """Keep what a life has seen, and return the file."""
    memory = saved_memory.SavedMemory(data)
    memory.open(life)
    memory.keep(life, seen, 1, 0)
    return max((data / saved_memory.FOLDER).iterdir(), key=lambda path: path.stat().st_mtime_ns)


def test_next_run_gets_back_life_seen_once(tmp_path: Path) -> None:
    """The next run gets back what the life had seen once."""
    written(tmp_path)
    memory = saved_memory.SavedMemory(tmp_path)
    assert memory.open(ANN) == SEEN
    assert memory.open(ANN) is None


@pytest.mark.parametrize(
    "other",
    [
        saved_memory.SavedLife("other", "Ann", 1),
        saved_memory.SavedLife("realm", "Bert", 1),
        saved_memory.SavedLife("realm", "Ann", 2),
    ],
)
def test_world_player_and_life_file(tmp_path: Path, other: saved_memory.SavedLife) -> None:
    """Each world player and life has a file of its own."""
    written(tmp_path)
    assert saved_memory.SavedMemory(tmp_path).open(other) == NOTHING


def test_a_name_that_a_server_invents_leads_nowhere(tmp_path: Path) -> None:
    path = written(tmp_path, saved_memory.SavedLife("../../x", "../y", 1))
    assert path.parent == tmp_path / saved_memory.FOLDER


def test_written_another_level_end(tmp_path: Path) -> None:
    """It is written on another level at the end and else once in ten seconds."""
    memory = saved_memory.SavedMemory(tmp_path)
    memory.open(ANN)

    def kept() -> saved_memory.Seen | None:
        return saved_memory.SavedMemory(tmp_path).open(ANN)

    first, second, third = (saved_memory.Seen({depth: {}}) for depth in (1, 2, 3))
    memory.keep(ANN, first, 1, 0)
    memory.keep(ANN, SEEN, 1, saved_memory.WRITE_EVERY_MS - 1)
    assert kept() == first
    memory.keep(ANN, SEEN, 1, saved_memory.WRITE_EVERY_MS)
    assert kept() == SEEN
    memory.keep(ANN, second, 2, saved_memory.WRITE_EVERY_MS + 1)
    assert kept() == second
    memory.keep(ANN, third, 2, saved_memory.WRITE_EVERY_MS + 2, at_once=True)
    assert kept() == third


def test_file_without_friends_read_and_counts(tmp_path: Path) -> None:
    """A file without friends is read and where they are counts as a change."""
    path = written(tmp_path)
    path.write_bytes(msgspec.msgpack.encode((1, tuple(ANN), {1: [APPLE]})))
    memory = saved_memory.SavedMemory(tmp_path)
    without = saved_memory.Seen({1: {40: APPLE}})
    assert memory.open(ANN) == without
    memory.keep(ANN, without._replace(whereabouts=SEEN.whereabouts), 1, 0, at_once=True)
    assert saved_memory.SavedMemory(tmp_path).open(ANN) == without._replace(whereabouts=SEEN.whereabouts)


def test_only_the_newest_files_stay_and_no_draft(tmp_path: Path) -> None:
    for at in range(saved_memory.FILES_MAX + 3):
        path = written(tmp_path, saved_memory.SavedLife("realm", "Ann", at + 1))
        os.utime(path, (at, at))
    written(tmp_path, saved_memory.SavedLife("realm", "Zoe", 1))
    names = {path.suffix for path in (tmp_path / saved_memory.FOLDER).iterdir()}
    assert (len(list((tmp_path / saved_memory.FOLDER).iterdir())), names) == (
        saved_memory.FILES_MAX,
        {".seen"},
    )
    assert saved_memory.SavedMemory(tmp_path).open(saved_memory.SavedLife("realm", "Ann", 1)) == NOTHING
    assert saved_memory.SavedMemory(tmp_path).open(saved_memory.SavedLife("realm", "Zoe", 1)) == SEEN


def _strange() -> list[bytes]:
    def kept(version: int = 1, cell: object = 40, depth: object = 1, friends: object = None) -> bytes:
        item = (3, cell, 1, "%", "red", "apple")
        return msgspec.msgpack.encode((version, tuple(ANN), {depth: [item]}, friends or {}))

    whole = kept()
    return [
        b"", whole[:-1], whole + b"x", b"\xc1", b"\x91" * 100_000, kept(version=2), kept(cell="x"), kept(depth=0),
        kept(cell=-1), msgspec.msgpack.encode((1, ("realm", "Bert", 1), {})),
        kept(friends={"Bert": (0, 1, False)}), kept(friends={"Bert": (1, -1, False)}), kept(friends={"Bert": (1,)}),
        kept(friends={f"N{at}": (1, at, False) for at in range(KEPT_MAX + 1)}), kept(friends=[1]),
    ]  # fmt: skip


@pytest.mark.parametrize("data", _strange())
def test_damaged_or_hostile_file_ignored(tmp_path: Path, data: bytes) -> None:
    """A damaged or hostile file is ignored and replaced."""
    path = written(tmp_path)
    path.write_bytes(data)
    memory = saved_memory.SavedMemory(tmp_path)
    opened = memory.open(ANN)
    assert opened is not None
    assert not any(opened.recall.values())
    assert not opened.whereabouts
    memory.keep(ANN, SEEN, 1, 0)
    assert saved_memory.SavedMemory(tmp_path).open(ANN) == SEEN


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / saved_memory.FOLDER).write_text("in the way", encoding="utf-8")
    memory = saved_memory.SavedMemory(tmp_path)
    assert memory.open(ANN) == NOTHING
    memory.keep(ANN, SEEN, 1, 0)


def test_hosted_memory_is_written_beside_the_loop(tmp_path: Path) -> None:
    """Each write would hold up all clients of the process: it waits for a minute or the end, and a thread does it."""
    held = threading.Event()

    async def play() -> None:
        with ThreadPoolExecutor(1) as writer:
            writer.submit(held.wait, 60)
            memory = saved_memory.SavedMemory(tmp_path, writer)
            memory.open(ANN)
            memory.keep(ANN, SEEN, 2, saved_memory.WRITE_EVERY_HOSTED_MS - 1)
            memory.keep(ANN, SEEN, 2, saved_memory.WRITE_EVERY_HOSTED_MS)
            last = saved_memory.Seen({2: {40: APPLE}})
            memory.keep(ANN, last, 2, saved_memory.WRITE_EVERY_HOSTED_MS + 1, at_once=True)
            assert not (tmp_path / saved_memory.FOLDER).exists()
            held.set()
            await memory.written()
            assert saved_memory.SavedMemory(tmp_path).open(ANN) == last

    asyncio.run(asyncio.wait_for(play(), 60))
