"""Queries that more than one module needs, each answered by the primary key without reading bodies."""

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from gloam_server.storage.journal import Record
from gloam_server.storage.sqlite import tables

_journal, _snapshots = tables.journal.c, tables.snapshots.c


def places(connection: Connection) -> list[int]:
    """Return the places that have a record or a snapshot, in order: one step in the key for each of them."""
    found = set()
    for column in (_journal.place, _snapshots.place):
        place = connection.scalar(select(func.min(column)))
        while place is not None:
            found.add(place)
            place = connection.scalar(select(func.min(column)).where(column > place))
    return sorted(found)


class Newest(NamedTuple):
    """A place's newest record, without its body."""

    sequence: int
    beat: int


def newest_record(connection: Connection, place: int) -> Newest | None:
    """Return a place's newest record, if it has one."""
    query = (
        select(_journal.sequence, _journal.beat)
        .where(_journal.place == place)
        .order_by(_journal.sequence.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return Newest(*row) if row else None


def is_there(connection: Connection, record: Record) -> bool:
    """Return whether a record is in the journal, as it is."""
    query = select(_journal.body).where(_journal.place == record.place, _journal.sequence == record.sequence)
    return connection.scalar(query) == record.body
