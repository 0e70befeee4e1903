"""Opening a world's file: lock, connect, bring the tables up to date. Every error is one sentence."""

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from gloam_server.storage.errors import StorageDamaged, StorageError, StorageFault, StorageFull, WorldOpen
from gloam_server.storage.sql.migrations import HEAD
from gloam_server.storage.sqlite import file_access
from gloam_server.storage.sqlite.integrity.checksum_triggers import checksum_all, install_checksum_triggers
from gloam_server.storage.sqlite.migrations import upgrade
from gloam_server.storage.sqlite.world_file.backup import keep_former
from gloam_server.storage.sqlite.world_file.copy import WorldCopy
from gloam_server.storage.sqlite.world_file.inspection import WorldFileInfo, describe_refusal, inspect
from gloam_server.storage.sqlite.world_file.leftovers import require_no_leftovers
from gloam_server.storage.sqlite.world_file.replacement import finish_replacement, scratch_path

_BUSY_MS: Final = 5_000
_PRAGMAS: Final = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_GLANCES: Final = 5
_GLANCE_S: Final = 0.05


class WorldLock:
    """Held by the one server that has a world open; the kernel releases it when the process ends."""

    def __init__(self, path: Path, *, take_over: bool = False) -> None:
        self._path = path
        self._made = not file_access.is_there(path)
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


class Connections:
    """The connections to a world's file, one for each thread that asks; every commit survives a power cut."""

    def __init__(self, path: Path, *, mode: str = "rw") -> None:
        self._path = path
        self._mode = mode
        self._is_sealed = False
        self._of_thread = threading.local()
        self._open: list[sqlite3.Connection] = []

    def connection(self) -> sqlite3.Connection:
        """Return the connection of this thread. Raises sqlite3.Error."""
        found: sqlite3.Connection | None = getattr(self._of_thread, "connection", None)
        if found is None:
            found = connect(self._path, mode=self._mode)
            self._open.append(found)
            if self._is_sealed:
                install_checksum_triggers(found)
            self._of_thread.connection = found
        return found

    def seal(self) -> None:
        """Make all connections update the checksums of their writes; the tables must be up to date."""
        self.close()
        self._is_sealed = True

    def close(self) -> None:
        """Close the connections of all threads."""
        for each in self._open:
            each.close()
        self._open.clear()
        self._of_thread = threading.local()


class OpenDatabase(NamedTuple):
    """A world's database, and its copy from before, if its tables had to be upgraded."""

    connections: Connections
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
        connections = Connections(path)
        try:
            if found.version != HEAD:
                _upgrade(connections.connection())
        except sqlite3.Error:
            connections.close()
            if former is not None:
                former.path.unlink(missing_ok=True)
            raise
    except (sqlite3.Error, OSError) as error:
        lock.release(unused=True)
        raise describe_refusal(path, error) from error
    except StorageError:
        lock.release(unused=True)
        raise
    connections.seal()
    return OpenDatabase(connections, lock, former)


def take_lock(path: Path, *, take_over: bool = False) -> WorldLock:
    """Take the lock of a world's file, and create its folder if needed. Raises StorageError."""
    if file_access.is_too_long(path):
        raise StorageError(f"The path {path} is longer than SQLite takes; name a shorter one with --data.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return WorldLock(file_access.sidecar(path, "-lock"), take_over=take_over)
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


def make_database(path: Path, fill: Callable[[sqlite3.Connection], None] | None = None) -> None:
    """Make a file with the tables of this version, filled by `fill` in one transaction, and close it."""
    file_access.remove(path)
    with closing(connect(path, mode="rwc")) as connection:
        _upgrade(connection, fill)


def connect(path: Path, *, mode: str = "rw") -> sqlite3.Connection:
    """Return a connection to a world's file whose commits survive a power cut. Raises sqlite3.Error."""
    connection = file_access.connect_to(path, mode)
    try:
        for pragma in (*_PRAGMAS, f"busy_timeout = {_BUSY_MS}"):
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def explain_error(error: sqlite3.Error) -> StorageError:
    """Return the meaning of a database error for the host."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageFull("The disk is full; nothing is lost, and play goes on when there is room again.")
    if code == sqlite3.SQLITE_BUSY:
        return StorageFault("The world's file is being written by another process; end that one first.")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StorageDamaged(f"The world's file is damaged ({error}); stop the server and start it again.")
    return StorageFault(f"The world could not be read or written ({error}); look at the disk.")


def _inspect_or_make(path: Path, *, make: bool, older: bool) -> WorldFileInfo:
    """Return the state of a world's file, created if allowed: atomically, and never over remains."""
    empty = file_access.is_there(path) and path.is_file() and not path.stat().st_size
    if make and (empty or not file_access.is_there(path)):
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
        require_no_leftovers(path, but=("", *file_access.SIDECARS))
    return found


def _make(path: Path) -> None:
    try:
        make_database(scratch_path(path))
        file_access.publish(scratch_path(path), path)
    except (sqlite3.Error, OSError):
        file_access.remove(scratch_path(path))
        raise


def _is_older(found: WorldFileInfo) -> bool:
    return found.version not in (None, HEAD)


def _now() -> str:
    return time.strftime("%Y%m%d-%H%M%S", time.gmtime())


def _upgrade(
    connection: sqlite3.Connection, fill: Callable[[sqlite3.Connection], None] | None = None
) -> None:
    """Bring the tables up to date, and fill them, in one transaction."""
    connection.execute("BEGIN")
    upgrade(connection)
    if fill is not None:
        fill(connection)
        checksum_all(connection)
    connection.execute("COMMIT")
