"""A world that is replaced: cut off between any two steps, the next who opens it finds the old one or the new one."""

import os
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import Record
from gloam_server.storage.open_store import file_store, open_store
from gloam_server.storage.snapshots import Snapshot
from gloam_server.storage.sqlite import file_access
from gloam_server.storage.sqlite.recovery.salvage import salvage
from gloam_server.storage.sqlite.world_file.backup import backup, restore
from gloam_server.storage.sqlite.world_file.replacement import finish_replacement, replace_world
from support.storage.writing import write

OLD = {"": b"old", "-wal": b"old log", "-shm": b"old index"}


class Killed(BaseException):
    pass


def kill_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process end before its nth renaming, or sync of a file or folder."""
    left = [step]

    def counted(work: Callable[..., object]) -> Callable[..., object]:
        def cut(*said: object) -> object:
            left[0] -= 1
            if not left[0]:
                raise Killed
            return work(*said)

        return cut

    monkeypatch.setattr(Path, "rename", counted(Path.rename))
    monkeypatch.setattr("os.fsync", counted(os.fsync))


def placed(folder: Path) -> Path:
    folder.mkdir()
    world = folder / "world.db"
    for ending, body in OLD.items():
        file_access.sidecar(world, ending).write_bytes(body)
    (folder / "world.db.new").write_bytes(b"new")
    return world


def found(world: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in world.parent.iterdir()}


NEW = {
    "world.db": b"new",
    "world.damaged-1.db": b"old",
    "world.damaged-1.db-wal": b"old log",
    "world.damaged-1.db-shm": b"old index",
}


def test_swap_cut_off_anywhere_finished(tmp_path: Path) -> None:
    """A swap that is cut off anywhere is finished or never happened."""
    seen, step = [], 0
    while True:
        step += 1
        world = placed(tmp_path / str(step))
        with pytest.MonkeyPatch.context() as patched:
            kill_at(step, patched)
            try:
                replace_world(world, "1")
            except Killed:
                pass
            else:
                break
        finish_replacement(world)
        whole = {f"world.db{ending}": body for ending, body in OLD.items()}
        assert found(world) in (NEW, whole)
        seen.append(found(world) == NEW)

    assert found(world) == NEW
    assert seen == [False] * 2 + [True] * (len(seen) - 2), "decided by one renaming, once and for all"
    assert len(seen) >= 9


def test_cut_finishing_swap_finished_next(tmp_path: Path) -> None:
    """A cut in finishing a swap is finished by the next."""
    for first in range(3, 9):
        for second in range(1, 7):
            world = placed(tmp_path / f"{first} {second}")
            for step, act in ((first, lambda at: replace_world(at, "1")), (second, finish_replacement)):
                with pytest.MonkeyPatch.context() as patched:
                    kill_at(step, patched)
                    with suppress(Killed):
                        act(world)
            finish_replacement(world)
            assert found(world) == NEW


def half_replaced(folder: Path) -> Path:
    world = placed(folder)
    with pytest.MonkeyPatch.context() as patched:
        kill_at(7, patched)
        with suppress(Killed):
            replace_world(world, "1")
    assert not world.exists()
    return world


def test_no_lock_touches_nothing_world(tmp_path: Path) -> None:
    """A server without the lock touches nothing of a world that is half replaced."""
    world = half_replaced(tmp_path / "data")
    before = found(world)
    for refused in (
        lambda: backup(world, tmp_path / "copy"),
        lambda: restore(tmp_path / "copy", world),
        lambda: file_store(world).accounts().__enter__(),
    ):
        with pytest.raises(StorageError, match="start its server once, and it does the rest"):
            refused()
    assert found(world) == before


def test_world_came_between_not_moved_away(tmp_path: Path) -> None:
    """A world that appeared in between is not moved away."""
    world = half_replaced(tmp_path / "data")
    world.write_bytes(b"put there by hand")
    before = found(world)
    with pytest.raises(
        StorageError, match=r"Both .*world\.db and .*world\.salvaged-1\.db would be the world"
    ):
        finish_replacement(world)
    assert found(world) == before


@pytest.mark.thorough
def test_second_salvage_second_keeps_first_kept(tmp_path: Path) -> None:
    """A second salvage in one second keeps what the first kept."""
    world = tmp_path / "world.db"
    store = open_store(world)
    store.directory.create_identity(WorldIdentity("gloam", 1, 1, "ab", 0))
    write(store, [Record(1, 1, b"a")], [Snapshot(1, 0, 1, b"s", b"s")])
    store.close()
    kept = [salvage(world, "1", lambda body: body).kept_aside.name for _ in range(2)]
    assert kept == ["world.damaged-1.db", "world.damaged-1-2.db"]


@pytest.mark.thorough
@pytest.mark.parametrize("limit", [100, 20_000])
def test_full_disk_leaves_damaged_world_and_says(tmp_path: Path, limit: int) -> None:
    """A full disk leaves a damaged world as it was and says so."""
    world = tmp_path / "world.db"
    store = open_store(world)
    store.directory.create_identity(WorldIdentity("gloam", 1, 1, "ab", 0))
    write(store, [Record(1, 1, b"a" * 60_000)], [Snapshot(1, 0, 1, b"s", b"s")])
    store.close()
    before = found(world)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))  # beyond it no file can be written
    try:
        with pytest.raises(
            StorageError, match=r"cannot be salvaged .*; nothing of it was changed, so make room"
        ):
            salvage(world, "1", lambda body: body)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert found(world) == before
    assert salvage(world, "1", lambda body: body).records == 1
