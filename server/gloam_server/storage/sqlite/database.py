"""Opening a world's file: lock, connect, bring the tables up to date. Every error is one sentence."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Connection, Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.exc import DBAPIError

from gloam_server.storage.journal import StorageDamaged, StorageError, StorageFault, StorageFull, WorldOpen
from gloam_server.storage.sqlite.file_access import (
    SIDECARS,
    connect_to,
    is_there,
    is_too_long,
    publish,
    remove,
    sidecar,
)
from gloam_server.storage.sqlite.integrity.checksum_triggers import checksum_all, install_checksum_triggers
from gloam_server.storage.sqlite.world_file.backup import keep_former
from gloam_server.storage.sqlite.world_file.copy import WorldCopy
from gloam_server.storage.sqlite.world_file.inspection import HEAD, WorldFileInfo, describe_refusal, inspect
from gloam_server.storage.sqlite.world_file.leftovers import require_no_leftovers
from gloam_server.storage.sqlite.world_file.replacement import finish_replacement, scratch_path

_BUSY_MS: Final = 5_000
_AT_ONCE: Final = "gloam_at_once"
AT_ONCE: Final = {_AT_ONCE: True}
"""The execution options of an engine whose transactions take the lock for writing when they begin."""
_GLANCES: Final = 5
_GLANCE_S: Final = 0.05


class WorldLock:
    """Held by the one server that has a world open; the kernel releases it when the process ends."""

    def __init__(self, path: Path, *, take_over: bool = False) -> None:
        self._path = path
        self._made = not is_there(path)
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
                if take_over:  # the other server keeps its lock on a file that no longer has a name
                    path.unlink(missing_ok=True)
                else:
                    time.sleep(_GLANCE_S)  # a client may be checking whether the world is open
            os.close(self._file)
        raise BlockingIOError

    def release(self, *, unused: bool = False) -> None:
        """Let another server open the world. With `unused`, remove the lock file if it is new."""
        if self._file >= 0:
            if unused and self._made:
                self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1


class OpenDatabase(NamedTuple):
    """A world's database, and the path of its copy from before, if its tables had to be upgraded."""

    engine: Engine
    lock: WorldLock
    former: WorldCopy | None


def open_database(
    path: Path, *, take_over: bool = False, make: bool = True, older: bool = True
) -> OpenDatabase:
    """Return a world's database with its tables up to date. Raises StorageError, and the folder is then as it was.

    `take_over` takes the lock from another server that holds it. `make` creates the file if there is no part
    of a world yet; `older` brings tables of an older version up to date.
    """
    lock = take_lock(path, take_over=take_over)
    try:
        finish_replacement(path)
        found = _inspect_or_make(path, make=make, older=older)
        former = keep_former(path, "tables", f"{found.version}-{_now()}") if _is_older(found) else None
        engine = connect(path)
        try:
            if found.version != HEAD:
                with engine.begin() as connection:
                    _upgrade(connection)
        except DBAPIError:
            engine.dispose()
            if former is not None:
                former.path.unlink(missing_ok=True)
            raise
    except (DBAPIError, OSError) as error:
        lock.release(unused=True)
        raise describe_refusal(path, getattr(error, "orig", error)) from error
    except StorageError:
        lock.release(unused=True)
        raise
    install_checksum_triggers(engine)
    return OpenDatabase(engine, lock, former)


def take_lock(path: Path, *, take_over: bool = False) -> WorldLock:
    """Take the lock of a world's file, and create its folder if needed. Raises StorageError."""
    if is_too_long(path):
        raise StorageError(f"The path {path} is longer than SQLite takes; name a shorter one with --data.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return WorldLock(sidecar(path, "-lock"), take_over=take_over)
    except BlockingIOError as error:
        raise WorldOpen(
            f"The world {path} is open in another server; stop that one first, or, where it hangs, "
            "take the world over with `gloam-server run --take-over`."
        ) from error
    except OSError as error:
        raise StorageError(
            f"The folder {path.parent} cannot be written ({error.strerror}); "
            "choose another with --data, or make it writable."
        ) from error


def make_database(path: Path, fill: Callable[[Connection], None] = lambda _: None) -> None:
    """Make a file with the tables of this version, filled by `fill` in one transaction, and close it."""
    remove(path)
    engine = connect(path, mode="rwc")
    try:
        with engine.begin() as connection:
            _upgrade(connection)
            fill(connection)
            checksum_all(connection)
    finally:
        engine.dispose()


def connect(path: Path, *, mode: str = "rw") -> Engine:
    """Return an engine on a SQLite file, configured so that every commit survives a power cut."""
    engine = create_engine(URL.create("sqlite", database=str(path)), creator=lambda: connect_to(path, mode))
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def driver_of(connection: Connection | PoolProxiedConnection) -> sqlite3.Connection:
    """Return the driver's own connection."""
    pooled = connection.connection if isinstance(connection, Connection) else connection
    driver = pooled.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def explain_error(error: DBAPIError | sqlite3.Error) -> StorageError:
    """Return the meaning of a database error for the host."""
    if _primary_code(error) == sqlite3.SQLITE_FULL:
        return StorageFull("The disk is full; nothing is lost, and play goes on when there is room again.")
    if _primary_code(error) == sqlite3.SQLITE_BUSY:
        return StorageFault("The world's file is being written by another process; end that one first.")
    if _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StorageDamaged(
            f"The world's file is damaged ({_original(error)}); stop the server and start it again."
        )
    return StorageFault(f"The world could not be read or written ({_original(error)}); look at the disk.")


def _set_up(connection: sqlite3.Connection, _record: Any) -> None:
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"busy_timeout = {_BUSY_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(
        "BEGIN IMMEDIATE" if _AT_ONCE in connection.get_execution_options() else "BEGIN"
    )


def _inspect_or_make(path: Path, *, make: bool, older: bool) -> WorldFileInfo:
    """Return the state of a world's file, created if allowed: atomically, and never over remains."""
    empty = is_there(path) and path.is_file() and not path.stat().st_size
    if make and (empty or not is_there(path)):
        require_no_leftovers(path)
        _make(path)
    found = inspect(path, locked=True)
    if found is None:
        raise StorageError(f"There is no world {path}; name its folder with --data.")
    if found.version != HEAD and not older:
        raise StorageError(f"The world {path} is of an older Gloam; start this version's server once.")
    if not found.founded and not make:
        raise StorageError(f"The world {path} was never finished; start its server once, which does so.")
    if not found.founded:  # its server was killed before; its journal holds nothing yet
        require_no_leftovers(path, but=("", *SIDECARS))
    return found


def _make(path: Path) -> None:
    try:
        make_database(scratch_path(path))
        publish(scratch_path(path), path)
    except (DBAPIError, OSError):
        remove(scratch_path(path))
        raise


def _is_older(found: WorldFileInfo) -> bool:
    return found.version not in (None, HEAD)


def _now() -> str:
    return time.strftime("%Y%m%d-%H%M%S", time.gmtime())


def _upgrade(connection: Connection) -> None:
    from gloam_server.storage.sqlite import migrations  # noqa: PLC0415  # Alembic takes 0.2 s to load, and is seldom needed

    migrations.upgrade(connection)


def _primary_code(error: DBAPIError | sqlite3.Error) -> int:
    return getattr(_original(error), "sqlite_errorcode", 0) & 0xFF


def _original(error: DBAPIError | sqlite3.Error) -> BaseException | None:
    """Return the error of the driver."""
    return error.orig if isinstance(error, DBAPIError) else error
