"""Backup while a server runs, and restore into a folder without a world. Neither needs the server."""

from contextlib import suppress
from pathlib import Path

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.file_access import is_there, sidecar
from gloam_server.storage.sqlite.world_file.copy import WorldCopy, copy_world
from gloam_server.storage.sqlite.world_file.durability_witness import path_beside
from gloam_server.storage.sqlite.world_file.inspection import inspect
from gloam_server.storage.sqlite.world_file.leftovers import former_path, former_worlds
from gloam_server.storage.sqlite.world_file.replacement import require_finished


def backup(world: Path, copy: Path) -> int:
    """Write a complete copy of a world's file at this moment, and return its size in bytes.

    A server may be writing meanwhile. Raises StorageError; a copy that failed leaves nothing behind.
    """
    require_finished(world)
    found = inspect(world, whole=False)
    if found is None:
        raise StorageError(f"There is no world {world} to back up; name its folder with --data.")
    if not found.founded:
        raise StorageError(f"The world {world} was never finished; start its server once.")
    if is_there(copy):
        raise StorageError(f"The file {copy} exists already; name another for the backup.")
    return copy_world(world, copy).size


def keep_former(world: Path, word: str, stamp: str) -> WorldCopy:
    """Keep a copy of a world in its folder, under a name with a word and a time. The world's lock must be held."""
    for unfinished in former_worlds(world, word, ".unfinished"):  # of a process that was killed
        unfinished.unlink(missing_ok=True)
    return copy_world(world, former_path(world, word, stamp))


def restore(copy: Path, world: Path) -> None:
    """Restore a backup into a folder without a world. Raises StorageError, and then leaves nothing behind."""
    if is_there(world):
        raise StorageError(
            f"There is a world {world} already; restore into an empty folder, or move that file away first."
        )
    for ending in ("-wal", "-journal"):
        leftover = sidecar(world, ending)
        if is_there(leftover):  # SQLite would take it for a part of the restored world
            raise StorageError(
                f"The file {leftover} belongs to another world; move it away to where that one is."
            )
    require_finished(world)
    _require_backup(copy)
    try:
        world.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {world.parent} cannot be written ({error.strerror}); name another with --data."
        ) from error
    copy_world(copy, world)
    with suppress(OSError):  # inputs of an older world are not missing in this one
        path_beside(world).unlink(missing_ok=True)


def _require_backup(copy: Path) -> None:
    """Raise StorageError unless a file is a world, of this version or an older one."""
    found = inspect(copy, whole=False, mend="name another")
    if found is None:
        raise StorageError(f"There is no backup {copy}; name a file that `gloam-server backup` wrote.")
    if not found.founded:
        raise StorageError(f"The file {copy} holds no realm, so it is no backup of a world; name another.")
