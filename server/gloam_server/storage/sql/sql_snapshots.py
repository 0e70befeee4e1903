"""Snapshots in SQL."""

from collections.abc import Callable, Sequence
from typing import Final

from gloam_server.storage.snapshots import Snapshot, SnapshotMark, Snapshots
from gloam_server.storage.sql.queries import partitions
from gloam_server.storage.sql.retention import drop_old_snapshots
from gloam_server.storage.sql.snapshot_bodies import pack, unpack
from gloam_server.storage.sql.transactions import Transactions
from gloam_shared.level_numbers import PartitionId

_PUT: Final = (
    "INSERT INTO snapshots (place, sequence, rules, body, state_hash) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (place, sequence) DO UPDATE SET rules = excluded.rules, body = excluded.body,"
    " state_hash = excluded.state_hash"
)
_MARKS: Final = (
    "SELECT place, sequence, rules, state_hash FROM snapshots WHERE place = ? ORDER BY sequence DESC"
)
_NEWEST: Final = "SELECT place, max(sequence) FROM snapshots GROUP BY place"
_GET: Final = "SELECT rules, body, state_hash FROM snapshots WHERE place = ? AND sequence = ?"


class SqlSnapshots(Snapshots):
    """The snapshots in a database whose tables are up to date. `take_note` gets the number of bytes of each write."""

    def __init__(self, transactions: Transactions, take_note: Callable[[int], None] = lambda _: None) -> None:
        self._transactions = transactions
        self._take_note = take_note

    def put(self, snapshots: Sequence[Snapshot]) -> None:
        """Write snapshots, and delete the snapshots of their partitions that they make needless."""
        with self._transactions.begin() as connection:
            for each in snapshots:
                row = (each.partition, each.sequence, each.rules, pack(each.body), each.state_hash)
                connection.execute(_PUT, row)
                drop_old_snapshots(connection, each.partition)
        self._take_note(sum([len(each.body) for each in snapshots]))

    def marks(self, partition: PartitionId) -> list[SnapshotMark]:
        """Return the kept snapshots of a partition, newest first."""
        with self._transactions.begin() as connection:
            return [SnapshotMark(*row) for row in connection.execute(_MARKS, (partition,))]

    def newest_sequences(self) -> dict[PartitionId, int]:
        """Return the record of the newest snapshot of each partition that has one."""
        with self._transactions.begin() as connection:
            return dict(connection.execute(_NEWEST).fetchall())

    def get(self, partition: PartitionId, sequence: int) -> Snapshot | None:
        """Return the snapshot of a partition that was taken after a record."""
        with self._transactions.begin() as connection:
            row = connection.execute(_GET, (partition, sequence)).fetchone()
        if row is None:
            return None
        rules, body, state_hash = row
        return Snapshot(partition, sequence, rules, unpack(body), state_hash)

    def drop(self, partition: PartitionId, sequence: int) -> None:
        """Delete a damaged snapshot."""
        self._delete("place = ? AND sequence = ?", partition, sequence)

    def drop_before(self, partition: PartitionId, sequence: int) -> None:
        """Delete the snapshots of a partition before record `sequence`."""
        self._delete("place = ? AND sequence < ?", partition, sequence)

    def partitions(self) -> list[int]:
        """Return the partitions that have a snapshot, in order."""
        with self._transactions.begin() as connection:
            return partitions(connection, "snapshots")

    def _delete(self, which: str, *values: int) -> None:
        with self._transactions.begin() as connection:
            connection.execute(f"DELETE FROM snapshots WHERE {which}", values)  # noqa: S608  # one of the two above
