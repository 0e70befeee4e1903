"""Salvage: builds a new file from the readable parts of a damaged world, cut back to one consistent moment.

The damaged file is kept under another name. All records of one append have the same beat number, and levels affect
each other only within a beat. So the new world ends, on every level, with the last beat before the first incomplete
one: a cut between beats never splits a cause from its effect on another level (a player who took stairs exists exactly
once). Rows after the cut are dropped even if they are readable.

The steps: read every row that can be read and whose checksum is right (`_sound`; with the known tables, if the file
describes its own wrongly), find the cut (`_cut_at`), write and
verify a new file (`_build`), swap the files by renaming. Until the swap the world is unchanged.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from errno import EIO
from itertools import pairwise
from pathlib import Path
from typing import Final

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sql.directory.sql_archive import until
from gloam_server.storage.sql.migrations import HEAD
from gloam_server.storage.sql.snapshot_bodies import unpack
from gloam_server.storage.sql.tables import TABLES
from gloam_server.storage.sqlite.database import make_database, take_lock
from gloam_server.storage.sqlite.file_access import connect_to, remove
from gloam_server.storage.sqlite.integrity.checksums import RECORD, is_sealed, is_sound
from gloam_server.storage.sqlite.recovery.schema_repair import readable
from gloam_server.storage.sqlite.world_file import replacement
from gloam_server.storage.sqlite.world_file.copy import summary_of
from gloam_server.storage.store import SalvageReport

_FOREVER: Final = 1 << 62
_COPIED: Final = tuple(table for table in TABLES if table != "marks")
"""Every table, referenced tables first. Marks are left out: they only say what may be deleted, and are made again."""

_OF_ACCOUNTS: Final = (
    "tokens",
    "invites",
    "bans",
    "resumptions",
    "shunned",
    "listeners",
    "deaths",
    "archived_lives",
)
_ACCOUNT: Final = tuple(column for column in TABLES["accounts"] if column != "crc")

_UNREADABLE: Final = object()
_BY_PLACE: Final = ("snapshots", "journal")

REALM: Final = 0
"""The realm's own partition. A level without a snapshot is made again from the seed or closed; the realm is required."""

PARTITIONS_MAX: Final = 1_024
"""The largest number of partitions in a realm: IDs of creatures leave no room for more."""

Row = dict[str, object]
Rows = dict[str, list[Row]]


class _CutReached(Exception):
    """The readable part of a world is not enough to continue from."""


def salvage(world: Path, stamp: str, hash_of: Callable[[bytes], bytes]) -> SalvageReport:
    """Make a new world from the readable parts of a damaged one, which is kept under a name with `stamp`.

    `hash_of` computes the hash of a snapshot's body, to find damaged snapshots. The new world is built beside the old
    one and replaces it last. Raises StorageError, and leaves the world unchanged, if the readable part is of another
    version or not a complete world, or if the disk has no room.
    """
    lock, done = take_lock(world), False
    try:
        replacement.finish_replacement(world)
        kept, lost = _cut_at(_sound(world, hash_of))
        _build(replacement.scratch_path(world), kept)
        aside, done = replacement.replace_world(world, replacement.free_stamp(world, stamp)), True
    except _CutReached:
        raise StorageError(
            f"The world {world} is damaged beyond reading; restore a copy with `gloam-server restore`."
        ) from None
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            remove(replacement.scratch_path(world))
        raise StorageError(
            f"The world {world} is damaged and cannot be salvaged ({_reason(error)}); nothing of it was changed, so make room "
            "on its disk and start the server again."
        ) from error
    finally:
        lock.release(unused=not done)
    return SalvageReport(aside, len(kept["journal"]), lost)


def _build(new: Path, kept: Rows) -> None:
    """Write a world's file, read it back and compare."""

    def fill(connection: sqlite3.Connection) -> None:
        for table in _COPIED:
            # Checksums are written at the end, but records keep theirs.
            columns = [column for column in TABLES[table] if column != "crc" or table == "journal"]
            into = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"  # noqa: S608  # names of ours
            connection.executemany(into, [[row[column] for column in columns] for row in kept[table]])

    make_database(new, fill)
    with closing(connect_to(new, "ro", immutable=True)) as made:
        [(result,)] = made.execute("PRAGMA integrity_check(1)").fetchall()
        rows = dict(summary_of(made).rows)
    if result != "ok" or any(rows[table] != len(kept[table]) for table in _COPIED):
        raise OSError(EIO, f"what was written is not what is on disk: {result}")


def _reason(error: sqlite3.Error | OSError) -> str:
    return str(getattr(error, "strerror", None) or error)


def _sound(path: Path, hash_of: Callable[[bytes], bytes]) -> Rows:
    """Return the rows of a file that can be read and have the right checksum or hash."""
    with _require_reading(path) as (damaged, is_repaired):
        damaged.row_factory, damaged.text_factory = sqlite3.Row, _text
        versions = [row["version_num"] for row in _read(damaged, "SELECT * FROM alembic_version")]
        if versions not in ([HEAD], [HEAD] if is_repaired else []) or not _is_of_this_version(damaged):
            raise _CutReached
        rows = {table: _readable(damaged, table) for table in _COPIED}
    rows["accounts"] += [{**dict.fromkeys(_ACCOUNT), **row} for row in _placeholder_accounts(rows)]
    rows["journal"] = [row for row in rows["journal"] if _is_record(row)]
    rows["snapshots"] = [
        row for row in rows["snapshots"] if hash_of(unpack(_bytes(row, "body"))) == row["state_hash"]
    ]
    rows["archived_lives"] = [row for row in rows["archived_lives"] if is_sealed(row)]
    return rows


@contextmanager
def _require_reading(path: Path) -> Iterator[tuple[sqlite3.Connection, bool]]:
    """Yield what `readable` does.

    Raises _CutReached if a file is no longer a database, and sqlite3.Error if it cannot be read for another reason.
    """
    try:
        with readable(path, replacement.scratch_path(path)) as found:
            yield found
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise _CutReached from error
        raise


def _cut_at(rows: Rows) -> tuple[Rows, int]:
    """Return the rows of a world that is complete up to one beat, and the number of known records after it.

    The journal of a partition may start late (retention deleted the beginning) or have a damaged gap. Both are harmless if
    a snapshot after the gap is readable: `begins` drops the records before the gap, and the replay starts at the
    snapshot. Snapshots before the gap or after the cut would contradict the kept records, so they are dropped, too.
    The realm itself cannot be made again from the seed alone: without its snapshot and its first records, salvage ends.
    """
    snapshots, journal = rows["snapshots"], rows["journal"]
    partitions = {row["place"]: None for row in [*snapshots, *journal]}
    if not rows["realm"] or any(_lacks_its_end(partition, rows) for partition in partitions):
        raise _CutReached
    sizes = {_number(row, "beat"): _number(row, "beat_size") for row in journal}
    last = _last_whole_beat(snapshots, journal)
    kept = [row for row in journal if _number(row, "beat") <= last]
    reached = {partition: max(_sequences(kept, partition), default=0) for partition in partitions}
    begins = {partition: _last_gap(_sequences(kept, partition)) for partition in partitions}
    whole = dict(rows)
    whole["journal"] = [row for row in kept if _number(row, "sequence") > begins[row["place"]]]
    whole["snapshots"] = [
        row for row in snapshots if begins[row["place"]] <= _number(row, "sequence") <= reached[row["place"]]
    ]
    whole["deaths"] = [row for row in rows["deaths"] if _number(row, "sequence") <= reached.get(REALM, 0)]
    whole["archived_lives"] = until(rows["archived_lives"], reached.get(REALM, 0))
    if REALM not in {row["place"] for row in whole["snapshots"]} and begins.get(REALM, 0):
        raise _CutReached
    return whole, sum(size for beat, size in sizes.items() if beat > last)


def _is_of_this_version(damaged: sqlite3.Connection) -> bool:
    """Return whether the columns of all tables are readable, and are the columns of this version."""
    return all(
        {row["name"] for row in _read(damaged, f"PRAGMA table_info({table})")} == {*TABLES[table]}
        for table in _COPIED
    )


def _placeholder_accounts(rows: Rows) -> list[Row]:
    """Return placeholder rows for unreadable accounts that other rows refer to, so that their numbers are not reused.

    Their names are lost; the new names have a form that no login can match.
    """
    known = {row["id"] for row in rows["accounts"]}
    named = {
        _number(row, "account") for table in _OF_ACCOUNTS for row in rows[table] if row["account"] is not None
    } | {_number(row, "other") for row in rows["shunned"]}
    return [
        {"id": number, "name": f"lost-{number}", "folded": f"lost {number}", "skeleton": "", "created_s": 0}
        | {"last_seen_s": 0}
        for number in sorted(named - known)
    ]


def _is_record(row: Row) -> bool:
    return is_sound([row[column] for column in RECORD], _bytes(row, "body"), _crc(row))


def _crc(row: Row) -> int | None:
    return None if row["crc"] is None else _number(row, "crc")


def _lacks_its_end(partition: object, rows: Rows) -> bool:
    """Return whether a partition has a snapshot newer than all its records: the beat of that snapshot is then unknown."""
    newest = max(_sequences(rows["snapshots"], partition), default=0)
    return newest > max(_sequences(rows["journal"], partition), default=0)


def _last_whole_beat(snapshots: list[Row], journal: list[Row]) -> int:
    """Return the last beat before the first one with a missing record that no snapshot replaces.

    A beat is incomplete if fewer of its records are found than its `beat_size` says. A gap in a partition's sequence shows
    the same from the side of the partition, also for beats without any readable record. A gap is harmless if a newer
    snapshot of the partition covers it (`excused`), because a replay starts after it.
    """
    found = Counter(_number(row, "beat") for row in journal)
    sizes = {_number(row, "beat"): _number(row, "beat_size") for row in journal}
    excused: list[tuple[int, int]] = []
    last = max(found, default=0)
    for partition in {row["place"]: None for row in [*snapshots, *journal]}:
        here = sorted(
            (_number(row, "sequence"), _number(row, "beat")) for row in journal if row["place"] == partition
        )
        begins = [_number(row, "sequence") for row in snapshots if row["place"] == partition]
        if not begins and here and here[0][0] > 1 and partition != REALM:
            continue  # the level is lost: it must not cut back all other levels
        gaps, whole = _gaps(here, max(begins, default=-1))
        excused += gaps
        last = min(last, whole)
    lacking = [beat for beat in sorted(found) if found[beat] < sizes[beat]]
    missed = [beat for beat in lacking if not any(first <= beat <= until for first, until in excused)]
    return min(last, missed[0] - 1) if missed else last


def _gaps(records: list[tuple[int, int]], snapshot: int) -> tuple[list[tuple[int, int]], int]:
    """Return the ranges of beats that the newest snapshot of a partition covers, and the last beat before an uncovered gap."""
    gaps: list[tuple[int, int]] = []
    expected, beat_before = 1, 0
    for sequence, beat in records:
        if sequence > expected:
            if snapshot < sequence - 1:
                return gaps, beat - 1
            gaps.append((beat_before, beat))
        expected, beat_before = sequence + 1, beat
    return gaps, _FOREVER


def _last_gap(sequences: list[int]) -> int:
    """Return the sequence after which no record of a partition is missing."""
    here = sorted(sequences, reverse=True)
    for later, sequence in pairwise(here):
        if sequence != later - 1:
            return later - 1
    return here[-1] - 1 if here else 0


def _sequences(rows: list[Row], partition: object) -> list[int]:
    return [_number(row, "sequence") for row in rows if row["place"] == partition]


def _number(row: Row, column: str) -> int:
    value = row[column]
    assert isinstance(value, int), f"{column} is a column of numbers"
    return value


def _bytes(row: Row, column: str) -> bytes:
    value = row[column]
    assert isinstance(value, bytes), f"{column} is a column of bytes"
    return value


def _readable(damaged: sqlite3.Connection, table: str) -> list[Row]:
    """Return the readable rows of a table.

    SQLite stops a query at the first damaged page. Reading each partition forwards and backwards gets the rows on both
    sides of one damaged page.
    """
    if table not in _BY_PLACE:
        ways = (f"SELECT * FROM {table} ORDER BY rowid {order}" for order in ("ASC", "DESC"))  # noqa: S608  # names of our own tables
        rows = {tuple(row.values()): row for way in ways for row in _read(damaged, way)}
        return list(rows.values())
    found: dict[tuple[object, object], Row] = {}
    for partition in range(PARTITIONS_MAX):
        for order in ("ASC", "DESC"):
            query = f"SELECT * FROM {table} WHERE place = {partition} ORDER BY sequence {order}"  # noqa: S608  # as above
            for row in _read(damaged, query):
                key = (row["place"], row["sequence"])
                if key in found:
                    break
                found[key] = row
    return list(found.values())


def _text(value: bytes) -> object:
    """Return a text of the file, or a mark if it is damaged."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return _UNREADABLE


def _read(damaged: sqlite3.Connection, query: str) -> Iterator[Row]:
    """Yield rows until one cannot be read; a row with a damaged text is left out."""
    try:
        for row in map(dict, damaged.execute(query)):
            if not any(value is _UNREADABLE for value in row.values()):
                yield row
    except sqlite3.Error:
        return
