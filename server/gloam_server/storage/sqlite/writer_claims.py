"""Claims of writers to a world. The newest claim is the only writer; every other writer is fenced."""

import sqlite3
from typing import Final

from gloam_server.storage.errors import WrongSequence
from gloam_server.storage.journal import WriterClaim

KEPT: Final = 100
"""The number of claims that are kept as a history of writers."""


def put_claim(connection: sqlite3.Connection, claim: WriterClaim) -> int:
    """Write a claim and return its number."""
    number = (_newest(connection) or 0) + 1
    connection.execute(
        "INSERT INTO claims (number, rules, content, at_s, libraries) VALUES (?, ?, ?, ?, ?)",
        (number, claim.rules, claim.content, claim.at_s, claim.libraries),
    )
    connection.execute("DELETE FROM claims WHERE number <= ?", (number - KEPT,))
    return number


def newest_claim(connection: sqlite3.Connection) -> WriterClaim | None:
    """Return the newest claim, or None."""
    row = connection.execute(
        "SELECT rules, content, at_s, libraries FROM claims ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return WriterClaim(*row) if row else None


def require_claim(connection: sqlite3.Connection, number: int) -> None:
    """Raise WrongSequence if another server has claimed the world.

    Inside the writing transaction, no other server can claim it.
    """
    if _newest(connection) != number:
        raise WrongSequence("Another server has taken this world over; this one must stop.")


def _newest(connection: sqlite3.Connection) -> int | None:
    [(number,)] = connection.execute("SELECT max(number) FROM claims")
    return None if number is None else int(number)
