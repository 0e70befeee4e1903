"""Snapshots: whole states of places. They follow from the journal, so they may be written later than their records.

The interface, the same for every backend. A snapshot at sequence n holds the state after record n; at 0, the state before any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SnapshotMark:
    """A snapshot without its body. `rules` is the version of the rules that made it."""

    place: int
    sequence: int
    rules: int
    state_hash: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of a place after record `sequence`."""

    place: int
    sequence: int
    rules: int
    body: bytes
    state_hash: bytes

    @property
    def mark(self) -> SnapshotMark:
        """This snapshot without its body."""
        return SnapshotMark(self.place, self.sequence, self.rules, self.state_hash)


class Snapshots(Protocol):
    """The kept snapshots. Each call blocks, is one transaction, and may raise StorageError."""

    def put(self, snapshots: Sequence[Snapshot]) -> None:
        """Write snapshots, in place of those with the same sequence.

        Of a place's snapshots the first, the first of each day and the two newest are kept; others are deleted.
        """

    def marks(self, place: int) -> list[SnapshotMark]:
        """Return the kept snapshots of a place, newest first."""

    def get(self, place: int, sequence: int) -> Snapshot | None:
        """Return the snapshot of a place that was taken after a record."""

    def drop(self, place: int, sequence: int) -> None:
        """Delete a damaged snapshot."""

    def drop_before(self, place: int, sequence: int) -> None:
        """Delete the snapshots of a place before record `sequence`."""

    def places(self) -> list[int]:
        """Return the places that have a snapshot, in order."""

    def newest(self, place: int) -> Snapshot | None:
        """Return a place's newest snapshot."""
        marks = self.marks(place)
        return self.get(place, marks[0].sequence) if marks else None

    def oldest(self, place: int) -> Snapshot | None:
        """Return a place's first snapshot."""
        marks = self.marks(place)
        return self.get(place, marks[-1].sequence) if marks else None
