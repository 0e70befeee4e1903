"""Snapshots: whole states of partitions. They follow from the journal, so they may be written later than their records.

The interface, the same for every backend. A snapshot at sequence n holds the state after record n; at 0, the state before any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gloam_shared.level_numbers import PartitionId


@dataclass(frozen=True, slots=True)
class SnapshotMark:
    """A snapshot without its body. `rules` is the version of the rules that made it."""

    partition: PartitionId
    sequence: int
    rules: int
    state_hash: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of a partition after record `sequence`."""

    partition: PartitionId
    sequence: int
    rules: int
    body: bytes
    state_hash: bytes

    @property
    def mark(self) -> SnapshotMark:
        """This snapshot without its body."""
        return SnapshotMark(self.partition, self.sequence, self.rules, self.state_hash)


class Snapshots(Protocol):
    """The kept snapshots. Each call blocks, is one transaction, and may raise StorageError."""

    def put(self, snapshots: Sequence[Snapshot]) -> None:
        """Write snapshots, in place of those with the same sequence.

        Of a partition's snapshots the first, the first of each day and the two newest are kept; others are deleted.
        """

    def marks(self, partition: PartitionId) -> list[SnapshotMark]:
        """Return the kept snapshots of a partition, newest first."""

    def newest_sequences(self) -> dict[PartitionId, int]:
        """Return the record of the newest snapshot of each partition that has one."""

    def get(self, partition: PartitionId, sequence: int) -> Snapshot | None:
        """Return the snapshot of a partition that was taken after a record."""

    def drop(self, partition: PartitionId, sequence: int) -> None:
        """Delete a damaged snapshot."""

    def drop_before(self, partition: PartitionId, sequence: int) -> None:
        """Delete the snapshots of a partition before record `sequence`."""

    def partitions(self) -> list[int]:
        """Return the partitions that have a snapshot, in order."""

    def newest(self, partition: PartitionId) -> Snapshot | None:
        """Return a partition's newest snapshot."""
        marks = self.marks(partition)
        return self.get(partition, marks[0].sequence) if marks else None

    def oldest(self, partition: PartitionId) -> Snapshot | None:
        """Return a partition's first snapshot."""
        marks = self.marks(partition)
        return self.get(partition, marks[-1].sequence) if marks else None
