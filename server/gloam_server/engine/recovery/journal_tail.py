"""The journal's tail in memory: of each partition a state, and the records since. A fault's repair reads it instead of the disk.

The reactor must not wait for a journal, which may be on another machine. The schedule of snapshots bounds the records: at
most 2,000 of all partitions together, some 100 bytes each.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from gloam_server.engine.recovery.snapshot_schedule import REPLAYED_MAX
from gloam_server.storage.journal import Record
from gloam_server.storage.snapshots import Snapshot
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.level_numbers import PartitionId


class JournalTail:
    """The durable records of each partition since a state of it. Begins with the states of a dungeon that was just loaded."""

    def __init__(self, dungeon: Dungeon) -> None:
        self._bases: Final = {
            partition: (dungeon.sequence(partition), dungeon.serialize(partition))
            for partition in dungeon.partitions()
            if partition not in dungeon.closed
        }
        self._records: Final[dict[int, deque[Record]]] = {}

    def base(self, partition: PartitionId) -> tuple[int, bytes] | None:
        """Return the newest kept state of a partition and its sequence; None if there is none."""
        return self._bases.get(partition)

    def records(self, partition: PartitionId) -> Iterable[Record]:
        """Return the records of a partition that follow its base, in order."""
        return self._records.get(partition, ())

    def add(self, records: Iterable[Record]) -> None:
        """Add the records of a durable batch. Of a partition that never gets a new base, the oldest go."""
        for record in records:
            if record.partition not in self._records:
                self._records[record.partition] = deque(maxlen=REPLAYED_MAX)
            self._records[record.partition].append(record)

    def rebase(self, snapshots: Iterable[Snapshot]) -> None:
        """Begin at newer states of some partitions."""
        for each in snapshots:
            self.begin_at(each.partition, each.sequence, each.body)

    def begin_at(self, partition: PartitionId, sequence: int, body: bytes) -> None:
        """Begin at a newer state of a partition."""
        self._bases[partition] = sequence, body
        kept = self._records.get(partition, deque())
        while kept and kept[0].sequence <= sequence:
            kept.popleft()
