"""The stored chat: the players that others ignore or block, the newest words, reports.

The interface, the same for every backend.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class IgnoredPlayer(NamedTuple):
    """A player that another one ignores, or blocks."""

    account: int
    name: str
    blocked: bool


class StoredChat(NamedTuple):
    """Words of a channel, with their number in the realm and the second since 1970.

    `hearers` are the accounts that may read them, empty for all.
    """

    number: int
    at_s: int
    channel: str
    account: int
    name: str
    text: str
    hearers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A report of a player about another, `at_s` seconds since 1970, with the last lines that the reporter heard."""

    at_s: int
    account: int
    name: str
    about: str
    why: str
    lines: tuple[str, ...]


class ChatStore(Protocol):
    """The part of the directory's interface about words. Each call is one transaction and may raise StorageError."""

    def ignoring(self) -> set[int]:
        """Return the accounts that ignore or block any other."""

    def ignored_by(self, account: int) -> list[IgnoredPlayer]:
        """Return the players that an account ignores or blocks, the newest last."""

    def ignore(self, account: int, other: int, blocked: bool | None) -> None:  # noqa: FBT001  # a column's value
        """Store that an account blocks or ignores (False) another, or neither (None)."""

    def stored_chat(self) -> list[StoredChat]:
        """Return the kept words, the newest last."""

    def listeners(self) -> dict[int, int]:
        """Return for each account that was ever there the number of the newest words that it was there for."""

    def store_chat(self, said: Sequence[StoredChat], heard: Mapping[int, int], oldest: int) -> None:
        """Store words and up to which number accounts were there; delete all words before number `oldest`."""

    def add_report(self, report: StoredReport) -> None:
        """Store a report; the oldest of its reporter, and of all, beyond their bounds go."""

    def reports(self) -> list[StoredReport]:
        """Return the kept reports, the newest first."""
