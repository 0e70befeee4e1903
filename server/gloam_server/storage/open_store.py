"""Opening a world: the one place that names a backend. Imported by `app`, by commands on a world's file, and by tests."""

from pathlib import Path

from gloam_server.storage.sqlite.sqlite_file import SqliteFile
from gloam_server.storage.sqlite.sqlite_store import open_sqlite
from gloam_server.storage.store import FileStore, Store


def open_store(path: Path, *, take_over: bool = False, make: bool = True, older: bool = True) -> Store:
    """Return an open world. Raises StorageError with a sentence for the host, and then leaves the folder unchanged.

    `take_over` opens it even while another server has it open; `claim` then fences that one. `make` creates
    the file if there is no part of a world yet; `older` brings tables of an older version up to date.
    """
    return open_sqlite(path, take_over=take_over, make=make, older=older)


def file_store(path: Path) -> FileStore:
    """Return a world's file, which need not exist."""
    return SqliteFile(path)
