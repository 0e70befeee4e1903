"""Transactions on a world's database: one for each call, or one for several calls of a thread."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Engine, PoolProxiedConnection
from sqlalchemy.exc import DBAPIError

from gloam_server.storage.sqlite.database import AT_ONCE, driver_of, explain_error
from gloam_server.storage.sqlite.writer_claims import require_claim


class Transactions:
    """Begins and commits. With a `claim`, a commit raises WrongSequence once another server has claimed the world."""

    def __init__(self, engine: Engine) -> None:
        self.claim: int | None = None
        self._engine: Final = engine
        self._writing: Final = engine.execution_options(**AT_ONCE)
        self._of_thread: Final = threading.local()
        self._plain: PoolProxiedConnection | None = None

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield the connection of a new transaction, or of the one that `together` holds open in this thread.

        Raises StorageError.
        """
        held: Connection | None = getattr(self._of_thread, "connection", None)
        if held is not None:
            yield held
            return
        with self._committed(self._engine) as connection:
            yield connection

    @contextmanager
    def begin_plain(self) -> Iterator[sqlite3.Connection]:
        """Yield the driver's connection of such a transaction, in the one thread that appends. Raises StorageError.

        The steps of SQLAlchemy around a transaction, and the steps of its pool, take several times as long as SQLite's,
        besides the sync. So one connection is kept for these transactions, until one of them fails.
        """
        held: Connection | None = getattr(self._of_thread, "connection", None)
        if held is not None:
            yield driver_of(held)
            return
        try:
            if self._plain is None:
                self._plain = self._engine.raw_connection()
            connection = driver_of(self._plain)
            try:
                connection.execute("BEGIN")
                yield connection
                self._require_claim(connection)
                self._engine.dialect.do_commit(self._plain)
            except BaseException:
                self.close()  # the pool undoes what is not committed
                raise
        except (DBAPIError, sqlite3.Error) as error:
            raise explain_error(error) from error

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make one transaction of everything that this thread does inside: all of it is written, or nothing.

        Raises StorageError. A login is about ten calls, and a transaction for each was half of its processor time. A call that
        fails undoes the calls before it, too.

        It takes the lock for writing immediately. Else a write after a read fails when another process wrote in
        between.
        """
        with self._committed(self._writing) as connection:
            self._of_thread.connection = connection
            try:
                yield
            finally:
                del self._of_thread.connection

    def close(self) -> None:
        """Give the connection that `begin_plain` keeps back to the pool; its next call takes another one."""
        plain, self._plain = self._plain, None
        if plain is not None:
            plain.close()

    @contextmanager
    def _committed(self, engine: Engine) -> Iterator[Connection]:
        try:
            with engine.begin() as connection:
                yield connection
                self._require_claim(driver_of(connection))
        except (DBAPIError, sqlite3.Error) as error:
            raise explain_error(error) from error

    def _require_claim(self, connection: sqlite3.Connection) -> None:
        if self.claim is not None:
            require_claim(connection, self.claim)
