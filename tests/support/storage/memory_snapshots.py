"""Snapshots in memory."""

from collections.abc import Callable, Sequence

from gloam_server.storage.snapshots import Snapshot, SnapshotMark, Snapshots
from gloam_server.storage.sql.retention import droppable_snapshots


class MemorySnapshots(Snapshots):
    """An implementation of `Snapshots` in dictionaries; `reached` is the position of a place at each mark."""

    def __init__(self, reached: Callable[[int], list[tuple[int, int]]]) -> None:
        self._reached = reached
        self._kept: dict[int, dict[int, Snapshot]] = {}

    def put(self, snapshots: Sequence[Snapshot]) -> None:
        """Write snapshots, and delete the snapshots of their places that they make needless."""
        for snapshot in snapshots:
            kept = self._kept.setdefault(snapshot.partition, {})
            kept[snapshot.sequence] = snapshot
            for sequence in droppable_snapshots(sorted(kept), self._reached(snapshot.partition)):
                del kept[sequence]

    def marks(self, partition: int) -> list[SnapshotMark]:
        """Return the kept snapshots of a place, newest first."""
        kept = self._kept.get(partition, {})
        return [kept[sequence].mark for sequence in sorted(kept, reverse=True)]

    def newest_sequences(self) -> dict[int, int]:
        """Return the record of the newest snapshot of each place that has one."""
        return {partition: max(kept) for partition, kept in self._kept.items() if kept}

    def get(self, partition: int, sequence: int) -> Snapshot | None:
        """Return the snapshot of a place that was taken after a record."""
        return self._kept.get(partition, {}).get(sequence)

    def drop(self, partition: int, sequence: int) -> None:
        """Delete a damaged snapshot."""
        self._kept.get(partition, {}).pop(sequence, None)

    def drop_before(self, partition: int, sequence: int) -> None:
        """Delete the snapshots of a place before record `sequence`."""
        kept = self._kept.get(partition, {})
        self._kept[partition] = {at: each for at, each in kept.items() if at >= sequence}

    def partitions(self) -> list[int]:
        """Return the places that have a snapshot, in order."""
        return sorted(partition for partition, kept in self._kept.items() if kept)
