"""Checks whether a world's rows are unchanged: each has a checksum of all its columns, and each snapshot a hash.

Triggers of our own connections update the checksums of small tables (`checksum_triggers`), so no statement
can forget them. This module only reads the file, because a server may be writing to it.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import msgspec

from gloam_server.storage.sql.snapshot_bodies import unpack
from gloam_server.storage.sql.tables import CHECKSUMMED
from gloam_server.storage.sqlite.file_access import connect_to, is_there, sidecar
from gloam_server.storage.store import FAULTS_MAX, CheckCursor, CheckResult, HashOf

RECORD: Final = ("place", "sequence", "body", "state_hash", "beat", "beat_size", "digest")
"""The columns of a record that its checksum covers, in their order."""

SLICE: Final = 200
"""The number of rows in one step of a check: about a millisecond."""

_SNAPSHOTS_WEIGH: Final = 40  # a snapshot takes as long as this number of other rows
_FIRST: Final = CheckCursor("journal")
_encoder: Final = msgspec.msgpack.Encoder()


def reading(world: Path) -> sqlite3.Connection:
    """Return a connection that only reads a world's file, and creates no other file. Raises OSError and sqlite3.Error."""
    log = sidecar(world, "-wal")
    is_logged = is_there(log) and log.stat().st_size > 0
    return connect_to(world, "ro", immutable=not is_logged)  # without a log SQLite would make one


def crc_of(*values: object) -> int:
    """Return the checksum of a row's values."""
    return crc32(_encoder.encode(values))


def is_sound(row: Sequence[Any], body: bytes, crc: int | None) -> bool:
    """Return whether a record is intact; `row` has the columns of RECORD.

    Older versions checked only the body.
    """
    return crc in (crc_of(*row), crc32(body))


def check_slice(
    connection: sqlite3.Connection, cursor: CheckCursor | None, hash_of: HashOf, rows: int = SLICE
) -> CheckResult:
    """Check the next rows of a world, from the first without a cursor; `hash_of` computes the hash of a snapshot."""
    cursor = cursor or _FIRST
    is_journal = cursor.table == "journal"
    try:
        return (_look_at_records if is_journal else _look_at_table)(connection, cursor, hash_of, rows)
    except (sqlite3.Error, UnicodeError) as error:
        after = f" after {cursor.key}" if cursor.key else ""
        return CheckResult(
            [f"the table of {cursor.table} cannot be read{after} ({error})"], _next_table(cursor.table)
        )


def check_all(world: Path, hash_of: HashOf) -> list[str]:
    """Return the damage of a world's file, each fault a sentence; nothing if all is well."""
    found: list[str] = []
    try:
        with closing(reading(world)) as connection:
            found += [
                f"the file is not whole ({result})"
                for (result,) in connection.execute("PRAGMA integrity_check(3)")
                if result != "ok"
            ]
            cursor: CheckCursor | None = _FIRST if "digest" in columns_of(connection, "journal") else None
            while cursor is not None and len(found) < FAULTS_MAX:
                seen = check_slice(connection, cursor, hash_of, 10 * SLICE)
                found += seen.faults
                cursor = seen.rest
    except (OSError, sqlite3.Error) as error:
        found.append(f"the file cannot be read ({error})")
    return found[:FAULTS_MAX]


def _look_at_records(
    connection: sqlite3.Connection, cursor: CheckCursor, _: HashOf, rows: int
) -> CheckResult:
    query = f"SELECT {', '.join(RECORD)}, crc FROM journal WHERE (place, sequence) > (?, ?) ORDER BY place, sequence LIMIT ?"  # noqa: S608  # as above
    page = connection.execute(query, (*(cursor.key or (-1, -1)), rows)).fetchall()
    found = [
        f"the record of input {row[1]} of partition {row[0]} is damaged"
        for row in page
        if not is_sound(row[:-1], row[2], row[-1])
    ]
    is_last = len(page) < rows
    return CheckResult(found, _next_table("journal") if is_last else CheckCursor("journal", page[-1][:2]))


def _look_at_table(
    connection: sqlite3.Connection, cursor: CheckCursor, hash_of: HashOf, rows: int
) -> CheckResult:
    table, columns = cursor.table, columns_of(connection, cursor.table)
    [past] = cursor.key or (0,)
    rows = max(1, rows // _SNAPSHOTS_WEIGH) if table == "snapshots" else rows
    query = f"SELECT {', '.join(columns)} FROM {table} LIMIT ? OFFSET ?"  # noqa: S608  # as above
    page = [dict(zip(columns, row, strict=True)) for row in connection.execute(query, (rows, past))]
    found = [
        _describe_row(table, number, row)
        for number, row in enumerate(page, past + 1)
        if not is_sealed(row) or (table == "snapshots" and hash_of(unpack(row["body"])) != row["state_hash"])
    ]
    is_last = len(page) < rows
    return CheckResult(found, _next_table(table) if is_last else CheckCursor(table, (past + rows,)))


def is_sealed(row: Mapping[str, Any]) -> bool:
    """Return whether the checksum of a row, with its columns in the order of the table, is right."""
    crc: object = row["crc"]
    return crc_of(*(value for column, value in row.items() if column != "crc")) == crc


def _describe_row(table: str, number: int, row: dict[str, Any]) -> str:
    if table == "snapshots":
        return f"the snapshot of partition {row['place']} at input {row['sequence']} is damaged"
    return f"row {number} of the table of {table} is damaged"


def _next_table(table: str) -> CheckCursor | None:
    """Return where to continue after a table; None after the last."""
    following = ("journal", *CHECKSUMMED)[CHECKSUMMED.index(table) + 2 if table in CHECKSUMMED else 1 :][:1]
    return CheckCursor(following[0]) if following else None


def columns_of(raw: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of a table's columns, in their order."""
    return [row[1] for row in raw.execute(f"PRAGMA main.table_info({table})")]
