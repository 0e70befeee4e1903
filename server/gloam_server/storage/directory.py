"""The directory: accounts, chat, lives and the identity of a world. The interface, the same for every backend."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from gloam_server.storage.accounts import Accounts
from gloam_server.storage.archive import Archive
from gloam_server.storage.chat_store import ChatStore


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a life. `account` is the account's number; `at_s` is seconds since 1970.

    `life` is the number of its body, which no other life of the realm has, None if unknown; `sequence` is the realm's
    record of it. `title` is its full name in its lineage, "" for `name`. `wins` counts its victories; `won` says that
    the last of them ended it, and then `killer` is the cause of that victory. `beacons` counts those that it lit.
    """

    account: int
    name: str
    killer: str
    depth: int
    level: int
    experience: int
    turns: int
    at_s: int
    life: int | None = None
    sequence: int = 0
    title: str = ""
    deepest: int = 0
    kills: int = 0
    wins: int = 0
    beacons: int = 0
    won: bool = False


@dataclass(frozen=True, slots=True)
class WorldIdentity:
    """The identity of a realm: its campaign and seed, and its present rules and content."""

    campaign: str
    seed: int
    rules: int
    content: str
    created_s: int


class Directory(Accounts, Archive, ChatStore, Protocol):
    """Accounts, chat, ended and archived lives, and what the world is. Each call is one transaction."""

    def together(self) -> AbstractContextManager[None]:
        """Make one transaction of all calls that this thread makes inside, of the other interfaces, too."""

    def identity(self) -> WorldIdentity | None:
        """Return the realm's identity, or None before `create_identity`."""

    def create_identity(self, identity: WorldIdentity) -> None:
        """Write the realm's identity, once; only `adopt` changes it. Raises StorageFault if there is one."""

    def adopt(self, rules: int, content: str) -> None:
        """Change the rules and the content of the realm's identity."""

    def content(self, digest: str) -> bytes | None:
        """Return the content with this digest."""

    def keep_content(self, digest: str, files: bytes) -> None:
        """Store the realm's content, so that an upgrade can compare it and a replay can use it."""

    def write_deaths(self, deaths: Sequence[Death]) -> None:
        """Write ended lives; one that is there already, as of a future that was lost, is replaced."""

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""
