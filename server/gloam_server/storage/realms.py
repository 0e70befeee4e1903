"""The realms of a cluster as their host sees them. The interface names no backend; a single world in a file has none."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.store import Transferred

FIRST_PORT: Final = 7373
"""The port of the first realm; each further one gets the next that is free."""


class RealmState(StrEnum):
    """The state of a realm: made and complete, or exported and being erased."""

    KEPT = "kept"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Holder:
    """The server that has a realm open: its words for people, and its worker's name, "" for a server by itself."""

    name: str
    worker: str = ""


@dataclass(frozen=True, slots=True)
class NewestEntry:
    """The newest entry of a journal: its number in the stream of all realms, and when it was written, in seconds since 1970."""

    number: int
    at_s: int


@dataclass(frozen=True, slots=True)
class RealmReport:
    """The realm of a cluster. It has a `port` if workers are to serve it, and no `identity` while it has no dungeon."""

    name: str
    state: RealmState
    identity: WorldIdentity | None
    dungeon: str
    port: int | None
    holder: Holder | None
    newest: NewestEntry | None


class Realms(Protocol):
    """All realms of a cluster. Calls block and raise StorageError; reading takes no lease and writes nothing."""

    def reports(self) -> list[RealmReport]:
        """Return all realms, by name."""

    def find(self, realm: str) -> RealmReport:
        """Return one realm. Raises StorageError if there is none of that name."""

    def address(self, realm: str) -> str:
        """Return the address of a realm, as for `open_store`. Raises StorageError for a name of a wrong form."""

    def assign_port(self, realm: str, port: int | None) -> int:
        """Give a realm with tables a port that no other one has, the next free one for None; return it."""

    def retire(self, realm: str, file: Path) -> Transferred | None:
        """Export a realm that no server has open, compare the export, and then erase the realm.

        Returns None for a realm whose export was complete before, when only the erasing was cut off.
        """

    def erase(self, realm: str) -> None:
        """Delete a realm that has no dungeon yet, or whose beginning failed. The caller has its lease."""

    def close(self) -> None:
        """Close the connections."""
