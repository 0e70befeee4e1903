"""Backup while a server runs, restore into an empty place. Neither needs the server; both say what they did not do."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from gloam_server.storage.journal import StorageError
from gloam_server.storage.witness import path_beside


def backup(world: Path, copy: Path) -> int:
    """Write a whole copy of a world's file, as it is at this moment, and return its size in bytes.

    A server may be writing meanwhile. Raises StorageError; a copy that failed leaves nothing behind.
    """
    if not world.is_file():
        raise StorageError(f"There is no world {world} to back up; name its folder with --data.")
    if copy.exists():
        raise StorageError(f"The file {copy} exists already; name another for the backup.")
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(f"file:{world}?mode=ro", uri=True)) as source:
            source.execute("VACUUM INTO ?", (str(unfinished),))
        _settle(unfinished, copy)
    except (sqlite3.Error, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise StorageError(f"The backup {copy} could not be written ({error}); look at the disk.") from error
    return copy.stat().st_size


def restore(copy: Path, world: Path) -> None:
    """Put a backup where there is no world yet. Raises StorageError, and then leaves nothing behind."""
    if world.exists():
        raise StorageError(
            f"There is a world {world} already; restore into an empty folder, or move that file away first."
        )
    leftover = world.with_name(f"{world.name}-wal")
    if leftover.exists():  # SQLite would take it for a part of the restored world
        raise StorageError(
            f"The file {leftover} belongs to another world; move it away to where that one is."
        )
    _check(copy)
    unfinished = world.with_name(f"{world.name}.unfinished")
    try:
        world.parent.mkdir(parents=True, exist_ok=True)
        path_beside(world).unlink(missing_ok=True)  # what an older world had is not missing in this one
        shutil.copyfile(copy, unfinished)
        _settle(unfinished, world)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise StorageError(f"The world {world} could not be written ({error}); look at the disk.") from error


def _check(copy: Path) -> None:
    """Raise StorageError unless a file is a whole world."""
    if not copy.is_file():
        raise StorageError(f"There is no backup {copy}; name a file that `gloam-server backup` wrote.")
    try:
        with closing(sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True)) as connection:
            [(verdict,)] = connection.execute("PRAGMA integrity_check(1)").fetchall()
            whole = verdict == "ok" and connection.execute("SELECT count(*) FROM realm").fetchone() == (1,)
    except sqlite3.Error:
        whole = False
    if not whole:
        raise StorageError(f"The file {copy} is damaged or no backup of a world; name another.")


def _settle(unfinished: Path, final: Path) -> None:
    """Let a finished file take its name, so that it is there whole or not at all, even after a pulled plug."""
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    unfinished.rename(final)
    folder = os.open(final.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
