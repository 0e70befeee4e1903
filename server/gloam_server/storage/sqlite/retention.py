"""Retention: deletes journal records that no kept snapshot needs, once they are old or too large in total.

A mark also follows each time that much was written. The rules of it are in `sql.retention`.
"""

import sqlite3
from typing import Final

from gloam_server.storage.sql.directory.sql_archive import drop_returned
from gloam_server.storage.sql.queries import first_value, newest_record, partitions
from gloam_server.storage.sql.retention import (
    KEEP_S,
    MARK_EVERY_S,
    ROWS_MAX,
    first_needed_record,
    last_marks,
    put_mark,
    snapshot_sequences,
)
from gloam_shared.level_numbers import PartitionId

KEEP_BYTES: Final = 1 << 30
"""The size that the file stays below: from seven eighths of it, older records are deleted earlier.

What is written between two calls has room in the last eighth.
"""

MARKS_IN_FILE: Final = 16
"""A mark also follows each such part of the largest size: that much is deleted in one go."""


def drop_old_records(
    connection: sqlite3.Connection,
    now_s: int,
    *,
    keep_s: int = KEEP_S,
    keep_bytes: int = KEEP_BYTES,
    grown: int = 0,
) -> int:
    """Delete up to ROWS_MAX records that are old enough; return their number: none if there is nothing to delete.

    `grown` is how many bytes were written since the last mark.
    """
    drop_returned(connection)
    positions = {
        partition: newest.sequence
        for partition in partitions(connection, "journal")
        if (newest := newest_record(connection, partition)) is not None
    }
    put_mark(connection, positions, now_s, MARK_EVERY_S if grown < keep_bytes // MARKS_IN_FILE else 1)
    until_s: int | None = now_s - keep_s
    while until_s is not None:
        left = ROWS_MAX
        for partition, sequence in last_marks(connection, until_s):
            left -= _drop(connection, partition, sequence, left)
        if left < ROWS_MAX:
            return ROWS_MAX - left
        # All up to these marks is deleted already.
        connection.execute("DELETE FROM marks WHERE at_s <= ?", (until_s,))
        too_large = _bytes_used(connection) > keep_bytes - keep_bytes // 8
        until_s = first_value(connection, "SELECT min(at_s) FROM marks") if too_large else None
    return 0


def _drop(connection: sqlite3.Connection, partition: PartitionId, until: int, rows_max: int) -> int:
    """Drop a partition's records up to a snapshot that is not after `until`, the oldest first, and the snapshots before it."""
    newest = newest_record(connection, partition)
    last = 0 if newest is None else newest.sequence
    begin = first_needed_record(snapshot_sequences(connection, partition), until, last)
    first: int | None = first_value(
        connection, "SELECT min(sequence) FROM journal WHERE place = ?", (partition,)
    )
    if begin is None or first is None:
        return 0
    connection.execute("DELETE FROM snapshots WHERE place = ? AND sequence < ?", (partition, begin))
    end = min(begin, first + rows_max - 1)
    if end < first:
        return 0
    connection.execute("DELETE FROM journal WHERE place = ? AND sequence <= ?", (partition, end))
    return end - first + 1


def _bytes_used(connection: sqlite3.Connection) -> int:
    """Return the size of the file without its free pages."""
    pages, free, size = (
        int(first_value(connection, f"PRAGMA {name}"))
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
