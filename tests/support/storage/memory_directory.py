"""The directory in memory: accounts, chat, ended and archived lives, and the identity of the world."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.errors import StorageFault
from support.storage.memory_accounts import MemoryAccounts
from support.storage.memory_archive import MemoryArchive
from support.storage.memory_chat import MemoryChat


class MemoryDirectory(MemoryChat, MemoryArchive, MemoryAccounts):
    """An implementation of `Directory` in dictionaries; `transaction` is of the whole store."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[None]]) -> None:
        MemoryAccounts.__init__(self)
        MemoryArchive.__init__(self)
        MemoryChat.__init__(self)
        self._transaction = transaction
        self._deaths: list[Death] = []
        self._identity: WorldIdentity | None = None
        self._contents: dict[str, bytes] = {}

    def together(self) -> AbstractContextManager[None]:
        """Make one transaction of all calls inside."""
        return self._transaction()

    def identity(self) -> WorldIdentity | None:
        """Return the realm's identity, or None before `create_identity`."""
        return self._identity

    def create_identity(self, identity: WorldIdentity) -> None:
        """Write the realm's identity, once."""
        if self._identity is not None:
            raise StorageFault("This world was founded before.")
        self._identity = identity

    def adopt(self, rules: int, content: str) -> None:
        """Change the rules and the content of the realm's identity."""
        if self._identity is not None:
            self._identity = replace(self._identity, rules=rules, content=content)

    def content(self, digest: str) -> bytes | None:
        """Return the content with this digest."""
        return self._contents.get(digest)

    def keep_content(self, digest: str, files: bytes) -> None:
        """Store the realm's content."""
        self._contents.setdefault(digest, files)

    def write_deaths(self, deaths: Sequence[Death]) -> None:
        """Write ended lives; one that is there already is replaced."""
        if any(death.account not in self._accounts for death in deaths):
            raise StorageFault("A death names an account that does not exist.")
        for death in deaths:
            at = [kept.life for kept in self._deaths].index(death.life) if self._has(death) else -1
            if at < 0:
                self._deaths.append(death)
            else:
                self._deaths[at] = death

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""
        return self._deaths[::-1]

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""
        gone = set(lives)
        self._deaths = [death for death in self._deaths if death.life not in gone]

    def _has(self, death: Death) -> bool:
        return death.life is not None and any(kept.life == death.life for kept in self._deaths)
