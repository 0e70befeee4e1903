"""Marks of time in the journal, and which snapshots and records may go: the part of retention that all backends in SQL share.

From time to time a mark stores the position of every partition. Records are deleted only up to a mark, and never those
after the older of a partition's two newest snapshots, so that a replay can always begin there. A snapshot of each day is
kept with the records that follow it, and deletion ends at a kept snapshot: all remaining records can be replayed.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final

from gloam_server.storage.sql.queries import first_value
from gloam_server.storage.sql.transactions import Connection
from gloam_shared.level_numbers import PartitionId

KEEP_S: Final = 7 * 24 * 3_600
"""The time for which records are kept."""

MARK_EVERY_S: Final = 3_600
DAY_S: Final = 24 * 3_600
_NEWEST: Final = 2
ROWS_MAX: Final = 2_000  # deleted at a time: a batch waits for it a few milliseconds


def newest_mark_s(connection: Connection) -> int:
    """Return when the newest mark was stored, 0 without one."""
    return first_value(connection, "SELECT max(at_s) FROM marks") or 0


def put_mark(connection: Connection, positions: Mapping[int, int], now_s: int, every_s: int) -> bool:
    """Store a mark of every partition's position, unless the last mark is recent; return whether it did."""
    connection.execute("DELETE FROM marks WHERE at_s > ?", (now_s,))  # of a clock that was ahead
    latest_s = first_value(connection, "SELECT max(at_s) FROM marks")
    if latest_s is not None and now_s - latest_s < every_s:
        return False
    rows = [(now_s, partition, sequence) for partition, sequence in sorted(positions.items())]
    connection.executemany("INSERT INTO marks (at_s, place, sequence) VALUES (?, ?, ?)", rows)
    return True


def last_marks(connection: Connection, until_s: int) -> list[tuple[int, int]]:
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


def drop_old_snapshots(connection: Connection, partition: PartitionId) -> None:
    """Delete the snapshots of a partition except each day's first and the two newest."""
    kept = snapshot_sequences(connection, partition)[::-1]
    if len(kept) <= _NEWEST:
        return
    reached = connection.execute(
        "SELECT at_s, sequence FROM marks WHERE place = ? ORDER BY at_s", (partition,)
    ).fetchall()
    gone = [(partition, sequence) for sequence in droppable_snapshots(kept, reached)]
    connection.executemany("DELETE FROM snapshots WHERE place = ? AND sequence = ?", gone)


def snapshot_sequences(connection: Connection, partition: PartitionId) -> list[int]:
    """Return the sequence numbers of a partition's snapshots, newest first."""
    query = "SELECT sequence FROM snapshots WHERE place = ? ORDER BY sequence DESC"
    return [sequence for (sequence,) in connection.execute(query, (partition,))]
