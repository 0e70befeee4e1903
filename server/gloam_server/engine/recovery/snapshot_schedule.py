"""The schedule of snapshots: at most one a batch, so that no player waits; enough for a quick start.

With all 27 levels of `gloam` in play, that is a snapshot (0.2 ms, 20 KB) for every 75 inputs.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from gloam_server.engine.recovery.replay import snapshot
from gloam_server.storage.snapshots import Snapshot, Snapshots
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.level_numbers import PartitionId

SNAPSHOT_EVERY: Final = 1_000
"""The most inputs of a partition between two snapshots."""

REPLAYED_MAX: Final = 2_000
"""The most inputs of all partitions together since their snapshots: a start replays them, about 0.3 ms
each.
"""


class SnapshotSchedule:
    """Knows the inputs of each partition since its newest durable snapshot.

    `failed`, if given, is called for a partition that an internal error keeps from being serialized. It is
    tried again after the same number of inputs; the journal has all inputs that led to its state.
    """

    def __init__(
        self, dungeon: Dungeon, snapshots: Snapshots, failed: Callable[[int, Exception], None] | None = None
    ) -> None:
        self._dungeon = dungeon
        self._failed = failed
        newest = snapshots.newest_sequences()
        self._kept = {
            partition: newest[partition] for partition in dungeon.partitions() if partition in newest
        }
        self._is_writing = False
        self._kept |= {
            partition: dungeon.sequence(partition) for partition in dungeon.closed
        }  # lost: there is no state to keep

    def due(self) -> list[Snapshot]:
        """Return the snapshot for the present batch, if one is due: of the partition with the most inputs.

        None is due until the one before is on disk: `mark_durable` or `mark_failed` says so.
        """
        if self._is_writing:
            return []
        since = {partition: self._since(partition) for partition in self._dungeon.partitions()}
        furthest = max(since, key=since.__getitem__)
        if since[furthest] < SNAPSHOT_EVERY and sum(since.values()) < REPLAYED_MAX:
            return []
        taken = self._taken([furthest])
        self._is_writing = bool(taken)
        return taken

    def all_moved(self) -> list[Snapshot]:
        """Return a snapshot of every partition that has changed since its last one."""
        return self._taken([partition for partition in self._dungeon.partitions() if self._since(partition)])

    def mark_durable(self, snapshots: Sequence[Snapshot]) -> None:
        """Note the snapshots that are on disk."""
        self._is_writing = False
        for each in snapshots:
            self._kept[each.partition] = each.sequence

    def mark_failed(self) -> None:
        """Note that the disk refused a snapshot: it is due again with the next batch."""
        self._is_writing = False

    def _taken(self, partitions: Iterable[int]) -> list[Snapshot]:
        taken = []
        for partition in partitions:
            try:
                taken.append(snapshot(self._dungeon, partition))
            except Exception as error:
                if self._failed is None:
                    raise
                self._failed(partition, error)
                self._kept[partition] = self._dungeon.sequence(partition)
        return taken

    def _since(self, partition: PartitionId) -> int:
        return self._dungeon.sequence(partition) - self._kept.get(partition, 0)
