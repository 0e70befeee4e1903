"""The journal's twin in memory, for tests: the same contract, and faults on demand."""

from collections.abc import Iterator, Sequence

from gloam_server.storage.journal import (
    Death,
    Identity,
    Record,
    Snapshot,
    SnapshotMark,
    StorageError,
    StorageFault,
    WrongSequence,
)
from gloam_server.storage.memory_accounts import MemoryAccounts
from gloam_server.storage.retention import KEEP_S, MARK_EVERY_S, ROWS_MAX


class MemoryJournal(MemoryAccounts):
    """A journal that forgets everything with the process."""

    def __init__(self) -> None:
        super().__init__()
        self._records: dict[int, list[Record]] = {}
        self._snapshots: dict[int, dict[int, Snapshot]] = {}
        self._deaths: list[Death] = []
        self._identity: Identity | None = None
        self._faults: list[StorageError] = []
        self._dropped: dict[int, int] = {}
        self._marks: list[tuple[int, dict[int, int]]] = []

    def fail_next(self, error: StorageError, times: int = 1) -> None:
        """Let the next `times` appends raise `error` and write nothing."""
        self._faults += [error] * times

    def append(
        self, records: Sequence[Record], snapshots: Sequence[Snapshot] = (), deaths: Sequence[Death] = ()
    ) -> None:
        """Write all or nothing, or raise what `fail_next` was given."""
        if self._faults:
            raise self._faults.pop(0)
        last: dict[int, int] = {}
        for record in records:
            expected = last.get(record.place, self.last_sequence(record.place)) + 1
            if record.sequence != expected:
                raise WrongSequence(f"Record {record.sequence} of place {record.place} is not the next one.")
            last[record.place] = record.sequence
        if any(death.account not in self._accounts for death in deaths):
            raise StorageFault("A death names an account that does not exist.")
        for record in records:
            self._records.setdefault(record.place, []).append(record)
        for snapshot in snapshots:
            self._put(snapshot)
        self._deaths += deaths

    def read(self, place: int, after: int) -> Iterator[Record]:
        """Yield the records of a place that follow record `after`, in order."""
        yield from self._records.get(place, [])[max(0, after - self._dropped.get(place, 0)) :]

    def last_sequence(self, place: int) -> int:
        """Return the number of a place's newest record, or 0."""
        return self._dropped.get(place, 0) + len(self._records.get(place, []))

    def places(self) -> list[int]:
        """Return the places that have a record or a snapshot, in order."""
        return sorted({*self._records, *self._snapshots})

    def snapshots(self, place: int) -> list[SnapshotMark]:
        """Return what snapshots of a place are kept, newest first."""
        kept = self._snapshots.get(place, {})
        return [kept[sequence].mark for sequence in sorted(kept, reverse=True)]

    def latest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's newest snapshot."""
        kept = self._snapshots.get(place)
        return kept[max(kept)] if kept else None

    def oldest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's first snapshot."""
        kept = self._snapshots.get(place)
        return kept[min(kept)] if kept else None

    def identity(self) -> Identity | None:
        """Return what the realm is, or None before `found`."""
        return self._identity

    def found(self, identity: Identity) -> None:
        """Write what the realm is, once and for all."""
        if self._identity is not None:
            raise StorageFault("This world was founded before.")
        self._identity = identity

    def deaths(self) -> list[Death]:
        """Return all deaths, newest first."""
        return self._deaths[::-1]

    def retain(self, now_s: int) -> int:
        """Let go of the records that are older than they need be; there is no bound on their bytes here."""
        if not self._marks or now_s - self._marks[-1][0] >= MARK_EVERY_S:
            self._marks.append((now_s, {place: self.last_sequence(place) for place in self._records}))
        old = [reached for at_s, reached in self._marks if at_s <= now_s - KEEP_S]
        return sum(self._drop(place, until) for place, until in sorted(old[-1].items())) if old else 0

    def close(self) -> None:
        """Let go of nothing: there is nothing to let go of."""

    def _drop(self, place: int, until: int) -> int:
        newest = sorted(self._snapshots.get(place, {}), reverse=True)[:2]
        if len(newest) < 2:
            return 0
        gone = self._dropped.get(place, 0)
        last = min(until, newest[1], self.last_sequence(place) - 1, gone + ROWS_MAX)
        if last <= gone:
            return 0
        self._records[place] = self._records[place][last - gone :]
        self._dropped[place] = last
        self._snapshots[place] = {at: kept for at, kept in self._snapshots[place].items() if at >= last}
        return last - gone

    def _put(self, snapshot: Snapshot) -> None:
        kept = self._snapshots.setdefault(snapshot.place, {})
        kept[snapshot.sequence] = snapshot
        for sequence in sorted(kept)[1:-2]:
            del kept[sequence]
