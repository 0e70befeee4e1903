"""Transactions on a world's database: one for each call, or one for several calls of a thread."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from gloam_server.storage.errors import StorageError
from gloam_server.storage.sqlite.database import Connections, explain_error
from gloam_server.storage.sqlite.writer_claims import require_claim


class Transactions:
    """Begins and commits. With a `claim`, a commit raises WrongSequence once another server has claimed the world.

    `explain` returns the meaning of an error for the host.
    """

    def __init__(
        self, connections: Connections, explain: Callable[[sqlite3.Error], StorageError] = explain_error
    ) -> None:
        self.claim: int | None = None
        self.connections: Final = connections
        self._explain: Final = explain
        self._of_thread: Final = threading.local()

    @contextmanager
    def begin(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection of a new transaction, or of the one that `together` holds open in this thread.

        Raises StorageError.
        """
        held: sqlite3.Connection | None = getattr(self._of_thread, "connection", None)
        if held is not None:
            yield held
            return
        with self._committed("BEGIN") as connection:
            yield connection

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make one transaction of everything that this thread does inside: all of it is written, or nothing.

        Raises StorageError. A login is about ten calls, and a transaction for each was half of its processor time. A call that
        fails undoes the calls before it, too.

        It takes the lock for writing immediately. Else a write after a read fails when another process wrote in
        between.
        """
        after: list[Callable[[], None]] = []
        with self._committed("BEGIN IMMEDIATE") as connection:
            self._of_thread.connection, self._of_thread.after = connection, after
            try:
                yield
            finally:
                del self._of_thread.connection, self._of_thread.after
        for call in after:
            call()

    def when_committed(self, call: Callable[[], None]) -> None:
        """Call when the writes of this thread are durable: after `together`, or now."""
        after: list[Callable[[], None]] | None = getattr(self._of_thread, "after", None)
        if after is None:
            call()
        else:
            after.append(call)

    @contextmanager
    def _committed(self, begin: str) -> Iterator[sqlite3.Connection]:
        try:
            connection = self.connections.connection()
            connection.execute(begin)
            try:
                yield connection
                if self.claim is not None:
                    require_claim(connection, self.claim)
                self._commit(connection)
            except BaseException:
                connection.rollback()
                raise
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _commit(self, connection: sqlite3.Connection) -> None:
        connection.execute("COMMIT")
