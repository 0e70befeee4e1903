"""The table of ended lives, one row for each: a part of the directory."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import Final

from gloam_server.storage.directory import Death
from gloam_server.storage.sqlite.transactions import Transactions

_FIELDS: Final = tuple(Death.__dataclass_fields__)
_COLUMNS: Final = ", ".join(_FIELDS)
_ALL: Final = f"SELECT {_COLUMNS} FROM deaths ORDER BY id DESC"  # noqa: S608  # names of ours
_WRITE: Final = (
    f"INSERT INTO deaths ({_COLUMNS}) VALUES ({', '.join('?' for _ in _FIELDS)}) ON CONFLICT (life) DO UPDATE SET "  # noqa: S608  # as above
    + ", ".join(f"{name} = excluded.{name}" for name in _FIELDS)
)


class SqliteEndedLives:
    """The part of the directory about ended lives, on tables that are up to date."""

    _transactions: Transactions

    def write_deaths(self, deaths: Sequence[Death]) -> None:
        """Write ended lives; one that is there already, as of a future that was lost, is replaced."""
        with self._transactions.begin() as connection:
            connection.executemany(_WRITE, [astuple(death) for death in deaths])

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_ALL).fetchall()
        return [replace(death, won=bool(death.won)) for death in (Death(*row) for row in rows)]

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""
        with self._transactions.begin() as connection:
            connection.executemany("DELETE FROM deaths WHERE life = ?", [(life,) for life in lives])
