"""Replacing a world's file: a kill or a power cut between any two steps leaves the old world or the new one.

The new file is built under its own name, checked and synced. Then it gets a name with the time (`ready`): now the swap
is decided, and the next server that opens the world finishes it. Until then, the world is unchanged.
"""

from pathlib import Path
from typing import Final

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.file_access import is_there, publish, remove, sidecar, sync
from gloam_server.storage.sqlite.world_file.leftovers import former_path, former_worlds

READY: Final = "salvaged"
ASIDE: Final = "damaged"
_SCRATCH: Final = ".new"
_MOVED: Final = ("-wal", "-shm", "")
"""SQLite would apply a remaining log to the other database, so the log is moved first."""


def scratch_path(world: Path) -> Path:
    """Return the path at which a new world's file is built; it is no world before the swap."""
    return sidecar(world, _SCRATCH)


def replace_world(world: Path, stamp: str) -> Path:
    """Replace a world by the finished scratch file; return the new path of the old file.

    The world's lock must be held.
    """
    publish(scratch_path(world), former_path(world, READY, stamp))
    finish_replacement(world)
    return former_path(world, ASIDE, stamp)


def finish_replacement(world: Path) -> None:
    """Finish an interrupted swap, and remove unfinished files. The world's lock must be held."""
    for ready in former_worlds(world, READY):
        stamp = ready.name.removeprefix(f"{world.stem}.{READY}-").removesuffix(world.suffix)
        aside = former_path(world, ASIDE, stamp)
        if is_there(world) and is_there(aside):
            raise StorageError(
                f"Both {world} and {ready} would be the world; move away the one that is not wanted."
            )
        for ending in _MOVED:
            if is_there(sidecar(world, ending)):
                sidecar(world, ending).rename(sidecar(aside, ending))
        sync(world.parent)
        publish(ready, world)
    remove(scratch_path(world))


def require_finished(world: Path) -> None:
    """Raise StorageError if a swap is incomplete: only a server with the world's lock may finish it."""
    if former_worlds(world, READY):
        raise StorageError(
            f"The world {world} is being salvaged, or that was cut off; start its server once, and it does the rest."
        )


def free_stamp(world: Path, stamp: str) -> str:
    """Return a stamp that no old file uses yet."""
    tried, number = stamp, 1
    while any(is_there(former_path(world, word, tried)) for word in (READY, ASIDE)):
        number += 1
        tried = f"{stamp}-{number}"
    return tried
