"""Preallocation of the write-ahead log at a server's start: overwriting is faster than appending.

A growing file makes the file system write its new size, and a commit then waits for others' writes, too. SQLite
restarts its log after a thousand pages but never makes it shorter, so it is enough to let it grow once: by a
transaction that is larger than its cache and is rolled back.

Most of the time between a command and its patch is the commit. Of 600 commits beside other work, the slowest in twenty
take 4.6 ms instead of 7.5 ms. It costs 10 ms a start, and 4 MB.
"""

import sqlite3
from typing import Final

PAGES: Final = 1_000
"""The number of pages after which SQLite restarts its log by default."""

_PAGE: Final = 4_096
_CACHE_PAGES: Final = 10


def preallocate_wal(connection: sqlite3.Connection) -> bool:
    """Let the log grow to its usual size, in about 10 ms; return False if the disk has no room.

    The world is not changed: the written pages are after the log's end and are overwritten.
    """
    try:
        [(cache,)] = connection.execute("PRAGMA cache_size")
        connection.execute(f"PRAGMA cache_size = {_CACHE_PAGES}")
        try:
            connection.execute("BEGIN")
            connection.execute("CREATE TABLE headroom (body)")
            connection.execute(
                "INSERT INTO headroom VALUES (zeroblob(?))", ((PAGES + 2 * _CACHE_PAGES) * _PAGE,)
            )
        finally:
            connection.rollback()
            connection.execute(f"PRAGMA cache_size = {cache}")
    except sqlite3.Error:
        return False  # play continues without it; if the disk is full, the next batch reports it
    return True
