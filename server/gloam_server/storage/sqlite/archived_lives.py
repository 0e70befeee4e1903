"""Archived lives in SQLite: another part of the journal, which provides the transactions."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from gloam_server.storage.archive import ArchiveChange, ArchivedRow
from gloam_server.storage.sqlite import tables
from gloam_server.storage.sqlite.integrity.checksums import crc_of
from gloam_server.storage.sqlite.snapshot_bodies import pack, unpack

_lives, _journal = tables.archived_lives.c, tables.journal.c
_REALM: Final = 0


class SqliteArchive:
    """The implementation of `Archive` on tables that are up to date."""

    def _transaction(self) -> AbstractContextManager[Connection]:
        raise NotImplementedError

    def archived_life(self, account: int, sequence: int) -> list[ArchivedRow]:
        """Return the rows of a life that the realm's record `sequence` archived, by place."""
        query = (
            select(tables.archived_lives)
            .where(_lives.account == account, _lives.sequence == sequence)
            .order_by(_lives.place)
        )
        with self._transaction() as connection:
            return [_read(row) for row in connection.execute(query)]


def write_archive(connection: Connection, change: ArchiveChange) -> None:
    """Write the rows of archived lives, each once however often it is tried, and note the lives that have returned."""
    for row in change.rows:
        values = {
            "account": row.account,
            "life": row.life,
            "place": row.place,
            "sequence": row.sequence,
            "body": pack(row.body),
            "returned": None,
        }
        written = upsert(tables.archived_lives).values(values)
        connection.execute(
            written.on_conflict_do_update(index_elements=["account", "sequence", "place"], set_=values)
        )
    for account, archived, returned in change.returned:
        life = _lives.account == account, _lives.sequence == archived
        connection.execute(update(tables.archived_lives).where(*life).values(returned=returned))


def drop_returned(connection: Connection) -> None:
    """Delete the rows of lives whose return is no longer in the journal: no salvage cuts the world before it."""
    first = select(func.min(_journal.sequence)).where(_journal.place == _REALM).scalar_subquery()
    connection.execute(delete(tables.archived_lives).where(_lives.returned < first))


def _read(row: Any) -> ArchivedRow:
    *values, crc = row
    body = unpack(row.body) if crc_of(*values) == crc else b""
    return ArchivedRow(row.account, row.life, row.place, row.sequence, body)


def until(rows: Sequence[dict[str, object]], last: int) -> list[dict[str, object]]:
    """Return the rows of a world whose realm ends with record `last`; lives that returned later have not returned."""
    return [
        {**row, "returned": row["returned"] if _at_most(row["returned"], last) else None}
        for row in rows
        if _at_most(row["sequence"], last)
    ]


def _at_most(value: object, last: int) -> bool:
    return isinstance(value, int) and value <= last
