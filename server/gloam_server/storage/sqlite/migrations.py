"""Bringing the tables of a world's file up to date, with the checksums of their rows."""

import sqlite3

from gloam_server.storage.sql.migrations import run_steps
from gloam_server.storage.sqlite.integrity.checksum_triggers import checksum_all


def upgrade(connection: sqlite3.Connection, until: str | None = None) -> None:
    """Run every missing step, up to version `until`, and write the checksums, inside the caller's transaction."""
    run_steps(connection, until=until)
    if until is None:
        checksum_all(connection)
