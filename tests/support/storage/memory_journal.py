"""The journal in memory, with faults on demand."""

from collections.abc import Iterator, Sequence

from gloam_server.storage.errors import StorageError, WrongSequence
from gloam_server.storage.journal import LostInputs, Record, WriterClaim
from gloam_server.storage.sql.retention import KEEP_S, MARK_EVERY_S, ROWS_MAX, first_needed_record
from support.storage.memory_directory import MemoryDirectory
from support.storage.memory_snapshots import MemorySnapshots


class MemoryJournal:
    """A journal that forgets everything with the process; `snapshots` and `directory` are beside it."""

    def __init__(self, snapshots: MemorySnapshots, directory: MemoryDirectory) -> None:
        self._snapshots = snapshots
        self._directory = directory
        self._records: dict[int, list[Record]] = {}
        self._claims: list[WriterClaim] = []
        self._dropped: dict[int, int] = {}
        self._marks: list[tuple[int, dict[int, int]]] = []
        self._claim = 0
        self._faults: list[tuple[StorageError, bool]] = []
        self._landed: Sequence[Record] = ()
        self._witnessed: LostInputs | None = None
        self.is_held = False
        """Whether a transaction is open: an error after it landed is then raised at its end."""
        self.late_error: StorageError | None = None

    def fail_next(self, error: StorageError, times: int = 1, *, landed: bool = False) -> None:
        """Let the next `times` appends raise `error`: having written nothing, or, if `landed`, everything."""
        self._faults += [(error, landed)] * times

    def end_faults(self) -> None:
        """Let all further appends succeed."""
        self._faults.clear()

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer, and return what was lost to a lie."""
        self._claims.append(claim)
        self._claim = len(self._claims)
        self._landed = ()  # what a former server appended again is no matter of this one's
        witnessed, inputs = self._witnessed, self._inputs()
        self._witnessed = LostInputs(inputs, claim.at_s)
        lacking = witnessed.inputs - inputs if witnessed else 0
        return LostInputs(lacking, witnessed.at_s) if witnessed and lacking > 0 else None

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""
        return self._claims[-1] if self._claims else None

    def append(self, records: Sequence[Record]) -> None:
        """Write all or nothing, and what landed before only once; or raise what `fail_next` was given."""
        self.require_claim()
        error, landed = self._faults.pop(0) if self._faults else (None, True)
        if landed and (not records or records != self._landed):
            self._append(records)
        if self._claim:
            self._witnessed = LostInputs(self._inputs(), self._claims[-1].at_s)
        if error is None:
            return
        self._landed = records if landed else self._landed
        if not (landed and self.is_held):
            raise error
        self.late_error = error

    def require_claim(self) -> None:
        """Raise WrongSequence if another server has claimed the world."""
        if self._claim and self._claim != len(self._claims):
            raise WrongSequence("Another server has taken this world over; this one must stop.")

    def _append(self, records: Sequence[Record]) -> None:
        last: dict[int, int] = {}
        for record in records:
            expected = last.get(record.partition, self.last_sequence(record.partition)) + 1
            if record.sequence != expected:
                raise WrongSequence(
                    f"Record {record.sequence} of partition {record.partition} is not the next one."
                )
            last[record.partition] = record.sequence
        for record in records:
            self._records.setdefault(record.partition, []).append(record)

    def _inputs(self) -> int:
        return sum(self.last_sequence(partition) for partition in self._records)

    def read(self, partition: int, after: int) -> Iterator[Record]:
        """Yield the records of a place that follow record `after`, in order."""
        yield from self._records.get(partition, [])[max(0, after - self._dropped.get(partition, 0)) :]

    def last_sequence(self, partition: int) -> int:
        """Return the number of a place's newest record, or 0."""
        return self._dropped.get(partition, 0) + len(self._records.get(partition, []))

    def partitions(self) -> list[int]:
        """Return the places that have a record, in order."""
        return sorted(self._records)

    def reached(self, partition: int) -> list[tuple[int, int]]:
        """Return the position of a place at each mark."""
        return [(at_s, partitions[partition]) for at_s, partitions in self._marks if partition in partitions]

    def retain(self, now_s: int) -> int:
        """Delete the records that are older than they need be; there is no bound on their bytes here."""
        self._marks = [mark for mark in self._marks if mark[0] <= now_s]
        if not self._marks or now_s - self._marks[-1][0] >= MARK_EVERY_S:
            self._marks.append(
                (now_s, {partition: self.last_sequence(partition) for partition in self._records})
            )
        self._directory.drop_returned(self._dropped.get(0, 0) + 1)
        old = [reached for at_s, reached in self._marks if at_s <= now_s - KEEP_S]
        return sum(self._drop(partition, until) for partition, until in sorted(old[-1].items())) if old else 0

    def close(self) -> None:
        """Let go of nothing: there is nothing to let go of."""

    def _drop(self, partition: int, until: int) -> int:
        marks = [mark.sequence for mark in self._snapshots.marks(partition)]
        first = first_needed_record(marks, until, self.last_sequence(partition))
        if first is None:
            return 0
        gone = self._dropped.get(partition, 0)
        self._snapshots.drop_before(partition, first)
        last = min(first, gone + ROWS_MAX)
        if last <= gone:
            return 0
        self._records[partition] = self._records[partition][last - gone :]
        self._dropped[partition] = last
        return last - gone
