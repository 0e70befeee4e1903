"""The table of ended lives: one row for each, however often it is written."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from typing import Final

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert as upsert

from gloam_server.storage.journal import Death
from gloam_server.storage.sqlite import tables

_DEATH: Final = [tables.deaths.c[name] for name in Death.__dataclass_fields__]
_AT_ONCE: Final = 500
"""The number of lives in one statement: SQLite bounds its variables."""


class SqliteEndedLives:
    """The part of the journal about ended lives, on tables that are up to date."""

    def _transaction(self) -> AbstractContextManager[Connection]:
        raise NotImplementedError

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""
        with self._transaction() as connection:
            rows = connection.execute(select(*_DEATH).order_by(tables.deaths.c.id.desc()))
            return [replace(death, won=bool(death.won)) for death in (Death(*row) for row in rows)]

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""
        with self._transaction() as connection:
            for at in range(0, len(lives), _AT_ONCE):
                gone = lives[at : at + _AT_ONCE]
                connection.execute(delete(tables.deaths).where(tables.deaths.c.life.in_(gone)))


def write_deaths(connection: Connection, deaths: Sequence[Death]) -> None:
    """Write ended lives; one that is there already, as of a future that was lost, is replaced."""
    for death in deaths:
        row = asdict(death)
        written = upsert(tables.deaths).values(row)
        connection.execute(written.on_conflict_do_update(index_elements=["life"], set_=row))
