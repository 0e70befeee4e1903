"""Archived lives in SQLite: a part of the directory."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from gloam_server.storage.archive import ArchiveChange, ArchivedRow
from gloam_server.storage.sqlite.integrity.checksums import crc_of
from gloam_server.storage.sqlite.snapshot_bodies import pack, unpack
from gloam_server.storage.sqlite.transactions import Transactions

_LIFE: Final = (
    "SELECT account, life, place, sequence, body, returned, crc FROM archived_lives"
    " WHERE account = ? AND sequence = ? ORDER BY place"
)
_WRITE: Final = (
    "INSERT INTO archived_lives (account, life, place, sequence, body) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (account, sequence, place) DO UPDATE SET life = excluded.life, body = excluded.body, returned = NULL"
)
_RETURN: Final = "UPDATE archived_lives SET returned = ? WHERE account = ? AND sequence = ?"
_DROP_RETURNED: Final = (
    "DELETE FROM archived_lives WHERE returned < (SELECT min(sequence) FROM journal WHERE place = 0)"
)


class SqliteArchive:
    """The implementation of `Archive` on tables that are up to date."""

    _transactions: Transactions

    def archived_life(self, account: int, sequence: int) -> list[ArchivedRow]:
        """Return the rows of a life that the realm's record `sequence` archived, by partition."""
        with self._transactions.begin() as connection:
            return [_read(*row) for row in connection.execute(_LIFE, (account, sequence))]

    def write_archive(self, change: ArchiveChange) -> None:
        """Write the rows of archived lives, each once however often it is tried, and note the lives that have returned."""
        with self._transactions.begin() as connection:
            for row in change.rows:
                values = (row.account, row.life, row.partition, row.sequence, pack(row.body))
                connection.execute(_WRITE, values)
            for account, archived, returned in change.returned:
                connection.execute(_RETURN, (returned, account, archived))


def drop_returned(connection: sqlite3.Connection) -> None:
    """Delete the rows of lives whose return is no longer in the journal: no salvage cuts the world before it."""
    connection.execute(_DROP_RETURNED)


def until(rows: Sequence[dict[str, object]], last: int) -> list[dict[str, object]]:
    """Return the rows of a world whose realm ends with record `last`; lives that returned later have not returned."""
    return [
        {**row, "returned": row["returned"] if _at_most(row["returned"], last) else None}
        for row in rows
        if _at_most(row["sequence"], last)
    ]


def _read(*row: Any) -> ArchivedRow:
    *values, crc = row
    account, life, partition, sequence, body, _ = values
    return ArchivedRow(account, life, partition, sequence, unpack(body) if crc_of(*values) == crc else b"")


def _at_most(value: object, last: int) -> bool:
    return isinstance(value, int) and value <= last
