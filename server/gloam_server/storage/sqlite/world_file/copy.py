"""A complete copy of a world's file.

It counts only after it was opened, compared with its source, and is on disk.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from gloam_server.storage.errors import StorageError, StorageFull
from gloam_server.storage.sqlite.file_access import connect_to, is_too_long, publish, reading, remove

UNFINISHED: Final = ".unfinished"
"""The ending of the name of an unfinished copy."""

_NAME_MAX: Final = 200  # bytes; SQLite's own files have longer names, and a file's name has at most 255
_Row = tuple[object, ...]


class WorldSummary(NamedTuple):
    """The values that must be the same in a world and its copy.

    They are the rows of each table, the version of the tables, the realm, and each partition's number of
    records and snapshots, and the newest.
    """

    rows: tuple[tuple[str, object], ...]
    version: tuple[_Row, ...]
    realm: tuple[_Row, ...]
    records: tuple[_Row, ...]
    snapshots: tuple[_Row, ...]


class WorldCopy(NamedTuple):
    """A verified copy: its path, its size in bytes, and its contents."""

    path: Path
    size: int
    summary: WorldSummary


def copy_world(world: Path, copy: Path) -> WorldCopy:
    """Write and verify a complete copy of a world's file at this moment; a server may be writing meanwhile.

    The world may be of any version. Raises StorageError; a copy that failed leaves nothing behind.
    """
    scratch = _scratch(copy)
    try:
        remove(scratch)
        with reading(world) as source:
            source.execute("BEGIN")  # the summary and the copy are of the same moment
            summary = summary_of(source)
            _write(source, scratch)
        verify_copy(scratch, summary, named=copy)
        publish(scratch, copy)
        return WorldCopy(copy, copy.stat().st_size, summary)
    except (sqlite3.Error, OSError, StorageError) as error:
        _tidy(scratch)
        if isinstance(error, StorageError):
            raise
        raise _copy_fault(world, copy, error) from error


def verify_copy(copy: Path, summary: WorldSummary, *, named: Path | None = None) -> None:
    """Raise StorageError unless a copy opens, is intact, and equals its source.

    The error calls it `named`.
    """
    name = named or copy
    try:
        with closing(connect_to(copy, "ro", immutable=True)) as connection:
            [(row,)] = connection.execute("PRAGMA integrity_check(1)").fetchall()
            result = " ".join(str(row).split())
            found = summary_of(connection) if result == "ok" else None
    except sqlite3.Error as error:
        result, found = str(error), None
    if found is None:
        raise StorageError(f"The copy {name} is not whole ({result}), so it is not used; look at the disk.")
    differ = [part for part in WorldSummary._fields if getattr(found, part) != getattr(summary, part)]
    if differ:
        raise StorageError(
            f"The copy {name} does not hold what its source does (its {differ[0]} differ), so it is not used; look at the disk."
        )


def summary_of(connection: sqlite3.Connection) -> WorldSummary:
    """Return the contents of a database, for tables of every version."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    tables = {str(name): _quote(str(name)) for (name,) in names if not str(name).startswith("sqlite_")}
    rows = tuple(
        (name, _rows(connection, f"count(*) FROM {quoted}")[0][0]) for name, quoted in tables.items()
    )
    columns = {row[1] for row in connection.execute("PRAGMA table_info(journal)")}
    newest = "max(beat)" if "beat" in columns else "0"
    asked = {
        "alembic_version": "* FROM alembic_version",
        "realm": "* FROM realm",
        "journal": f"place, count(*), max(sequence), {newest} FROM journal GROUP BY place ORDER BY place",
        "snapshots": "place, count(*), max(sequence), min(sequence) FROM snapshots GROUP BY place ORDER BY place",
    }
    return WorldSummary(
        rows, *(_rows(connection, query) if name in tables else () for name, query in asked.items())
    )


def _write(source: sqlite3.Connection, scratch: Path) -> None:
    """Copy a database page by page; one sync at the end replaces many."""
    with closing(connect_to(scratch, "rwc")) as copy:
        copy.execute("PRAGMA journal_mode = OFF")
        copy.execute("PRAGMA synchronous = OFF")
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # so that it can be read without another file


def _rows(connection: sqlite3.Connection, query: str) -> tuple[_Row, ...]:
    return tuple(connection.execute(f"SELECT {query}").fetchall())


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _scratch(copy: Path) -> Path:
    return copy.with_name(os.fsdecode(os.fsencode(copy.name)[:_NAME_MAX]) + UNFINISHED)


def _tidy(scratch: Path) -> None:
    try:
        remove(scratch)
    except OSError:  # such as below a file, where nothing was written
        return


def _copy_fault(world: Path, copy: Path, error: sqlite3.Error | OSError) -> StorageError:
    """Return in words why a copy failed: a damaged source, a full disk, or an unusable path."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StorageError(
            f"The world {world} is damaged ({error}), so no copy was made; start its server, which saves what can be read."
        )
    if code == sqlite3.SQLITE_FULL:
        return StorageFull(
            f"The disk of {copy} is full, so no copy was made; make room, or name another place."
        )
    for path in (world, copy):
        if is_too_long(path):
            return StorageError(
                f"The path {path} is longer than SQLite takes; name a folder with a shorter one."
            )
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return StorageError(f"The copy {copy} of {world} could not be written ({reason}); look at the disk.")
