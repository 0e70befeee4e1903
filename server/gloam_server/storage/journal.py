"""The journal: the ordered record of one dungeon. The interface, the same for every backend.

A *partition* is one state machine: 0 the realm, 1, 2, ... the levels. Its records are numbered 1, 2, ... without a gap.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from gloam_shared.level_numbers import PartitionId


@dataclass(frozen=True, slots=True)
class Record:
    """One input of one partition. `state_hash` is the state's hash after it, for some records.

    `digest` is a cheap digest of the state after it, for the last record of the partition in a batch.
    """

    partition: PartitionId
    sequence: int
    body: bytes
    state_hash: bytes | None = None
    digest: int | None = None


@dataclass(frozen=True, slots=True)
class WriterClaim:
    """The rules and content of a server that writes to a world. `at_s` is seconds since 1970.

    `libraries` names the libraries that its rules depend on, with their versions.
    """

    rules: int
    content: str
    at_s: int
    libraries: str = ""


@dataclass(frozen=True, slots=True)
class LostInputs:
    """The loss of a world: `inputs` that were durable at `at_s` (seconds since 1970) are missing."""

    inputs: int
    at_s: int


class Journal(Protocol):
    """The records of all partitions, and whose turn it is to write them. Each call blocks, and may raise StorageError."""

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer: any earlier writer is fenced, and its next append raises WrongSequence.

        Returns the missing inputs, if the disk lost confirmed writes. This is reported once.
        """

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""

    def append(self, records: Sequence[Record]) -> None:
        """Write all or nothing, durably. Raises WrongSequence, StorageFull or StorageFault.

        A failed append is unknown, not undone: the owner of the claim appends the same again, and records that were
        written after all are not written twice.
        """

    def read(self, partition: PartitionId, after: int) -> Iterator[Record]:
        """Yield the records of a partition that follow record `after`, in order."""

    def last_sequence(self, partition: PartitionId) -> int:
        """Return the number of a partition's newest record, or 0."""

    def partitions(self) -> list[int]:
        """Return the partitions that have a record, in order."""

    def retain(self, now_s: int) -> int:
        """Delete some records that are old enough, and return their number: call it from time to time.

        Of each partition it keeps the two newest snapshots and the records since the older one, of any age, and older
        records for a week, but not more than the backend's bound in total. The kept records begin at a snapshot, so
        that all of them can be replayed: earlier snapshots go, too. Rows of archived lives go with the record that
        returned the life.
        """

    def close(self) -> None:
        """Close the storage; no other call of any interface may follow."""
