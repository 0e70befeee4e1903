"""Triggers that keep the checksums of small tables: installed on our own connections, so that no statement forgets them."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from gloam_server.storage.sql.tables import CHECKSUMMED
from gloam_server.storage.sqlite.integrity.checksums import RECORD, columns_of, crc_of

_CRC: Final = "gloam_crc"


def checksum_all(raw: sqlite3.Connection) -> None:
    """Write the checksums of all rows with triggers, and of records without one, after a change of tables."""
    raw.create_function(_CRC, -1, crc_of, deterministic=True)
    for table in CHECKSUMMED:
        columns = columns_of(raw, table)
        if "crc" in columns:
            raw.execute(f"UPDATE {table} SET crc = {_call(columns)}")  # noqa: S608  # names of our own tables
    raw.execute(f"UPDATE journal SET crc = {_CRC}({', '.join(RECORD)}) WHERE crc IS NULL")  # noqa: S608  # names of our own tables


def install_checksum_triggers(raw: sqlite3.Connection) -> None:
    """Make a connection update the checksums of its writes; the tables must be up to date."""
    raw.create_function(_CRC, -1, crc_of, deterministic=True)
    for table in CHECKSUMMED:
        columns = columns_of(raw, table)
        if "crc" not in columns:
            continue
        key = " AND ".join(f"{name} = NEW.{name}" for name in _key(raw, table))
        for moment in ("INSERT", "UPDATE"):
            raw.execute(
                f"CREATE TEMP TRIGGER seal_{table}_{moment} AFTER {moment} ON main.{table} BEGIN "  # noqa: S608  # names of our own tables
                f"UPDATE {table} SET crc = {_call(columns)} WHERE {key}; END"
            )


def _call(columns: Sequence[str]) -> str:
    return f"{_CRC}({', '.join(column for column in columns if column != 'crc')})"


def _key(raw: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in raw.execute(f"PRAGMA main.table_info({table})") if row[5]]
