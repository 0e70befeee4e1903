"""The journal in memory on a disk that fails: it refuses, tears writes, and acknowledges writes that it did not make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gloam_server.storage.archive import ArchiveChange
from gloam_server.storage.journal import Death, Record, Snapshot, StorageFault, StorageFull
from support.storage.memory_journal import MemoryJournal

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
    lies_after: int | None = None
    lost_inputs: int = 0

    def __deepcopy__(self, memo: Any) -> "Mishaps":
        """Be no part of what the disk holds."""
        return self


class Disk(MemoryJournal):
    """The durable records, as far as anybody can tell.

    After `begin_lying` all goes well, and after some appends more nothing lasts; `power_cut` shows it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.mishaps = Mishaps()

    @property
    def is_lying(self) -> bool:
        """Whether confirmed writes may be lost."""
        return self.mishaps.lies_after is not None

    def trouble(self, kind: str, times: int, *, landed: bool) -> None:
        """Let the next appends meet one of `FAULTS`; of those that meet EIO all is on the disk, or nothing."""
        error = StorageFull("The disk is full.") if kind == "ENOSPC" else StorageFault(f"It fails: {kind}.")
        self.fail_next(error, times, landed=landed and kind == "EIO")

    def be_well(self) -> None:
        """Stop all faults of writes, and keep all confirmed writes."""
        self._faults.clear()
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

    def _append(
        self,
        records: Sequence[Record],
        snapshots: Sequence[Snapshot],
        deaths: Sequence[Death],
        archive: ArchiveChange,
    ) -> None:
        super()._append(records, snapshots, deaths, archive)
        mishaps = self.mishaps
        if self._real is not None:
            mishaps.lost_inputs += len(records)
        mishaps.on_durable(records)
        if mishaps.lies_after:
            mishaps.lies_after -= 1
            self._lie_in_time()
        if mishaps.after_append is not None:
            call, mishaps.after_append = mishaps.after_append, None
            call()

    def _lie_in_time(self) -> None:
        if self.mishaps.lies_after == 0 and self._real is None:
            self.lie()
            self.mishaps.on_platter()
