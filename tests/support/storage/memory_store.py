"""A store in memory, with the same contract as the real one: for the simulation and for tests of everything above storage."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from gloam_server.storage.errors import WorldOpen
from gloam_server.storage.store import Store
from support.storage.memory_directory import MemoryDirectory
from support.storage.memory_journal import MemoryJournal
from support.storage.memory_snapshots import MemorySnapshots

_NOT_ON_DISK: Final = frozenset(
    {
        *("_snapshots", "_directory", "_claim", "_faults", "_landed", "_witnessed", "is_held", "late_error"),
        *("_transaction", "_reached", "mishaps"),
    }
)
Disk = list[dict[str, Any]]


class MemoryLease:
    """The right to open a world in memory."""

    def __init__(self) -> None:
        self.is_held = True

    def release(self) -> None:
        """Let another server open the world."""
        self.is_held = False


class MemoryStore(Store):
    """A world that forgets everything with the process."""

    journal: MemoryJournal
    snapshots: MemorySnapshots
    directory: MemoryDirectory
    lease: MemoryLease

    def __init__(self, kind: type[MemoryJournal] = MemoryJournal) -> None:
        snapshots = MemorySnapshots(self._reached)
        directory = MemoryDirectory(self._transaction)
        super().__init__(kind(snapshots, directory), snapshots, directory, MemoryLease())
        self._real: Disk | None = None

    def open_again(self, *, take_over: bool = False) -> "MemoryStore":
        """Return another server's hold on the same disk. Raises WorldOpen."""
        if self.lease.is_held and not take_over:
            raise WorldOpen("The world is open in another server; stop that one first.")
        other = copy.copy(self)
        other.journal, other.lease = copy.copy(self.journal), MemoryLease()
        other.directory = copy.copy(self.directory)
        other.directory._transaction = other._transaction
        return other

    def lie(self) -> None:
        """From now on call durable what is not: the next `cut_power` takes the disk back to this moment."""
        if self._real is None:
            self._real = self.disk()

    def cut_power(self) -> None:
        """Lose what was written since `lie`. The witness, who has a way of its own, still knows of it."""
        if self._real is not None:
            self.take_back(self._real)
            self._real = None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make one transaction of all calls inside: what raises leaves nothing behind."""
        before = self.disk()
        self.journal.is_held, self.journal.late_error = True, None
        try:
            self.journal.require_claim()
            yield
        except BaseException:
            self.take_back(before)
            raise
        finally:
            self.journal.is_held = False
        if self.journal.late_error is not None:
            raise self.journal.late_error

    def _reached(self, partition: int) -> list[tuple[int, int]]:
        return self.journal.reached(partition)

    def _parts(self) -> tuple[Any, ...]:
        return self.journal, self.snapshots, self.directory

    def disk(self) -> Disk:
        """Return a copy of the disk; rows themselves never change."""
        return [
            {name: _copied(value) for name, value in vars(part).items() if name not in _NOT_ON_DISK}
            for part in self._parts()
        ]

    def take_back(self, disk: Disk) -> None:
        """Make the disk what it was when a copy was made."""
        for part, values in zip(self._parts(), disk, strict=True):
            vars(part).update(_copied(values))


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return list(value) if isinstance(value, list) else value
