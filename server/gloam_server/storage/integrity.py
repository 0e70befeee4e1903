"""Whether a world's rows are what was written: each has a checksum of all its columns, and each snapshot a hash.

The checksums of small tables are kept by triggers of our own connections (`keep_sealed`), so no statement forgets them.
What reads a file here only reads it: a server may be writing meanwhile.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import msgspec
from sqlalchemy import Connection, Engine, event

SEALED: Final = (
    "realm",
    "contents",
    "accounts",
    "tokens",
    "invites",
    "bans",
    "resumptions",
    "claims",
    "snapshots",
    "deaths",
)
"""The tables whose rows triggers seal. Records are sealed as they are written, and marks only tell what may go."""

RECORD: Final = ("place", "sequence", "body", "state_hash", "beat", "beat_size", "digest")
"""The columns of a record that its checksum covers, in their order."""

SLICE: Final = 500
"""So many rows are looked at in one go: a few milliseconds."""

FAULTS_MAX: Final = 20
_CRC: Final = "gloam_crc"
_encoder: Final = msgspec.msgpack.Encoder()

HashOf = Callable[[bytes], bytes]


class Cursor(NamedTuple):
    """How far a look at a world's rows has come: a table, and the key of the last row that was looked at."""

    table: str
    key: tuple[Any, ...] = ()


class Look(NamedTuple):
    """What a look at some rows found, each fault a sentence's worth; and where to go on, None at the end."""

    faults: list[str]
    rest: Cursor | None


def crc_of(*values: object) -> int:
    """Return the checksum of a row's values."""
    return crc32(_encoder.encode(values))


def is_sound(row: Sequence[Any], body: bytes, crc: int | None) -> bool:
    """Return whether a record is what was written; `row` has the columns of RECORD. Older versions sealed its body alone."""
    return crc in (crc_of(*row), crc32(body))


def keep_sealed(engine: Engine) -> None:
    """Let every connection of an engine from now on keep the checksums of what it writes; the tables are up to date."""
    event.listen(engine, "connect", _seal_from_now)
    engine.dispose()


def seal_all(connection: Connection) -> None:
    """Write the checksum of every row that triggers seal, and of records that have none: after the tables have changed."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.create_function(_CRC, -1, crc_of, deterministic=True)
    for table in SEALED:
        columns = _columns(raw, table)
        if "crc" in columns:
            raw.execute(f"UPDATE {table} SET crc = {_call(columns)}")  # noqa: S608  # names of our own tables
    raw.execute(f"UPDATE journal SET crc = {_CRC}({', '.join(RECORD)}) WHERE crc IS NULL")  # noqa: S608  # as above


def begin() -> Cursor:
    """Return where a look at all rows begins."""
    return Cursor("journal")


def look(connection: sqlite3.Connection, cursor: Cursor, hash_of: HashOf, rows: int = SLICE) -> Look:
    """Look at the next rows of a world, whose snapshots have the hashes that `hash_of` gives."""
    if cursor.table == "journal":
        return _look_at_records(connection, cursor, rows)
    at = SEALED.index(cursor.table)
    following = Cursor(SEALED[at + 1]) if at + 1 < len(SEALED) else None
    try:
        return Look(list(_of_table(connection, cursor.table, hash_of)), following)
    except sqlite3.Error as error:
        return Look([f"the table of {cursor.table} cannot be read ({error})"], following)


def faults(world: Path, hash_of: HashOf) -> list[str]:
    """Return what of a world's file is not what was written, each a sentence's worth; nothing where all is well."""
    found: list[str] = []
    try:
        with closing(sqlite3.connect(f"{world.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            found += [
                f"the file is not whole ({verdict})"
                for (verdict,) in connection.execute("PRAGMA integrity_check(3)")
                if verdict != "ok"
            ]
            cursor: Cursor | None = begin() if "digest" in _columns(connection, "journal") else None
            while cursor is not None and len(found) < FAULTS_MAX:
                seen = look(connection, cursor, hash_of, SLICE)
                found += seen.faults
                cursor = seen.rest
    except sqlite3.Error as error:
        found.append(f"the file cannot be read ({error})")
    return found[:FAULTS_MAX]


def _look_at_records(connection: sqlite3.Connection, cursor: Cursor, rows: int) -> Look:
    place, sequence = cursor.key or (-1, -1)
    columns = ", ".join(RECORD)
    query = f"SELECT {columns}, crc FROM journal WHERE (place, sequence) > (?, ?) ORDER BY place, sequence LIMIT ?"  # noqa: S608  # as above
    try:
        page = connection.execute(query, (place, sequence, rows)).fetchall()
    except sqlite3.Error as error:
        return Look(
            [f"the records after input {sequence} of place {place} cannot be read ({error})"],
            Cursor(SEALED[0]),
        )
    found = [
        f"the record of input {row[1]} of place {row[0]} is damaged"
        for row in page
        if not is_sound(row[:-1], row[2], row[-1])
    ]
    last = Cursor("journal", (page[-1][0], page[-1][1])) if len(page) == rows else Cursor(SEALED[0])
    return Look(found, last)


def _of_table(connection: sqlite3.Connection, table: str, hash_of: HashOf) -> Iterator[str]:
    columns = [*_columns(connection, table)]
    query = f"SELECT {', '.join(columns)} FROM {table}"  # noqa: S608  # as above
    for number, values in enumerate(connection.execute(query), 1):
        row = dict(zip(columns, values, strict=True))
        sealed = crc_of(*(value for column, value in row.items() if column != "crc")) == row["crc"]
        if table == "snapshots" and not (sealed and hash_of(row["body"]) == row["state_hash"]):
            yield f"the snapshot of place {row['place']} at input {row['sequence']} is damaged"
        elif not sealed:
            yield f"row {number} of the table of {table} is damaged"


def _seal_from_now(raw: sqlite3.Connection, _record: Any) -> None:
    raw.create_function(_CRC, -1, crc_of, deterministic=True)
    for table in SEALED:
        columns = _columns(raw, table)
        if "crc" not in columns:
            continue
        key = " AND ".join(f"{name} = NEW.{name}" for name in _key(raw, table))
        for moment in ("INSERT", "UPDATE"):
            raw.execute(
                f"CREATE TEMP TRIGGER seal_{table}_{moment} AFTER {moment} ON main.{table} BEGIN "  # noqa: S608  # as above
                f"UPDATE {table} SET crc = {_call(columns)} WHERE {key}; END"
            )


def _call(columns: Sequence[str]) -> str:
    return f"{_CRC}({', '.join(column for column in columns if column != 'crc')})"


def _columns(raw: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in raw.execute(f"PRAGMA main.table_info({table})")]


def _key(raw: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in raw.execute(f"PRAGMA main.table_info({table})") if row[5]]
