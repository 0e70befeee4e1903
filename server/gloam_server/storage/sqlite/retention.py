"""Retention: deletes journal records that no kept snapshot needs, once they are old or too large in total.

From time to time, and each time that much was written, a mark stores the position of every partition. Records are deleted only up to a mark, and never those
after the older of a partition's two newest snapshots, so that a replay can always begin there. A snapshot of each day is
kept with the records that follow it, and deletion ends at a kept snapshot: all remaining records can be replayed.
"""

import sqlite3
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from gloam_server.storage.sqlite.directory.sqlite_archive import drop_returned
from gloam_server.storage.sqlite.queries import first_value, newest_record, partitions
from gloam_shared.level_numbers import PartitionId

KEEP_S: Final = 7 * 24 * 3_600
"""The time for which records are kept."""

KEEP_BYTES: Final = 1 << 30
"""The size that the file stays below: from seven eighths of it, older records are deleted earlier.

What is written between two calls has room in the last eighth.
"""

MARK_EVERY_S: Final = 3_600
MARKS_IN_FILE: Final = 16
"""A mark also follows each such part of the largest size: that much is deleted in one go."""
DAY_S: Final = 24 * 3_600
_NEWEST: Final = 2
ROWS_MAX: Final = 2_000  # deleted at a time: a batch waits for it a few milliseconds


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
    _mark(connection, now_s, MARK_EVERY_S if grown < keep_bytes // MARKS_IN_FILE else 1)
    until_s: int | None = now_s - keep_s
    while until_s is not None:
        left = ROWS_MAX
        for partition, sequence in _last_marks(connection, until_s):
            left -= _drop(connection, partition, sequence, left)
        if left < ROWS_MAX:
            return ROWS_MAX - left
        # All up to these marks is deleted already.
        connection.execute("DELETE FROM marks WHERE at_s <= ?", (until_s,))
        too_large = _bytes_used(connection) > keep_bytes - keep_bytes // 8
        until_s = first_value(connection, "SELECT min(at_s) FROM marks") if too_large else None
    return 0


def newest_mark_s(connection: sqlite3.Connection) -> int:
    """Return when the newest mark was stored, 0 without one."""
    return first_value(connection, "SELECT max(at_s) FROM marks") or 0


def _mark(connection: sqlite3.Connection, now_s: int, every_s: int) -> None:
    """Store a mark of every partition's position, unless the last mark is recent."""
    connection.execute("DELETE FROM marks WHERE at_s > ?", (now_s,))  # of a clock that was ahead
    latest_s = first_value(connection, "SELECT max(at_s) FROM marks")
    if latest_s is not None and now_s - latest_s < every_s:
        return
    rows = [
        (now_s, partition, newest.sequence)
        for partition in partitions(connection, "journal")
        if (newest := newest_record(connection, partition)) is not None
    ]
    connection.executemany("INSERT INTO marks (at_s, place, sequence) VALUES (?, ?, ?)", rows)


def _last_marks(connection: sqlite3.Connection, until_s: int) -> list[tuple[int, int]]:
    """Return each partition's position at the last mark until then."""
    query = "SELECT place, max(sequence) FROM marks WHERE at_s <= ? GROUP BY place ORDER BY place"
    return connection.execute(query, (until_s,)).fetchall()


def droppable_snapshots(kept: Sequence[int], reached: Sequence[tuple[int, int]]) -> list[int]:
    """Return those snapshots of a partition (by rising sequence) that are neither the first of a day nor the two newest.

    `reached` is the position of the partition at each mark, by time, rising.
    """
    sequences = [sequence for _, sequence in reached]
    days: set[int] = set()
    gone = []
    for sequence in kept:
        marks = bisect_right(sequences, sequence)
        day = reached[marks - 1][0] // DAY_S if marks else 0
        if day in days and sequence not in kept[-_NEWEST:]:
            gone.append(sequence)
        days.add(day)
    return gone


def first_needed_record(marks: Sequence[int], until: int, last: int) -> int | None:
    """Return the snapshot at which the kept records of a partition begin, or None if no record may be deleted.

    `marks` are its snapshots, newest first, and `last` is its newest record, which is always kept, because it says the
    number of the next one.
    """
    if len(marks) < _NEWEST:
        return None
    bound = min(until, marks[1], last - 1)
    return next((sequence for sequence in marks if sequence <= bound), None)


def drop_old_snapshots(connection: sqlite3.Connection, partition: PartitionId) -> None:
    """Delete the snapshots of a partition except each day's first and the two newest."""
    kept = _sequences(connection, partition)[::-1]
    if len(kept) <= _NEWEST:
        return
    reached = connection.execute(
        "SELECT at_s, sequence FROM marks WHERE place = ? ORDER BY at_s", (partition,)
    ).fetchall()
    gone = [(partition, sequence) for sequence in droppable_snapshots(kept, reached)]
    connection.executemany("DELETE FROM snapshots WHERE place = ? AND sequence = ?", gone)


def _drop(connection: sqlite3.Connection, partition: PartitionId, until: int, rows_max: int) -> int:
    """Drop a partition's records up to a snapshot that is not after `until`, the oldest first, and the snapshots before it."""
    newest = newest_record(connection, partition)
    last = 0 if newest is None else newest.sequence
    begin = first_needed_record(_sequences(connection, partition), until, last)
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


def _sequences(connection: sqlite3.Connection, partition: PartitionId) -> list[int]:
    """Return the sequence numbers of a partition's snapshots, newest first."""
    query = "SELECT sequence FROM snapshots WHERE place = ? ORDER BY sequence DESC"
    return [sequence for (sequence,) in connection.execute(query, (partition,))]


def _bytes_used(connection: sqlite3.Connection) -> int:
    """Return the size of the file without its free pages."""
    pages, free, size = (
        int(first_value(connection, f"PRAGMA {name}"))
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
