"""The part of a database that the shared statements need: SQLite's connections have it, and other backends wrap theirs.

Statements have `?` for each value. They use only what all databases understand: values of Python's int, str, bytes and None.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement changed."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the remaining rows."""


class Connection(Protocol):
    """A connection inside a transaction."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """Execute a statement."""

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> Rows:
        """Execute a statement once for each row of values."""


class Transactions(Protocol):
    """Begins and commits."""

    def begin(self) -> AbstractContextManager[Connection]:
        """Yield the connection of a new transaction, or of the one that `together` holds open in this thread.

        Raises StorageError.
        """

    def together(self) -> AbstractContextManager[None]:
        """Make one transaction of everything that this thread does inside: all of it is written, or nothing."""
