"""What of the journal may go: records that no kept snapshot needs, once they are old or too many.

A mark is written now and then: how far each place was at that time. Records go only up to a mark, and never those
that follow the older of a place's two newest snapshots, so that a replay can always begin there.
"""

from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from gloam_server.storage import schema
from gloam_server.storage.queries import newest_record, places

KEEP_S: Final = 7 * 24 * 3_600
"""Records stay so long."""

KEEP_BYTES: Final = 1 << 30
"""And no more than so many bytes of the file."""

MARK_EVERY_S: Final = 3_600
ROWS_MAX: Final = 2_000  # that go at a time: a beat that waits for it waits a few milliseconds

_journal, _snapshots, _marks = schema.journal.c, schema.snapshots.c, schema.marks.c


def retain(connection: Connection, now_s: int, *, keep_s: int = KEEP_S, keep_bytes: int = KEEP_BYTES) -> int:
    """Let go of up to ROWS_MAX records that are old enough; return how many went."""
    _mark(connection, now_s)
    until_s = now_s - keep_s
    if _bytes_used(connection) > keep_bytes:
        oldest_s = connection.scalar(select(func.min(_marks.at_s)))
        until_s = max(until_s, oldest_s or 0)
    left = ROWS_MAX
    for place, sequence in _marked(connection, until_s):
        left -= _drop(connection, place, sequence, left)
    if left == ROWS_MAX:  # nothing of these marks is left to go
        connection.execute(delete(schema.marks).where(_marks.at_s <= until_s))
    return ROWS_MAX - left


def _mark(connection: Connection, now_s: int) -> None:
    """Write down how far every place is, unless that was done lately."""
    connection.execute(delete(schema.marks).where(_marks.at_s > now_s))  # of a clock that stood ahead
    latest_s = connection.scalar(select(func.max(_marks.at_s)))
    if latest_s is not None and now_s - latest_s < MARK_EVERY_S:
        return
    rows = [
        {"at_s": now_s, "place": place, "sequence": newest.sequence}
        for place in places(connection)
        if (newest := newest_record(connection, place)) is not None
    ]
    if rows:
        connection.execute(insert(schema.marks), rows)


def _marked(connection: Connection, until_s: int) -> list[tuple[int, int]]:
    """Return how far each place was at the last mark until then."""
    query = (
        select(_marks.place, func.max(_marks.sequence))
        .where(_marks.at_s <= until_s)
        .group_by(_marks.place)
        .order_by(_marks.place)
    )
    return [(place, sequence) for place, sequence in connection.execute(query)]


def _drop(connection: Connection, place: int, until: int, rows_max: int) -> int:
    """Drop a place's records up to `until`, the oldest first, and the snapshots that nothing follows any more."""
    kept = _older_snapshot(connection, place)
    first: int | None = connection.scalar(select(func.min(_journal.sequence)).where(_journal.place == place))
    if kept is None or first is None:
        return 0
    last = min(until, kept, first + rows_max - 1)
    if last < first:
        return 0
    connection.execute(delete(schema.journal).where(_journal.place == place, _journal.sequence <= last))
    connection.execute(delete(schema.snapshots).where(_snapshots.place == place, _snapshots.sequence < last))
    return last - first + 1


def _older_snapshot(connection: Connection, place: int) -> int | None:
    """Return the sequence of the older of a place's two newest snapshots; None when it has but one.

    The newest record always stays, for the next one is told by it.
    """
    query = (
        select(_snapshots.sequence)
        .where(_snapshots.place == place)
        .order_by(_snapshots.sequence.desc())
        .limit(2)
    )
    newest = list(connection.scalars(query))
    record = newest_record(connection, place)
    last = 0 if record is None else record.sequence
    return min(newest[1], last - 1) if len(newest) == 2 else None


def _bytes_used(connection: Connection) -> int:
    """Return the size of the file without its free pages."""
    pragma: dict[str, int] = {
        name: int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
        for name in ("page_count", "freelist_count", "page_size")
    }
    pages = pragma["page_count"] - pragma["freelist_count"]
    return pages * pragma["page_size"]
