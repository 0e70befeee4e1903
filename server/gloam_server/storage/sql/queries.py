"""Queries that more than one module needs, each answered by the primary key without reading bodies."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from gloam_server.storage.sql.transactions import Connection
from gloam_shared.level_numbers import PartitionId


def first_value(connection: Connection, query: str, values: Sequence[Any] = ()) -> Any:
    """Return the first value of the first row; None if there is no row."""
    row = connection.execute(query, values).fetchone()
    return None if row is None else row[0]


def partitions(connection: Connection, table: Literal["journal", "snapshots"]) -> list[int]:
    """Return the partitions in a table, in order: one step in the key for each of them."""
    found: list[int] = []
    query = f"SELECT min(place) FROM {table} WHERE place > ?"  # noqa: S608  # one of two names
    while (partition := first_value(connection, query, (found[-1] if found else -1,))) is not None:
        found.append(partition)
    return found


class Newest(NamedTuple):
    """A partition's newest record, without its body."""

    sequence: int
    beat: int


def newest_record(connection: Connection, partition: PartitionId) -> Newest | None:
    """Return a partition's newest record, if it has one."""
    query = "SELECT sequence, beat FROM journal WHERE place = ? ORDER BY sequence DESC LIMIT 1"
    row = connection.execute(query, (partition,)).fetchone()
    return Newest(*row) if row else None
