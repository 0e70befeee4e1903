"""Opening a world's file: lock, connect, bring the tables up to date. What goes wrong is told in one sentence."""

import fcntl
import os
import sqlite3
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError

from gloam_server.storage.backup import backup
from gloam_server.storage.integrity import keep_sealed
from gloam_server.storage.journal import StorageDamaged, StorageError, StorageFault, StorageFull

HEAD: Final = "0008"
"""The newest step in `migrations`. Stands here so that a world that is up to date opens without loading Alembic."""

_BUSY_MS: Final = 5_000
_LOOKED_OVER_MAX: Final = 1 << 27  # bytes; reading so many takes well under a second
_GLANCES: Final = 5
_GLANCE_S: Final = 0.05


class Lock:
    """Held by the one server that has a world open; the kernel lets go of it when the process ends."""

    def __init__(self, path: Path, *, take_over: bool = False) -> None:
        for last in (False,) * _GLANCES + (True,):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(self._file), path.stat()):
                    return
            except FileNotFoundError:  # taken over just now
                pass
            except BlockingIOError:
                if last:
                    os.close(self._file)
                    raise
                if take_over:  # the other keeps its lock on a file that nobody finds any more
                    path.unlink(missing_ok=True)
                else:
                    time.sleep(_GLANCE_S)  # a client may just be looking whether the world is open
            os.close(self._file)
        raise BlockingIOError

    def release(self) -> None:
        """Let another server open the world."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Opened(NamedTuple):
    """A world's database, and where it is kept as it was, if its tables had to be brought up to date."""

    engine: Engine
    lock: Lock
    former: Path | None


def open_database(path: Path, *, take_over: bool = False) -> Opened:
    """Return a world's database, made if need be, with its tables up to date. Raises StorageError.

    `take_over` takes the lock from another server that holds it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = Lock(path.with_name(f"{path.name}-lock"), take_over=take_over)
    except BlockingIOError as error:
        raise StorageError(
            f"The world {path} is open in another server; stop that one first, or, where it hangs, "
            "take the world over with `gloam-server run --take-over`."
        ) from error
    except OSError as error:
        raise StorageError(
            f"The folder {path.parent} cannot be written ({error.strerror}); "
            "choose another with --data, or make it writable."
        ) from error
    engine = connect(path)
    try:
        with engine.begin() as connection:
            _look_over(connection, path)
            former = _bring_up_to_date(connection, path)
    except DBAPIError as error:
        engine.dispose()
        lock.release()
        raise _why_closed(path, error) from error
    except StorageError:
        engine.dispose()
        lock.release()
        raise
    keep_sealed(engine)
    return Opened(engine, lock, former)


def connect(path: Path) -> Engine:
    """Return an engine on a SQLite file, set so that what was committed survives a pulled plug."""
    engine = create_engine(URL.create("sqlite", database=str(path)))
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def require_up_to_date(engine: Engine, path: Path) -> None:
    """Raise StorageError unless a world's tables are those of this version."""
    try:
        with engine.begin() as connection:
            version = connection.scalar(text("SELECT version_num FROM alembic_version"))
    except DBAPIError as error:
        raise _why_closed(path, error) from error
    if version != HEAD:
        raise StorageError(
            f"The world {path} is of another version of Gloam; start this version's server once."
        )


def fault(error: DBAPIError) -> StorageError:
    """Return what an error of the database means to whoever runs the server."""
    if _primary_code(error) == sqlite3.SQLITE_FULL:
        return StorageFull("The disk is full; nothing is lost, and play goes on when there is room again.")
    if _primary_code(error) == sqlite3.SQLITE_BUSY:
        return StorageFault("The world's file is being written by another process; end that one first.")
    if _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StorageDamaged(
            f"The world's file is damaged ({error.orig}); stop the server and start it again."
        )
    return StorageFault(f"The world could not be read or written ({error.orig}); look at the disk.")


def _set_up(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # `_begin` begins; the driver's own rules leave out what changes tables
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"busy_timeout = {_BUSY_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _look_over(connection: Connection, path: Path) -> None:
    """Raise StorageDamaged when a file that is small enough to be read through is not whole."""
    if path.stat().st_size > _LOOKED_OVER_MAX:
        return
    verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if verdict != "ok":
        raise StorageDamaged(f"The file {path} is damaged ({verdict}).")


def _bring_up_to_date(connection: Connection, path: Path) -> Path | None:
    """Make the tables those of this version; return where a world with older ones is kept as it was."""
    tables = inspect(connection).get_table_names()
    if tables and "alembic_version" not in tables:
        raise StorageError(f"The file {path} belongs to another program; choose another with --data.")
    version = connection.scalar(text("SELECT version_num FROM alembic_version")) if tables else None
    if version == HEAD:
        return None
    if version is not None and version not in _known():
        raise StorageError(
            f"The world {path} was written by a newer Gloam (its version {version}, ours {HEAD}); upgrade the server."
        )
    former = None
    if version is not None:
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        former = path.with_name(f"{path.stem}.tables-{version}-{stamp}{path.suffix}")
        backup(path, former)
    _upgrade(connection)
    return former


def _upgrade(connection: Connection) -> None:
    from gloam_server.storage import migrations  # noqa: PLC0415  # Alembic takes 0.2 s to load, and is seldom needed

    migrations.upgrade(connection)


def _known() -> set[str]:
    from gloam_server.storage import migrations  # noqa: PLC0415  # as above

    return migrations.known()


def _why_closed(path: Path, error: DBAPIError) -> StorageError:
    match _primary_code(error):
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return StorageDamaged(
                f"The file {path} is damaged or is no world; restore a copy, or choose another."
            )
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return StorageError(
                f"The file {path} cannot be written; make it writable, or choose another with --data."
            )
        case _:
            return fault(error)


def _primary_code(error: DBAPIError) -> int:
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
