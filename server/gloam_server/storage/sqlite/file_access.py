"""A world's files: only here SQLite URIs are made, and files and names that survive a power cut."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

SIDECARS: Final = ("-wal", "-shm", "-journal")
"""SQLite's own files of a database have the database's name and one of these endings."""

SQLITE_PATH_MAX: Final = 504
"""SQLite opens no absolute path of more bytes: it holds 512, and needs 8 of them for a sidecar's ending."""


def sqlite_uri(path: Path, mode: str, *, immutable: bool = False) -> str:
    """Return the URI that makes SQLite open exactly this path, with all its characters escaped.

    `mode` is SQLite's: "ro", "rw", or "rwc", which makes the file. `immutable` says that no other process writes it.
    """
    return f"{path.absolute().as_uri()}?mode={mode}" + ("&immutable=1" if immutable else "")


def connect_to(path: Path, mode: str, *, immutable: bool = False) -> sqlite3.Connection:
    """Return a plain connection to a database, for any thread; it begins no transaction by itself."""
    uri = sqlite_uri(path, mode, immutable=immutable)
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


@contextmanager
def reading(path: Path, *, locked: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield a connection for reading, and leave the folder as it was.

    `locked` says that the world's lock is held: then the incomplete files that SQLite leaves on a full disk
    can be removed.
    """
    beside = [sidecar(path, ending) for ending in SIDECARS]
    there = [file for file in beside if is_there(file)]
    try:
        with closing(_for_reading(path)) as connection:
            yield connection
    except (sqlite3.Error, OSError):
        if locked and not there:
            for file in beside:
                file.unlink(missing_ok=True)
        raise


def _for_reading(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing.

    Without a log, a connection that may write removes the files that SQLite makes for a reader. With a log, only
    a connection that may not write leaves the log unchanged. If this process may not write, it reads a database without
    a log as immutable, because SQLite could not create its files.
    """
    log = sidecar(path, "-wal")
    if is_there(log) and log.stat().st_size:
        return connect_to(path, "ro")
    if _may_write(path) and _may_write(path.parent):
        return connect_to(path, "rw")
    return connect_to(path, "ro", immutable=True)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def sidecar(path: Path, ending: str) -> Path:
    """Return the path of a database's file with another ending."""
    return path.with_name(path.name + ending)


def is_there(path: Path) -> bool:
    """Return whether this path exists; a name that the file system does not allow has no file."""
    return os.path.lexists(path)


def is_too_long(path: Path) -> bool:
    """Return whether a path is too long for SQLite."""
    return len(os.fsencode(path.absolute())) > SQLITE_PATH_MAX


def remove(database: Path) -> None:
    """Remove a database and its SQLite sidecar files, if they exist."""
    for ending in ("", *SIDECARS):
        sidecar(database, ending).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on disk."""
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def publish(scratch: Path, final: Path) -> None:
    """Give a finished file its name, so that after a power cut it is complete or does not exist."""
    sync(scratch)
    scratch.rename(final)
    sync(final.parent)
