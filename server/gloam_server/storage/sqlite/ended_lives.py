"""The table of ended lives: one row for each, however often it is written."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Final

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from gloam_server.storage import tables
from gloam_server.storage.journal import Death

_DEATH: Final = [tables.deaths.c[name] for name in Death.__dataclass_fields__]
_AT_ONCE: Final = 500
"""The number of lives in one statement: SQLite bounds its variables."""


def write_deaths(connection: Connection, deaths: Sequence[Death]) -> None:
    """Write ended lives; one that is there already, as of a future that was lost, is replaced."""
    for death in deaths:
        row = asdict(death)
        written = upsert(tables.deaths).values(row)
        connection.execute(written.on_conflict_do_update(index_elements=["life"], set_=row))


def read_deaths(connection: Connection) -> list[Death]:
    """Return all rows, newest first."""
    rows = connection.execute(select(*_DEATH).order_by(tables.deaths.c.id.desc()))
    return [replace(death, won=bool(death.won)) for death in (Death(*row) for row in rows)]


def drop_deaths(connection: Connection, lives: Sequence[int]) -> None:
    """Delete the rows of these lives."""
    for at in range(0, len(lives), _AT_ONCE):
        connection.execute(delete(tables.deaths).where(tables.deaths.c.life.in_(lives[at : at + _AT_ONCE])))
