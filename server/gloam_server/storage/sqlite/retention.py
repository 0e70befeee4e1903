"""Retention: deletes journal records that no kept snapshot needs, once they are old or too large in total.

From time to time, and each time that much was written, a mark stores the position of every place. Records are deleted only up to a mark, and never those
after the older of a place's two newest snapshots, so that a replay can always begin there. A snapshot of each day is
kept with the records that follow it, and deletion ends at a kept snapshot: all remaining records can be replayed.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from gloam_server.storage.sqlite import tables
from gloam_server.storage.sqlite.archived_lives import drop_returned
from gloam_server.storage.sqlite.queries import newest_record, places

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

_journal, _snapshots, _marks = tables.journal.c, tables.snapshots.c, tables.marks.c


def drop_old_records(
    connection: Connection, now_s: int, *, keep_s: int = KEEP_S, keep_bytes: int = KEEP_BYTES, grown: int = 0
) -> int:
    """Delete up to ROWS_MAX records that are old enough; return their number: none if there is nothing to delete.

    `grown` is how many bytes were written since the last mark.
    """
    drop_returned(connection)
    _mark(connection, now_s, MARK_EVERY_S if grown < keep_bytes // MARKS_IN_FILE else 1)
    until_s: int | None = now_s - keep_s
    while until_s is not None:
        left = ROWS_MAX
        for place, sequence in _last_marks(connection, until_s):
            left -= _drop(connection, place, sequence, left)
        if left < ROWS_MAX:
            return ROWS_MAX - left
        # All up to these marks is deleted already.
        connection.execute(delete(tables.marks).where(_marks.at_s <= until_s))
        too_large = _bytes_used(connection) > keep_bytes - keep_bytes // 8
        until_s = connection.scalar(select(func.min(_marks.at_s))) if too_large else None
    return 0


def newest_mark_s(connection: Connection) -> int:
    """Return when the newest mark was stored, 0 without one."""
    return connection.scalar(select(func.max(_marks.at_s))) or 0


def _mark(connection: Connection, now_s: int, every_s: int) -> None:
    """Store a mark of every place's position, unless the last mark is recent."""
    connection.execute(delete(tables.marks).where(_marks.at_s > now_s))  # of a clock that was ahead
    latest_s = connection.scalar(select(func.max(_marks.at_s)))
    if latest_s is not None and now_s - latest_s < every_s:
        return
    rows = [
        {"at_s": now_s, "place": place, "sequence": newest.sequence}
        for place in places(connection)
        if (newest := newest_record(connection, place)) is not None
    ]
    if rows:
        connection.execute(insert(tables.marks), rows)


def _last_marks(connection: Connection, until_s: int) -> list[tuple[int, int]]:
    """Return each partition's position at the last mark until then."""
    query = (
        select(_marks.place, func.max(_marks.sequence))
        .where(_marks.at_s <= until_s)
        .group_by(_marks.place)
        .order_by(_marks.place)
    )
    return [(place, sequence) for place, sequence in connection.execute(query)]


def droppable_snapshots(kept: Sequence[int], reached: Sequence[tuple[int, int]]) -> list[int]:
    """Return those snapshots of a place (by rising sequence) that are neither the first of a day nor the two newest.

    `reached` is the position of the place at each mark, by time, rising.
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
    """Return the snapshot at which the kept records of a place begin, or None if no record may be deleted.

    `marks` are its snapshots, newest first, and `last` is its newest record, which is always kept, because it says the
    number of the next one.
    """
    if len(marks) < _NEWEST:
        return None
    bound = min(until, marks[1], last - 1)
    return next((sequence for sequence in marks if sequence <= bound), None)


def drop_old_snapshots(connection: Connection, place: int) -> None:
    """Delete the snapshots of a partition except each day's first and the two newest."""
    kept = _sequences(connection, place)[::-1]
    if len(kept) <= _NEWEST:
        return
    query = select(_marks.at_s, _marks.sequence).where(_marks.place == place).order_by(_marks.at_s)
    reached = [(at_s, sequence) for at_s, sequence in connection.execute(query)]
    gone = droppable_snapshots(kept, reached)
    if gone:
        connection.execute(
            delete(tables.snapshots).where(_snapshots.place == place, _snapshots.sequence.in_(gone))
        )


def _drop(connection: Connection, place: int, until: int, rows_max: int) -> int:
    """Drop a place's records up to a snapshot that is not after `until`, the oldest first, and the snapshots before it."""
    newest = newest_record(connection, place)
    last = 0 if newest is None else newest.sequence
    begin = first_needed_record(_sequences(connection, place), until, last)
    first: int | None = connection.scalar(select(func.min(_journal.sequence)).where(_journal.place == place))
    if begin is None or first is None:
        return 0
    connection.execute(delete(tables.snapshots).where(_snapshots.place == place, _snapshots.sequence < begin))
    end = min(begin, first + rows_max - 1)
    if end < first:
        return 0
    connection.execute(delete(tables.journal).where(_journal.place == place, _journal.sequence <= end))
    return end - first + 1


def _sequences(connection: Connection, place: int) -> list[int]:
    """Return the sequence numbers of a partition's snapshots, newest first."""
    query = select(_snapshots.sequence).where(_snapshots.place == place).order_by(_snapshots.sequence.desc())
    return list(connection.scalars(query))


def _bytes_used(connection: Connection) -> int:
    """Return the size of the file without its free pages."""
    pragma: dict[str, int] = {
        name: int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
        for name in ("page_count", "freelist_count", "page_size")
    }
    pages = pragma["page_count"] - pragma["freelist_count"]
    return pages * pragma["page_size"]
