"""The directory in SQL: its parts, and the identity of the world."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, replace
from typing import Final

from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.errors import StorageFault
from gloam_server.storage.sql.directory.sql_accounts import SqlAccounts
from gloam_server.storage.sql.directory.sql_archive import SqlArchive
from gloam_server.storage.sql.directory.sql_chat import SqlChat
from gloam_server.storage.sql.queries import first_value
from gloam_server.storage.sql.transactions import Connection, Transactions

_IDENTITY: Final = "SELECT campaign, seed, rules, content, created_s FROM realm"
_CREATE: Final = (
    "INSERT INTO realm (id, campaign, seed, rules, content, created_s) VALUES (1, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)


_FIELDS: Final = tuple(Death.__dataclass_fields__)
_COLUMNS: Final = ", ".join(_FIELDS)
_ALL: Final = f"SELECT {_COLUMNS} FROM deaths ORDER BY id DESC"  # noqa: S608  # names of ours
_WRITE: Final = (
    f"INSERT INTO deaths ({_COLUMNS}) VALUES ({', '.join('?' for _ in _FIELDS)}) ON CONFLICT (life) DO UPDATE SET "  # noqa: S608  # as above
    + ", ".join(f"{name} = excluded.{name}" for name in _FIELDS)
)


class SqlEndedLives:
    """The part of the directory about ended lives, on tables that are up to date."""

    _transactions: Transactions

    def write_deaths(self, deaths: Sequence[Death]) -> None:
        """Write ended lives; one that is there already, as of a future that was lost, is replaced."""
        with self._transactions.begin() as connection:
            connection.executemany(_WRITE, [(*astuple(death)[:-1], int(death.won)) for death in deaths])

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_ALL).fetchall()
        return [replace(death, won=bool(death.won)) for death in (Death(*row) for row in rows)]

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""
        with self._transactions.begin() as connection:
            connection.executemany("DELETE FROM deaths WHERE life = ?", [(life,) for life in lives])


class SqlDirectory(SqlAccounts, SqlArchive, SqlChat, SqlEndedLives):
    """The implementation of `Directory` on tables that are up to date."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @property
    def transactions(self) -> Transactions:
        """The transactions of the database, for what copies it as a whole."""
        return self._transactions

    def together(self) -> AbstractContextManager[None]:
        """Make one transaction of all calls inside."""
        return self._transactions.together()

    def identity(self) -> WorldIdentity | None:
        """Return the realm's identity, or None before `create_identity`."""
        with self._transactions.begin() as connection:
            return read_identity(connection)

    def create_identity(self, identity: WorldIdentity) -> None:
        """Write the realm's identity, once."""
        row = (
            *(identity.campaign, str(identity.seed), identity.rules),
            *(identity.content, identity.created_s),
        )
        with self._transactions.begin() as connection:
            if connection.execute(_CREATE, row).rowcount != 1:
                raise StorageFault("This world was founded before.")

    def adopt(self, rules: int, content: str) -> None:
        """Change the rules and the content of the realm's identity."""
        with self._transactions.begin() as connection:
            connection.execute("UPDATE realm SET rules = ?, content = ?", (rules, content))

    def content(self, digest: str) -> bytes | None:
        """Return the content with this digest."""
        with self._transactions.begin() as connection:
            found: bytes | None = first_value(
                connection, "SELECT files FROM contents WHERE digest = ?", (digest,)
            )
            return found

    def keep_content(self, digest: str, files: bytes) -> None:
        """Store the realm's content."""
        keeping = "INSERT INTO contents (digest, files) VALUES (?, ?) ON CONFLICT DO NOTHING"
        with self._transactions.begin() as connection:
            connection.execute(keeping, (digest, files))


def read_identity(connection: Connection) -> WorldIdentity | None:
    """Return the realm's identity, or None."""
    row = connection.execute(_IDENTITY).fetchone()
    if row is None:
        return None
    campaign, seed, rules, content, created_s = row
    return WorldIdentity(campaign, int(seed), rules, content, created_s)
