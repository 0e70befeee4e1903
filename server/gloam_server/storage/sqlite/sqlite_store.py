"""An open world in SQLite: all interfaces on one file."""

import sqlite3
from pathlib import Path

from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import LostInputs
from gloam_server.storage.sql.sql_snapshots import SqlSnapshots
from gloam_server.storage.sqlite.database import OpenDatabase, open_database
from gloam_server.storage.sqlite.file_access import SIDECARS, publish, sidecar
from gloam_server.storage.sqlite.integrity.checksums import check_slice
from gloam_server.storage.sqlite.sqlite_directory import SqliteDirectory
from gloam_server.storage.sqlite.sqlite_journal import SqliteJournal
from gloam_server.storage.sqlite.transactions import Transactions
from gloam_server.storage.sqlite.world_file.copy import verify_copy
from gloam_server.storage.sqlite.world_file.durability_witness import DurabilityWitness
from gloam_server.storage.sqlite.world_file.version_check import refuse_newer
from gloam_server.storage.store import CheckCursor, CheckResult, HashOf, Store


def open_sqlite(path: Path, *, take_over: bool = False, make: bool = True, older: bool = True) -> Store:
    """Return the world in a file; see `open_store`."""
    refuse_newer(path)
    database = open_database(path, take_over=take_over, make=make, older=older)
    transactions = Transactions(database.connections)
    try:
        journal = SqliteJournal(transactions, DurabilityWitness(path))
    except (StorageError, sqlite3.Error):
        database.connections.close()
        database.lock.release()
        raise
    return Store(
        journal,
        SqlSnapshots(transactions, journal.take_note),
        SqliteDirectory(transactions),
        database.lock,
        _OpenFile(path, database, transactions, journal),
    )


class _OpenFile:
    """The file of an open world."""

    def __init__(
        self, path: Path, database: OpenDatabase, transactions: Transactions, journal: SqliteJournal
    ) -> None:
        self._path = path
        self._kept = database.former
        self._lock = database.lock
        self._transactions = transactions
        self._journal = journal

    @property
    def former(self) -> Path | None:
        """The path of the world's copy from before, if its tables had to be upgraded."""
        return self._kept.path if self._kept is not None else None

    def lacking(self) -> LostInputs | None:
        """Return the inputs that were confirmed durable but are missing, according to the witness."""
        return self._journal.lacking()

    def look(self, cursor: CheckCursor | None, hash_of: HashOf) -> CheckResult:
        """Check the next rows for damage."""
        with self._transactions.begin() as connection:
            return check_slice(connection, cursor, hash_of)

    def put_back(self) -> None:
        """Close, and restore the world from before it was opened, so that an older version can open it."""
        self._transactions.connections.close()
        try:
            if self._kept is not None:
                verify_copy(self._kept.path, self._kept.summary)
                for ending in SIDECARS:  # SQLite would apply a remaining log to the restored file
                    sidecar(self._path, ending).unlink(missing_ok=True)
                publish(self._kept.path, self._path)
                self._kept = None
        finally:
            self._journal.close()
            self._lock.release()
