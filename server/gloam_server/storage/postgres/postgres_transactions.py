"""Transactions on PostgreSQL: one for each call, or one for several calls of a thread. One connection for each thread."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any, Final, NamedTuple

import psycopg
from psycopg import sql

from gloam_server.storage.errors import StorageError, WrongSequence
from gloam_server.storage.postgres.explain import explain_error, words

_ENCODINGS: Final = ("UTF8", "SQL_ASCII")
_CONNECT_S: Final = 5
_SESSION: Final = {
    "lock_timeout": "10s",
    "statement_timeout": "30s",
    # A server that hangs inside a transaction must not keep another one from its claim.
    "idle_in_transaction_session_timeout": "5s",
    "synchronous_commit": "on",
    "client_min_messages": "warning",
}


_LOOK: Final = "SELECT number FROM writer"
_SHARE: Final = f"{_LOOK} FOR SHARE"


class Written(NamedTuple):
    """A statement that changes rows, with its values: it can be carried out again."""

    statement: str
    values: tuple[Any, ...]


class PostgresConnection:
    """A connection with the statements of all databases: `?` for each value. It keeps what it has written if asked."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self.raw: Final = connection
        self.written: list[Written] | None = None
        self._claim: int | None = None
        self._has_looked = self._excludes = False

    def begin(self, claim: int | None) -> None:
        """Begin a transaction of the server with this claim, None for one without.

        Its first statement raises WrongSequence if another server has claimed the world. From the first one that writes on
        no other server can claim it until the transaction ends. One that only reads keeps no one waiting, and waits for no one.
        """
        self._claim, self._has_looked, self._excludes = claim, False, False

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[tuple[Any, ...]]:
        """Execute a statement."""
        self._require_claim(statement)
        self._note(statement, values)
        return self.raw.execute(_with_percents(statement), values)

    def executemany(
        self, statement: str, rows: Sequence[Sequence[Any]], /
    ) -> psycopg.Cursor[tuple[Any, ...]]:
        """Execute a statement once for each row of values."""
        self._require_claim(statement)
        for values in rows:
            self._note(statement, values)
        cursor = self.raw.cursor()
        cursor.executemany(_with_percents(statement), rows)
        return cursor

    def _note(self, statement: str, values: Sequence[Any]) -> None:
        if self.written is not None and _writes(statement):
            self.written.append(Written(statement, tuple(values)))

    def _require_claim(self, statement: str) -> None:
        writes = _writes(statement)
        if self._claim is None or self._excludes or (self._has_looked and not writes):
            return
        self._has_looked, self._excludes = True, writes
        [(found,)] = self.raw.execute(_SHARE if writes else _LOOK).fetchall()
        if found != self._claim:
            raise WrongSequence("Another server has taken this world over; this one must stop.")


class PostgresTransactions:
    """Begins and commits. With a `claim`, statements raise WrongSequence once another server has claimed the world.

    `before_commit` gets the connection of each transaction of `together` that is about to be committed, and returns
    a function to call after that, or None.
    """

    def __init__(self, address: str, schema: str) -> None:
        self.claim: int | None = None
        self.before_commit: Callable[[PostgresConnection], Callable[[], None] | None] | None = None
        self._address: Final = address
        self._schema: Final = schema
        self._of_thread = threading.local()
        self._open: list[PostgresConnection] = []

    @contextmanager
    def begin(self) -> Iterator[PostgresConnection]:
        """Yield the connection of a new transaction, or of the one that `together` holds open in this thread.

        Raises StorageError.
        """
        held = self.held()
        if held is not None:
            try:
                yield held
            except psycopg.Error as error:
                raise explain_error(error) from error
            return
        with self._committed() as connection:
            yield connection

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make one transaction of everything that this thread does inside: all of it is written, or nothing."""
        after: Callable[[], None] | None = None
        with self._committed() as connection:
            self._of_thread.held, connection.written = connection, []
            try:
                yield
                if self.before_commit is not None:
                    after = self.before_commit(connection)
            finally:
                self._of_thread.held, connection.written = None, None
        if after is not None:
            after()

    def held(self) -> PostgresConnection | None:
        """Return the connection of the transaction that `together` holds open in this thread, if any."""
        found: PostgresConnection | None = getattr(self._of_thread, "held", None)
        return found

    def close(self) -> None:
        """Close the connections of all threads."""
        for each in self._open:
            each.raw.close()
        self._open.clear()
        self._of_thread = threading.local()

    @contextmanager
    def _committed(self) -> Iterator[PostgresConnection]:
        try:
            with ExitStack() as transaction:
                connection = self._begin(transaction)
                connection.begin(self.claim)
                yield connection
        except psycopg.Error as error:
            raise explain_error(error) from error

    def _begin(self, transaction: ExitStack) -> PostgresConnection:
        """Begin a transaction, on a new connection if the present one was lost while it was idle: nothing was done in it."""
        connection = self._connection()
        try:
            transaction.enter_context(connection.raw.transaction())
        except psycopg.OperationalError:
            if not connection.raw.closed:
                raise
            connection = self._connection()
            transaction.enter_context(connection.raw.transaction())
        return connection

    def _connection(self) -> PostgresConnection:
        found: PostgresConnection | None = getattr(self._of_thread, "connection", None)
        if found is not None and not found.raw.closed:
            return found
        if found is not None:
            self._open.remove(found)
            self._of_thread.connection = None
        made = PostgresConnection(connect(self._address, self._schema))
        self._open.append(made)
        self._of_thread.connection = made
        return made


def connect(address: str, schema: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Return a connection that finds its tables in a schema. Raises StorageError."""
    settings = " ".join(f"-c {name}={value}" for name, value in _SESSION.items())
    try:
        connection = psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=_CONNECT_S,
            application_name="gloam",
            options=settings,
            client_encoding="UTF8",  # a database in SQL_ASCII, of a server without a locale, would give bytes for text
        )
    except (psycopg.Error, UnicodeError) as error:
        raise StorageError(
            f"PostgreSQL does not let this server in ({words(error)}); correct its address in --store, or start it."
        ) from error
    encoding = connection.info.parameter_status("server_encoding")
    if encoding not in _ENCODINGS:
        connection.close()
        raise StorageError(
            f"PostgreSQL keeps text of this database in {encoding}, and names need UTF8; name a database in --store that was "
            "made with ENCODING 'UTF8'."
        )
    connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(schema)))
    return connection


def _writes(statement: str) -> bool:
    return not statement.startswith("SELECT")


@lru_cache(maxsize=256)
def _with_percents(statement: str) -> str:
    """Return a statement with the mark for a value that psycopg has."""
    return statement.replace("%", "%%").replace("?", "%s")
