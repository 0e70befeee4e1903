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


class JournalTail:
    """The durable records of each partition since a state of it. Begins with the states of a dungeon that was just loaded."""

    def __init__(self, dungeon: Dungeon) -> None:
        self._bases: Final = {
            place: (dungeon.sequence(place), dungeon.serialize(place))
            for place in dungeon.partitions()
            if place not in dungeon.closed
        }
        self._records: Final[dict[int, deque[Record]]] = {}

    def base(self, place: int) -> tuple[int, bytes] | None:
        """Return the newest kept state of a partition and its sequence; None if there is none."""
        return self._bases.get(place)

    def records(self, place: int) -> Iterable[Record]:
        """Return the records of a partition that follow its base, in order."""
        return self._records.get(place, ())

    def add(self, records: Iterable[Record]) -> None:
        """Add the records of a durable batch. Of a partition that never gets a new base, the oldest go."""
        for record in records:
            if record.place not in self._records:
                self._records[record.place] = deque(maxlen=REPLAYED_MAX)
            self._records[record.place].append(record)

    def rebase(self, snapshots: Iterable[Snapshot]) -> None:
        """Begin at newer states of some partitions."""
        for each in snapshots:
            self.begin_at(each.place, each.sequence, each.body)

    def begin_at(self, place: int, sequence: int, body: bytes) -> None:
        """Begin at a newer state of a partition."""
        self._bases[place] = sequence, body
        kept = self._records.get(place, deque())
        while kept and kept[0].sequence <= sequence:
            kept.popleft()
