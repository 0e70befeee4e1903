"""Inspection of a world's file before it is opened, without any change to it or its folder."""

import sqlite3
from pathlib import Path
from typing import Final, NamedTuple

from gloam_server.storage.errors import StorageDamaged, StorageError, StorageFault, StorageFull
from gloam_server.storage.sql.migrations import HEAD, known_versions
from gloam_server.storage.sql.tables import TABLES
from gloam_server.storage.sqlite.file_access import is_there, is_too_long, reading

MEND: Final = (
    "move it away and put a backup back with `gloam-server restore`, or choose another folder with --data"
)
"""The advice for a file that should be a world and is none."""

_MAGIC: Final = b"SQLite format 3\0"
_READ_THROUGH_MAX: Final = 1 << 27  # bytes; reading these takes well under a second


class WorldFileInfo(NamedTuple):
    """The state of a world's file: the version of its tables (None without tables), and if it has a realm."""

    version: str | None
    founded: bool


def inspect(
    world: Path, *, whole: bool = True, mend: str = MEND, locked: bool = False
) -> WorldFileInfo | None:
    """Return the state of a world's file; None if nothing has that name.

    Raises StorageDamaged if it is no valid world, and StorageError if it belongs to another program or a
    newer version; then `mend` says what to do. `whole` also reads all of a file that is small enough;
    `locked` says that the world's lock is held.
    """
    if not is_there(world):
        return None
    try:
        _require_database(world, mend)
        with reading(world, locked=locked) as connection:
            found = _of_ours(connection, world, mend)
            if whole and world.stat().st_size <= _READ_THROUGH_MAX:
                _require_whole(connection, world)
        return found
    except (
        sqlite3.Error,
        OSError,
        UnicodeDecodeError,
    ) as error:  # SQLite quotes a damaged text in its message
        raise describe_refusal(world, error, mend) from error


def require_up_to_date(world: Path) -> None:
    """Raise StorageError unless a file is a world with the tables of this version."""
    found = inspect(world, whole=False)
    if found is None:
        raise StorageError(f"There is no world {world}; name its folder with --data.")
    if found.version != HEAD:
        raise StorageError(
            f"The world {world} is of another version of Gloam; start this version's server once."
        )


def describe_refusal(world: Path, error: BaseException, mend: str = MEND) -> StorageError:
    """Return in words why a world cannot be opened or read: `error` is the operating system's, or the database's."""
    if is_too_long(world):
        return StorageError(f"The path {world} is longer than SQLite takes; name a shorter one with --data.")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, UnicodeDecodeError) or "Could not decode to UTF-8" in str(error):
        return StorageDamaged(f"The file {world} is damaged (a text in it cannot be read); {mend}.")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StorageDamaged(f"The file {world} is damaged or is no world ({error}); {mend}.")
    if isinstance(error, OSError) or code in (
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
    ):
        why = f" ({error.strerror})" if isinstance(error, OSError) else ""
        return StorageError(
            f"The file {world} cannot be written{why}; make it writable, or choose another with --data."
        )
    if code == sqlite3.SQLITE_FULL:
        return StorageFull(
            f"The disk of {world} is full; nothing is lost, so make room and give the command again."
        )
    if code == sqlite3.SQLITE_BUSY:
        return StorageFault(
            f"The world's file {world} is being written by another process; end that one first."
        )
    return StorageFault(f"The world {world} could not be read or written ({error}); look at the disk.")


def _require_database(world: Path, mend: str) -> None:
    """Raise StorageError if a file does not begin like a SQLite file."""
    with world.open("rb") as file:
        begins = file.read(len(_MAGIC))
    if not begins:
        raise StorageError(f"The file {world} is empty (0 bytes), so it is no world; {mend}.")
    if begins != _MAGIC:
        raise StorageDamaged(f"The file {world} is damaged or is no world (it is no SQLite file); {mend}.")


def _of_ours(connection: sqlite3.Connection, world: Path, mend: str) -> WorldFileInfo:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        raise StorageError(f"The file {world} has no tables, so it is no world; {mend}.")
    if "alembic_version" not in tables or len(tables) > 1 > len(tables & {"realm", "journal"}):
        raise StorageError(f"The file {world} belongs to another program; {mend}.")
    versions = [str(version) for (version,) in connection.execute("SELECT version_num FROM alembic_version")]
    version = versions[0] if versions else None
    if version not in (None, HEAD) and version not in known_versions():
        raise StorageError(
            f"The world {world} was written by a newer Gloam (its version {version}, ours {HEAD}); upgrade the server."
        )
    if version == HEAD:
        _require_columns(connection, world)
    founded = "realm" in tables and bool(connection.execute("SELECT count(*) FROM realm").fetchone()[0])
    if founded and version is None:
        raise StorageDamaged(f"The file {world} is damaged (the version of its tables is lost).")
    return WorldFileInfo(version, founded)


def _require_columns(connection: sqlite3.Connection, world: Path) -> None:
    """Raise StorageDamaged unless the tables are of this version."""
    for table, columns in TABLES.items():
        found = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")}
        if found != {*columns}:
            raise StorageDamaged(f"The file {world} is damaged (its table of {table} is described wrongly).")


def _require_whole(connection: sqlite3.Connection, world: Path) -> None:
    result = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if result != "ok":
        raise StorageDamaged(f"The file {world} is damaged ({result}).")
