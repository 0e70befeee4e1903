"""The rows of a whole world, for moves between databases: read, written, and their digest."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final

import msgspec

from gloam_server.storage.journal import Record, WriterClaim
from gloam_server.storage.sql.tables import TABLES
from gloam_server.storage.sql.transactions import Connection

MOVED: Final = {
    table: tuple(column for column in columns if column != "crc")
    for table, columns in TABLES.items()
    if table not in ("journal", "claims")
}
"""The tables that move as they are, with their columns. Records and claims are elsewhere in some backends."""

_ORDERED: Final = {"shunned": "rowid"}
"""The columns that keep the order of rows, where it counts."""

_SIZE: Final = 16
_encoder: Final = msgspec.msgpack.Encoder()


def read_rows(connection: Connection, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table without their checksums."""
    order = f" ORDER BY {_ORDERED[table]}" if table in _ORDERED else ""
    query = f"SELECT {', '.join(MOVED[table])} FROM {table}{order}"  # noqa: S608  # names of ours
    return [tuple(row) for row in connection.execute(query)]


def write_rows(connection: Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write the rows of an empty table."""
    columns = MOVED[table]
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"  # noqa: S608  # as above
    connection.executemany(statement, list(rows))


def digest_of_world(
    connection: Connection, claim: WriterClaim | None, records: Iterable[Record]
) -> tuple[int, bytes]:
    """Return the number of records of a world, and a digest of all its rows and records.

    `records` are sorted by partition and sequence.
    """
    digest = blake2b(digest_size=_SIZE)
    for table in MOVED:
        rows = [_encoder.encode((table, *row)) for row in read_rows(connection, table)]
        for row in rows if table in _ORDERED else sorted(rows):
            digest.update(row)
    digest.update(_encoder.encode(claim))
    count = 0
    for record in records:
        digest.update(_encoder.encode(record))
        count += 1
    return count, digest.digest()
