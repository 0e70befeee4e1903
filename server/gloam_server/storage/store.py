"""A store: the interfaces of one open world, and what a backend in files can do besides. Names no backend."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from gloam_server.storage.directory import Directory
from gloam_server.storage.host import Host
from gloam_server.storage.journal import Journal, LostInputs, Record
from gloam_server.storage.snapshots import Snapshots

FAULTS_MAX: Final = 20
"""The most faults that a check of a world's rows reports."""

HashOf = Callable[[bytes], bytes]


class CheckCursor(NamedTuple):
    """The progress of a check of a world's rows: a table, and the key of its last checked row."""

    table: str
    key: tuple[Any, ...] = ()


class CheckResult(NamedTuple):
    """The faults that one step of a check found, each a sentence; and where to continue, None at the end."""

    faults: list[str]
    rest: CheckCursor | None


class SalvageReport(NamedTuple):
    """The result of a salvage: the old file's new path, the number of kept records, and of records known to be lost."""

    kept_aside: Path
    records: int
    lost: int


class Transferred(NamedTuple):
    """The result of a move of a world: the number of its kept records, and a digest of everything that was read back."""

    records: int
    digest: bytes


class Lease(Protocol):
    """The right to open a world, which one server has: a hint, because the claim in the journal decides."""

    def release(self) -> None:
        """Let another server open the world."""


def _keep_none(_: Lease) -> None:
    """Do nothing: a lease ends with its store."""


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """The way in which a server asks for the lease of a world: for how long, how often, and as the server of which worker.

    `follows` is the process of this machine whose lease it takes without waiting, because it has ended that process itself.
    `taken` gets a lease that would outlive this process, for one that may end before its store is open.
    """

    wait_s: float = 2.2
    """A little longer than the lease of a server that was killed lasts."""
    glance_s: float = 0.2
    worker: str = ""
    follows: int = 0
    taken: Callable[[Lease], None] = _keep_none


PATIENT: Final = LeaseTerms()
"""The terms of a server by itself."""


class FileStore(Protocol):
    """A world in a file, which may be open in a server. Not every backend has one."""

    @property
    def path(self) -> Path:
        """The file's path."""

    def exists(self) -> bool:
        """Return whether the file exists, in any state."""

    def damage(self) -> str | None:
        """Return the damage that opening the world would hide, as a clause, or None."""

    def check(self, hash_of: HashOf) -> list[str]:
        """Return the damage of the rows, each fault a sentence; `hash_of` computes the hashes of snapshots."""

    def salvage(self, stamp: str, hash_of: HashOf) -> SalvageReport:
        """Make a new world from the readable parts of this damaged one, which is kept under a name with `stamp`."""

    def backup(self, copy: Path) -> int:
        """Write a complete copy of the world at this moment, and return its size in bytes."""

    def keep_former(self, word: str, stamp: str) -> Path:
        """Keep a copy in the world's folder, under a name with a word and a time. The world must be open here."""

    def restore(self, copy: Path) -> None:
        """Restore a backup into the folder of this world, which has none."""

    def accounts(self) -> AbstractContextManager[Directory]:
        """Yield the directory of a world that may be open in a server: no lease is taken, and no table is changed."""


class OpenFile(Protocol):
    """The file of an open store."""

    @property
    def former(self) -> Path | None:
        """The world's copy from before, if its tables had to be upgraded."""

    def lacking(self) -> LostInputs | None:
        """Return the inputs that were confirmed durable but are missing."""

    def look(self, cursor: CheckCursor | None, hash_of: HashOf) -> CheckResult:
        """Check the next rows for damage, from the first without a cursor."""

    def put_back(self) -> None:
        """Close the store, and restore the file from before it was opened, so that an older version can open it.

        A start may bring the tables up to date and then find that it cannot serve the world. Its message names an older
        version to run, which could not open the world otherwise. Raises StorageError if the copy is damaged; the world
        then stays upgraded.
        """


@dataclass(slots=True)
class Store:
    """An open world. All calls block: the running server makes them in the writer's thread.

    There is no `Bus` here yet: in one process, views are made from the same dungeon.
    """

    journal: Journal
    snapshots: Snapshots
    directory: Directory
    lease: Lease
    file: OpenFile | None = None
    host: Host | None = None

    def commit(self, records: Sequence[Record], rows: Sequence[Callable[[], object]] = ()) -> None:
        """Append records and carry out `rows`, other calls of this store, whole or not at all.

        Rows are what a replay of the records could not make again: the time of a death is in no record. Everything
        else is written after the records. A failed commit is unknown, as a failed append is, so rows must be idempotent.
        """
        if not rows:
            self.journal.append(records)
            return
        with self.directory.together():
            self.journal.append(records)
            for write in rows:
                write()

    def partitions(self) -> list[int]:
        """Return the partitions that have a record or a snapshot, in order."""
        return sorted({*self.journal.partitions(), *self.snapshots.partitions()})

    def put_back(self) -> None:
        """Close, and undo what opening changed, so that an older version can open the world: see `OpenFile`."""
        if self.file is None:
            self.close()
        else:
            self.file.put_back()

    def close(self) -> None:
        """Close the world, and let another server open it."""
        self.journal.close()
        self.lease.release()
