"""Transactions on a world's database: one for each call, or one for several calls of a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from gloam_server.storage.sqlite.database import AT_ONCE, explain_error
from gloam_server.storage.sqlite.writer_claims import require_claim


class Transactions:
    """Begins and commits. With a `claim`, a commit raises WrongSequence once another server has claimed the world."""

    def __init__(self, engine: Engine) -> None:
        self.claim: int | None = None
        self._engine: Final = engine
        self._writing: Final = engine.execution_options(**AT_ONCE)
        self._of_thread: Final = threading.local()

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
    def together(self) -> Iterator[None]:
        """Make one transaction of all that this thread does inside: all of it is written, or nothing. Raises StorageError.

        It takes the lock for writing at once. Else a write after a read fails when another process wrote in between.
        """
        with self._committed(self._writing) as connection:
            self._of_thread.connection = connection
            try:
                yield
            finally:
                del self._of_thread.connection

    @contextmanager
    def _committed(self, engine: Engine) -> Iterator[Connection]:
        try:
            with engine.begin() as connection:
                yield connection
                if self.claim is not None:
                    require_claim(connection, self.claim)
        except DBAPIError as error:
            raise explain_error(error) from error
