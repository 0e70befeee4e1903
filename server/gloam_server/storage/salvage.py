"""A damaged world: what can still be read becomes a new file, taken back to the last moment that is whole everywhere.

The damaged file is kept aside under another name. Records of one append share a beat, and levels affect each other only
within beats: so the new world ends, on every level, with the last beat before the first that lacks anything.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from gloam_server.storage.journal import StorageError
from gloam_server.storage.opening import connect, open_database

_COPIED: Final = ("realm", "accounts", "tokens", "invites", "deaths", "snapshots", "journal")
_FOREVER: Final = 1 << 62
_BY_PLACE: Final = ("snapshots", "journal")


PLACES_MAX: Final = 1_024
"""Numbers of creatures leave room for so many places; no realm has more."""

Row = dict[str, object]


class Salvaged(NamedTuple):
    """What became of a damaged world: where the old file is, and how many records of it were lost."""

    kept_aside: Path
    records: int
    lost: int


def salvage(world: Path, stamp: str, hash_of: Callable[[bytes], bytes]) -> Salvaged:
    """Put a damaged world aside (its name gets `stamp`) and make a new one of what can be read.

    `hash_of` tells the hash of a snapshot's body, for those that can be read and are yet not what was written. Raises StorageError when not even the realm, or no snapshot of some level, can be read.
    """
    aside = world.with_name(f"{world.stem}.damaged-{stamp}{world.suffix}")
    _move(world, aside)
    rows = {table: list(_readable(aside, table)) for table in _COPIED}
    rows["journal"] = [row for row in rows["journal"] if row["crc"] in (None, crc32(_bytes(row, "body")))]
    rows["snapshots"] = [
        row for row in rows["snapshots"] if hash_of(_bytes(row, "body")) == row["state_hash"]
    ]
    places = {row["place"] for row in rows["journal"]}
    if (
        not rows["realm"]
        or not rows["snapshots"]
        or not places <= {row["place"] for row in rows["snapshots"]}
    ):
        _move(aside, world)
        raise StorageError(
            f"The world {world} is damaged beyond reading; restore a copy with `gloam-server restore`."
        )
    engine, lock = open_database(world)
    engine.dispose()
    try:
        return _rebuild(world, aside, rows)
    finally:
        lock.release()


def _rebuild(world: Path, aside: Path, rows: dict[str, list[Row]]) -> Salvaged:
    """Fill the new world with what is whole up to one beat."""
    snapshots, journal = rows["snapshots"], rows["journal"]
    last = _last_whole_beat(snapshots, journal)
    kept = [row for row in journal if _number(row, "beat") <= last]
    reached: dict[object, int] = {}
    for row in kept:
        reached[row["place"]] = max(reached.get(row["place"], 0), _number(row, "sequence"))
    begins = {place: _last_gap(place, kept) for place in reached}
    rows["journal"] = [row for row in kept if _number(row, "sequence") > begins[row["place"]]]
    rows["snapshots"] = [
        row
        for row in snapshots
        if begins.get(row["place"], 0) <= _number(row, "sequence") <= reached.get(row["place"], 0)
    ]
    engine = connect(world)
    try:
        with engine.begin() as connection:
            for table in _COPIED:
                for row in rows[table]:
                    columns = ", ".join(row)
                    marks = ", ".join(f":{name}" for name in row)
                    connection.exec_driver_sql(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row)  # noqa: S608  # names of our own tables
    finally:
        engine.dispose()
    return Salvaged(aside, len(kept), len(journal) - len(kept))


def _last_whole_beat(snapshots: list[Row], journal: list[Row]) -> int:
    """Return the last beat before the first that lacks a record which no snapshot makes up for."""
    found = Counter(_number(row, "beat") for row in journal)
    sizes = {_number(row, "beat"): _number(row, "beat_size") for row in journal}
    excused: list[tuple[int, int]] = []
    last = max(found, default=0)
    for place in {row["place"]: None for row in [*snapshots, *journal]}:
        here = sorted(
            (_number(row, "sequence"), _number(row, "beat")) for row in journal if row["place"] == place
        )
        begins = [_number(row, "sequence") for row in snapshots if row["place"] == place]
        gaps, whole = _gaps(here, max(begins, default=-1))
        excused += gaps
        last = min(last, whole)
    lacking = [beat for beat in sorted(found) if found[beat] < sizes[beat]]
    missed = [beat for beat in lacking if not any(first <= beat <= until for first, until in excused)]
    return min(last, missed[0] - 1) if missed else last


def _gaps(records: list[tuple[int, int]], snapshot: int) -> tuple[list[tuple[int, int]], int]:
    """Return the beats in which a place lacks records that its newest snapshot makes up for, and until when it is whole."""
    gaps: list[tuple[int, int]] = []
    expected, beat_before = 1, 0
    for sequence, beat in records:
        if sequence > expected:
            if snapshot < sequence - 1:
                return gaps, beat - 1
            gaps.append((beat_before, beat))
        expected, beat_before = sequence + 1, beat
    if snapshot >= expected:
        gaps.append((beat_before, _FOREVER))
    return gaps, _FOREVER


def _last_gap(place: object, journal: list[Row]) -> int:
    """Return the sequence after which all records of a place are there."""
    here = sorted((_number(row, "sequence") for row in journal if row["place"] == place), reverse=True)
    for later, sequence in pairwise(here):
        if sequence != later - 1:
            return later - 1
    return here[-1] - 1


def _number(row: Row, column: str) -> int:
    value = row[column]
    assert isinstance(value, int), f"{column} is a column of numbers"
    return value


def _bytes(row: Row, column: str) -> bytes:
    value = row[column]
    assert isinstance(value, bytes), f"{column} is a column of bytes"
    return value


def _readable(path: Path, table: str) -> list[Row]:
    """Return the rows of a table that can be read: of each place from both ends up to where it is damaged."""
    if table not in _BY_PLACE:
        return list(_read(path, f"SELECT * FROM {table}"))  # noqa: S608  # names of our own tables
    found: dict[tuple[object, object], Row] = {}
    for place in range(PLACES_MAX):
        for order in ("ASC", "DESC"):
            query = f"SELECT * FROM {table} WHERE place = {place} ORDER BY sequence {order}"  # noqa: S608  # as above
            for row in _read(path, query):
                key = (row["place"], row["sequence"])
                if key in found:
                    break
                found[key] = row
    return list(found.values())


def _read(path: Path, query: str) -> Iterator[Row]:
    """Yield rows until one cannot be read."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            cursor = connection.execute(query)
            while (row := cursor.fetchone()) is not None:
                yield dict(row)
    except sqlite3.Error:
        return


def _move(source: Path, target: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        file = source.with_name(source.name + ending)
        if file.exists():
            file.rename(target.with_name(target.name + ending))
