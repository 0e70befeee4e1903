"""The journal in memory on a disk that fails: it refuses, tears writes, and acknowledges writes that it did not make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gloam_server.storage.errors import StorageFault, StorageFull
from gloam_server.storage.journal import Record
from support.storage.memory_directory import MemoryDirectory
from support.storage.memory_journal import MemoryJournal
from support.storage.memory_snapshots import MemorySnapshots
from support.storage.memory_store import MemoryStore

FAULTS: Final = ("EIO", "ENOSPC", "short write")
"""The faults of an append. The server sees each of them; with EIO everything may be on the disk nevertheless."""


@dataclass
class Mishaps:
    """The mishaps of a disk.

    `on_durable` hears of every input that lands on it, `on_platter` when nothing more will last.
    """

    on_durable: Callable[[Sequence[Record]], None] = lambda *_: None
    on_platter: Callable[[], None] = lambda: None
    after_append: Callable[[], object] | None = None
    on_landed: Callable[[Sequence[Record]], None] = lambda *_: None
    lies_after: int | None = None
    lost_inputs: int = 0


class _DiskJournal(MemoryJournal):
    """A journal on such a disk."""

    def __init__(self, snapshots: MemorySnapshots, directory: MemoryDirectory) -> None:
        super().__init__(snapshots, directory)
        self.mishaps = Mishaps()

    def _append(self, records: Sequence[Record]) -> None:
        super()._append(records)
        self.mishaps.on_landed(records)
        if self.mishaps.after_append is not None:
            call, self.mishaps.after_append = self.mishaps.after_append, None
            call()


class Disk(MemoryStore):
    """The durable records, as far as anybody can tell.

    After `begin_lying` all goes well, and after some appends more nothing lasts; `power_cut` shows it.
    """

    journal: _DiskJournal

    def __init__(self) -> None:
        super().__init__(_DiskJournal)
        self.mishaps = self.journal.mishaps
        self.mishaps.on_landed = self._on_landed

    @property
    def is_lying(self) -> bool:
        """Whether confirmed writes may be lost."""
        return self.mishaps.lies_after is not None

    def trouble(self, kind: str, times: int, *, landed: bool) -> None:
        """Let the next appends meet one of `FAULTS`; of those that meet EIO all is on the disk, or nothing."""
        error = StorageFull("The disk is full.") if kind == "ENOSPC" else StorageFault(f"It fails: {kind}.")
        self.journal.fail_next(error, times, landed=landed and kind == "EIO")

    def be_well(self) -> None:
        """Stop all faults of writes, and keep all confirmed writes."""
        self.journal.end_faults()
        self._real = self.mishaps.lies_after = None
        self.mishaps.lost_inputs = 0

    def begin_lying(self, after: int) -> None:
        """Let this many appends more last, and none after them."""
        if not self.is_lying:
            self.mishaps.lies_after = after
            self._lie_in_time()

    def power_cut(self) -> int:
        """Lose what never lasted; return how many inputs that were."""
        lost = self.mishaps.lost_inputs
        self.cut_power()
        self.be_well()
        return lost

    def _on_landed(self, records: Sequence[Record]) -> None:
        mishaps = self.mishaps
        if self._real is not None:
            mishaps.lost_inputs += len(records)
        mishaps.on_durable(records)
        if mishaps.lies_after:
            mishaps.lies_after -= 1
            self._lie_in_time()

    def _lie_in_time(self) -> None:
        if self.mishaps.lies_after == 0 and self._real is None:
            self.lie()
            self.mishaps.on_platter()
