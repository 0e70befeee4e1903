"""Claims of writers to a world. The newest claim is the only writer; every other writer is fenced."""

import sqlite3
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from gloam_server.storage.journal import WriterClaim, WrongSequence
from gloam_server.storage.sqlite import tables

KEPT: Final = 100
"""The number of claims that are kept as a history of writers."""

_number = tables.claims.c.number


def put_claim(connection: Connection, claim: WriterClaim) -> int:
    """Write a claim and return its number."""
    number = (connection.scalar(select(func.max(_number))) or 0) + 1
    connection.execute(insert(tables.claims), {"number": number, **asdict(claim)})
    connection.execute(delete(tables.claims).where(_number <= number - KEPT))
    return number


def newest_claim(connection: Connection) -> WriterClaim | None:
    """Return the newest claim, or None."""
    claims = tables.claims.c
    query = select(claims.rules, claims.content, claims.at_s, claims.libraries)
    row = connection.execute(query.order_by(_number.desc()).limit(1)).one_or_none()
    return WriterClaim(*row) if row else None


def require_claim(connection: sqlite3.Connection, number: int) -> None:
    """Raise WrongSequence if another server has claimed the world.

    Inside the writing transaction, no other server can claim it.
    """
    (newest,) = connection.execute("SELECT max(number) FROM claims").fetchone()
    if newest != number:
        raise WrongSequence("Another server has taken this world over; this one must stop.")
