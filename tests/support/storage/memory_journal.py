"""The journal in memory: the same contract, and faults on demand."""

import copy
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, Final

from gloam_server.storage.archive import NO_CHANGE, ArchiveChange
from gloam_server.storage.journal import (
    Death,
    LostInputs,
    Record,
    Snapshot,
    SnapshotMark,
    StorageError,
    StorageFault,
    WorldIdentity,
    WriterClaim,
    WrongSequence,
)
from gloam_server.storage.sqlite.integrity.checksums import CheckCursor, CheckResult, HashOf
from gloam_server.storage.sqlite.retention import (
    KEEP_S,
    MARK_EVERY_S,
    ROWS_MAX,
    droppable_snapshots,
    first_needed_record,
)
from support.storage.memory_accounts import MemoryAccounts
from support.storage.memory_archive import MemoryArchive
from support.storage.memory_words import MemoryWords

_NOT_ON_DISK: Final = ("_claim", "_faults", "_landed", "_lost", "_real")


class MemoryJournal(MemoryWords, MemoryArchive, MemoryAccounts):
    """A journal that forgets everything with the process."""

    def __init__(self) -> None:
        MemoryAccounts.__init__(self)
        MemoryArchive.__init__(self)
        MemoryWords.__init__(self)
        self._records: dict[int, list[Record]] = {}
        self._snapshots: dict[int, dict[int, Snapshot]] = {}
        self._deaths: list[Death] = []
        self._identity: WorldIdentity | None = None
        self._claims: list[WriterClaim] = []
        self._claim = 0
        self._faults: list[tuple[StorageError, bool]] = []
        self._landed: Sequence[Record] = ()
        self._lost: LostInputs | None = None
        self._real: dict[str, Any] | None = None
        self._dropped: dict[int, int] = {}
        self._contents: dict[str, bytes] = {}
        self._marks: list[tuple[int, dict[int, int]]] = []

    def together(self) -> AbstractContextManager[None]:
        """Change nothing: each call is whole by itself."""
        return nullcontext()

    def fail_next(self, error: StorageError, times: int = 1, *, landed: bool = False) -> None:
        """Let the next `times` appends raise `error`: having written nothing, or, if `landed`, everything."""
        self._faults += [(error, landed)] * times

    def lie(self) -> None:
        """From now on call durable what is not: the next `cut_power` takes the disk back to this moment."""
        if self._real is None:
            on_disk = {name: value for name, value in vars(self).items() if name not in _NOT_ON_DISK}
            self._real = copy.deepcopy(on_disk)

    def cut_power(self) -> None:
        """Lose what was written since `lie`. The witness, who has a way of its own, still knows of it."""
        if self._real is not None:
            vars(self).update(self._real)
            self._real = None

    def rival(self) -> "MemoryJournal":
        """Return another server's hold on the same disk."""
        return copy.copy(self)

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer, and return what was lost to a lie."""
        self._claims.append(claim)
        self._claim = len(self._claims)
        self._landed = ()  # what a former server appended again is no matter of this one's
        lost, inputs = self._lost, self._inputs()
        self._lost = LostInputs(inputs, claim.at_s)
        lacking = lost.inputs - inputs if lost else 0
        return LostInputs(lacking, lost.at_s) if lost and lacking > 0 else None

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""
        return self._claims[-1] if self._claims else None

    def append(
        self,
        records: Sequence[Record],
        snapshots: Sequence[Snapshot] = (),
        deaths: Sequence[Death] = (),
        archive: ArchiveChange = NO_CHANGE,
    ) -> None:
        """Write all or nothing, and what landed before only once; or raise what `fail_next` was given."""
        if self._claim and self._claim != len(self._claims):
            raise WrongSequence("Another server has taken this world over; this one must stop.")
        error, landed = self._faults.pop(0) if self._faults else (None, True)
        if landed and (not records or records != self._landed):
            self._append(records, snapshots, deaths, archive)
        if self._claim:
            self._lost = LostInputs(self._inputs(), self._claims[-1].at_s)
        if error is not None:
            self._landed = records if landed else self._landed
            raise error

    def _append(
        self,
        records: Sequence[Record],
        snapshots: Sequence[Snapshot],
        deaths: Sequence[Death],
        archive: ArchiveChange,
    ) -> None:
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
        written = {death.life for death in deaths if death.life is not None}
        self._deaths = [death for death in self._deaths if death.life not in written]
        self._deaths += deaths
        self._write_archive(archive)

    def _inputs(self) -> int:
        return sum(self.last_sequence(place) for place in self._records)

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

    def snapshot(self, place: int, sequence: int) -> Snapshot | None:
        """Return the snapshot of a place that was taken after a record."""
        return self._snapshots.get(place, {}).get(sequence)

    def drop_snapshot(self, place: int, sequence: int) -> None:
        """Let go of a snapshot that is not what was written."""
        self._snapshots.get(place, {}).pop(sequence, None)

    def latest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's newest snapshot."""
        kept = self._snapshots.get(place)
        return kept[max(kept)] if kept else None

    def oldest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's first snapshot."""
        kept = self._snapshots.get(place)
        return kept[min(kept)] if kept else None

    def identity(self) -> WorldIdentity | None:
        """Return what the realm is, or None before `found`."""
        return self._identity

    def create_identity(self, identity: WorldIdentity) -> None:
        """Write what the realm is, once and for all."""
        if self._identity is not None:
            raise StorageFault("This world was founded before.")
        self._identity = identity

    def adopt(
        self, rules: int, content: str, records: Sequence[Record], snapshots: Sequence[Snapshot]
    ) -> None:
        """Append the inputs by which other rules or content take effect, and begin again from snapshots."""
        self.append(records, snapshots)
        for each in snapshots:
            self._snapshots[each.place] = {
                at: kept for at, kept in self._snapshots[each.place].items() if at >= each.sequence
            }
        if self._identity is not None:
            self._identity = replace(self._identity, rules=rules, content=content)

    def content(self, digest: str) -> bytes | None:
        """Return the content that was kept under a digest."""
        return self._contents.get(digest)

    def keep_content(self, digest: str, files: bytes) -> None:
        """Keep the content by which the realm goes."""
        self._contents.setdefault(digest, files)

    def deaths(self) -> list[Death]:
        """Return all kept deaths, newest first."""
        return self._deaths[::-1]

    def drop_deaths(self, lives: Sequence[int]) -> None:
        """Delete the rows of lives that no board of the ladder needs."""
        gone = set(lives)
        self._deaths = [death for death in self._deaths if death.life not in gone]

    def retain(self, now_s: int) -> int:
        """Let go of the records that are older than they need be; there is no bound on their bytes here."""
        self._marks = [mark for mark in self._marks if mark[0] <= now_s]
        if not self._marks or now_s - self._marks[-1][0] >= MARK_EVERY_S:
            self._marks.append((now_s, {place: self.last_sequence(place) for place in self._records}))
        self._drop_returned(self._dropped.get(0, 0) + 1)
        old = [reached for at_s, reached in self._marks if at_s <= now_s - KEEP_S]
        return sum(self._drop(place, until) for place, until in sorted(old[-1].items())) if old else 0

    def look(self, cursor: CheckCursor, hash_of: HashOf) -> CheckResult:  # noqa: ARG002  # its twin looks at rows
        """Look at nothing: memory is what was written."""
        return CheckResult([], None)

    def close(self) -> None:
        """Let go of nothing: there is nothing to let go of."""

    def _drop(self, place: int, until: int) -> int:
        marks = sorted(self._snapshots.get(place, {}), reverse=True)
        first = first_needed_record(marks, until, self.last_sequence(place))
        if first is None:
            return 0
        gone = self._dropped.get(place, 0)
        self._snapshots[place] = {at: kept for at, kept in self._snapshots[place].items() if at >= first}
        last = min(first, gone + ROWS_MAX)
        if last <= gone:
            return 0
        self._records[place] = self._records[place][last - gone :]
        self._dropped[place] = last
        return last - gone

    def _put(self, snapshot: Snapshot) -> None:
        kept = self._snapshots.setdefault(snapshot.place, {})
        kept[snapshot.sequence] = snapshot
        reached = [(at_s, places[snapshot.place]) for at_s, places in self._marks if snapshot.place in places]
        for sequence in droppable_snapshots(sorted(kept), reached):
            del kept[sequence]
