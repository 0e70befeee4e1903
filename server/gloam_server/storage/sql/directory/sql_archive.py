"""Archived lives in SQL: a part of the directory."""

from collections.abc import Sequence
from typing import Any, Final

from gloam_server.storage.archive import ArchiveChange, ArchivedRow
from gloam_server.storage.sql.snapshot_bodies import pack, unpack
from gloam_server.storage.sql.transactions import Connection, Transactions

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


class SqlArchive:
    """The implementation of `Archive` on tables that are up to date."""

    _transactions: Transactions

    def archived_life(self, account: int, sequence: int) -> list[ArchivedRow]:
        """Return the rows of a life that the realm's record `sequence` archived, by partition."""
        with self._transactions.begin() as connection:
            return [self._read(*row) for row in connection.execute(_LIFE, (account, sequence))]

    def write_archive(self, change: ArchiveChange) -> None:
        """Write the rows of archived lives, each once however often it is tried, and note the lives that have returned."""
        with self._transactions.begin() as connection:
            for row in change.rows:
                values = (row.account, row.life, row.partition, row.sequence, pack(row.body))
                connection.execute(_WRITE, values)
            for account, archived, returned in change.returned:
                connection.execute(_RETURN, (returned, account, archived))

    def is_intact(self, values: Sequence[Any], crc: int) -> bool:  # noqa: ARG002  # for backends that check rows
        """Return whether a row has its checksum, where the database itself does not check its pages."""
        return True

    def _read(self, *row: Any) -> ArchivedRow:
        *values, crc = row
        account, life, partition, sequence, body, _ = values
        return ArchivedRow(
            account, life, partition, sequence, unpack(body) if self.is_intact(values, crc) else b""
        )


def drop_returned(connection: Connection) -> None:
    """Delete the rows of lives whose return is no longer in the journal: no salvage cuts the world before it."""
    connection.execute(_DROP_RETURNED)


def until(rows: Sequence[dict[str, object]], last: int) -> list[dict[str, object]]:
    """Return the rows of a world whose realm ends with record `last`; lives that returned later have not returned."""
    return [
        {**row, "returned": row["returned"] if _at_most(row["returned"], last) else None}
        for row in rows
        if _at_most(row["sequence"], last)
    ]


def _at_most(value: object, last: int) -> bool:
    return isinstance(value, int) and value <= last
