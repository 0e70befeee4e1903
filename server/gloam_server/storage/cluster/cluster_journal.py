"""The journal of a cluster: entries in NATS, and in PostgreSQL the few old records that partitions seldom in play still need."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from gloam_server.storage.cluster.cluster_retention import ClusterRetention
from gloam_server.storage.errors import StorageDamaged, WrongSequence
from gloam_server.storage.jetstream.entries import (
    Checkpoint,
    Entry,
    Position,
    StoredClaim,
    StoredRecord,
    stored,
)
from gloam_server.storage.jetstream.entry_log import EntryLog
from gloam_server.storage.journal import LostInputs, Record, WriterClaim
from gloam_server.storage.postgres.postgres_transactions import (
    PostgresConnection,
    PostgresTransactions,
    Written,
)
from gloam_server.storage.sql.transactions import Connection
from gloam_shared.level_numbers import PartitionId

_CHAIN_MAX: Final = 2_000
"""From this number of records on, a read goes through all entries instead of from one to the one before it."""

_CLAIMS_TRIED: Final = 20
_OLD: Final = "SELECT place, sequence, body, state_hash, digest FROM journal WHERE place = ? AND sequence > ? ORDER BY sequence"
_REACHED: Final = (
    "SELECT place, max(sequence) FROM (SELECT place, sequence FROM snapshots UNION ALL SELECT place, sequence FROM marks) each "
    "GROUP BY place"
)
_WRITTEN: Final = "UPDATE written SET entry = ? WHERE entry < ?"


class ClusterJournal:
    """A journal on a log and a database; `dungeon` returns the name of the dungeon that the directory has."""

    def __init__(
        self,
        log: EntryLog,
        transactions: PostgresTransactions,
        dungeon: Callable[[], str],
        close: Callable[[], None],
    ) -> None:
        self._log = log
        self._transactions = transactions
        self._dungeon = dungeon
        self._close = close
        self._held: list[StoredRecord] = []
        self._held_by: object = None
        self._uncommitted: tuple[list[StoredRecord], int] | None = None
        self._retention = ClusterRetention(log, transactions)
        transactions.before_commit = self._write_held

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer: an entry fences the log, and then a row fences the database."""
        kept = StoredClaim(claim.rules, claim.content, claim.at_s, claim.libraries, self._dungeon())
        for tried in range(_CLAIMS_TRIED):
            if tried:
                self._log.look()
            try:
                self._log.append(Entry(checkpoint=Checkpoint(self._log.positions, kept)))
                break
            except WrongSequence:  # another server wrote meanwhile
                if tried == _CLAIMS_TRIED - 1:
                    raise
        self._transactions.claim = None
        with self._transactions.begin() as connection:
            connection.execute(
                "UPDATE writer SET number = ? WHERE number < ?", (self._log.last, self._log.last)
            )
        self._transactions.claim = self._log.last
        self.write_lacking_rows()
        return None

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""
        return self._log.claim.claim() if self._log.claim is not None else None

    def append(self, records: Sequence[Record]) -> None:
        """Write all or nothing, durably, and records of an earlier attempt only once; inside `together` at its end."""
        kept = stored(records)
        transaction = self._transactions.held()
        held = self._held_records(transaction)
        if not self._is_repeat([*held, *kept]):
            self._log.finish()
            self._expect([*held, *kept])
        if transaction is not None:
            held += kept
        else:
            self._log.append(self._entry(kept, ()))

    def read(self, partition: PartitionId, after: int) -> Iterator[Record]:
        """Yield the records of a partition that follow record `after`, in order."""
        expected = 0
        for record in self._found(partition, after):
            if expected and record.sequence != expected:
                raise StorageDamaged(
                    f"The journal in NATS lacks record {expected} of partition {partition}; restore the realm with "
                    "`gloam-server import`."
                )
            expected = record.sequence + 1
            yield record

    def last_sequence(self, partition: PartitionId) -> int:
        """Return the number of a partition's newest record, or 0."""
        found = self._log.positions.get(partition)
        return found.sequence if found is not None else 0

    def partitions(self) -> list[int]:
        """Return the partitions that have a record, in order."""
        return sorted(self._log.positions)

    def retain(self, now_s: int) -> int:
        """Delete records that no snapshot needs; return their number."""
        return 0 if self._log.is_unknown else self._retention.retain(now_s)

    def close(self) -> None:
        """Close the connections to NATS and PostgreSQL."""
        self._close()

    def begin(self, positions: Mapping[int, int], claim: WriterClaim) -> None:
        """Begin the journal of a world whose records so far are in the database."""
        kept = StoredClaim(claim.rules, claim.content, claim.at_s, claim.libraries, self._dungeon())
        known = {partition: Position(sequence, 0) for partition, sequence in positions.items()}
        self._log.append(Entry(checkpoint=Checkpoint(known, kept)))
        self._log.look()

    def batches(self) -> Iterator[list[Record]]:
        """Yield all kept records, as far as it is known in the batches in which they were written."""
        moved: dict[int, int] = {}
        for partition in self.partitions():
            with self._transactions.begin() as connection:
                rows = connection.execute(_OLD, (partition, 0)).fetchall()
            if rows:
                moved[partition] = rows[-1][1]
                yield [Record(*row) for row in rows]
        for _, entry in self._log.entries(max(self._log.first(), 1), self._log.last):
            batch = [each.record() for each in entry.records if each.sequence > moved.get(each.partition, 0)]
            if batch:
                yield batch

    def stand_still(self, connection: Connection) -> None:
        """Know only the records to which the rows of a transaction belong, which has just begun: the server writes on.

        What was known before belongs to them, except the last entry if its rows are not committed yet. So does what a
        snapshot or a mark follows from: these are written after their records.
        """
        [(written,)] = connection.execute("SELECT entry FROM written").fetchall()
        lacking = self._log.with_rows(written)
        if lacking:
            self._log.look(self._log.before(lacking[0][0]))
            return
        reached = dict(connection.execute(_REACHED).fetchall())
        self._log.look(self._log.reach(max(self._log.last, written), reached))

    def first_entry(self) -> int:
        """Return the first entry that is kept; retention moves the records of those before it into the database."""
        return self._log.first()

    def write_lacking_rows(self) -> None:
        """Carry out the statements of entries whose transaction was never committed: their server was stopped between.

        Raises StorageError.
        """
        with self._transactions.begin() as connection:
            [(written,)] = connection.execute("SELECT entry FROM written").fetchall()
            if written > self._log.last:
                raise StorageDamaged(
                    f"The journal in NATS ends with entry {self._log.last}, and PostgreSQL has the rows of entry {written}; "
                    "the two are not of the same time: restore the realm with `gloam-server import`."
                )
            for number, entry in self._log.with_rows(written):
                for statement, values in entry.statements:
                    connection.execute(statement, values)
                connection.execute(_WRITTEN, (number, number))

    def _found(self, partition: PartitionId, after: int) -> Iterator[Record]:
        """Yield the records of both places in order. Those that were moved may still be in the log, too."""
        with self._transactions.begin() as connection:
            rows = connection.execute(_OLD, (partition, after)).fetchall()
        for row in rows:
            yield Record(*row)
        last = rows[-1][1] if rows else after
        if self.last_sequence(partition) - last <= _CHAIN_MAX:
            yield from (each.record() for each in self._log.chain(partition, last))
            return
        for _, entry in self._log.entries(self._log.first(), self._log.positions[partition].entry):
            for each in entry.records:
                if each.partition == partition and each.sequence > last:
                    yield each.record()

    def _held_records(self, transaction: PostgresConnection | None) -> list[StoredRecord]:
        """Return the records that wait for the end of a transaction; none are left of one that was undone."""
        begun = transaction.written if transaction is not None else None
        if begun is None or begun is not self._held_by:
            self._held, self._held_by = [], begun
        return self._held

    def _is_repeat(self, records: Sequence[StoredRecord]) -> bool:
        """Return whether these are the records of the last append, whose outcome is unknown, or whose rows are not written."""
        is_written = self._uncommitted is not None and self._uncommitted[0] == list(records)
        return is_written or self._log.is_repeat(records)

    def _expect(self, records: Sequence[StoredRecord]) -> None:
        """Raise WrongSequence when records leave a gap."""
        last: dict[int, int] = {}
        for record in records:
            partition = record.partition
            if record.sequence != last.get(partition, self.last_sequence(partition)) + 1:
                raise WrongSequence(f"Record {record.sequence} of partition {partition} is not the next one.")
            last[partition] = record.sequence

    def _entry(self, records: Sequence[StoredRecord], written: Sequence[Written]) -> Entry:
        before = {
            each.partition: self._log.positions[each.partition].entry
            for each in records
            if each.partition in self._log.positions
        }
        return Entry(records, before, [(each.statement, each.values) for each in written])

    def _write_held(self, connection: PostgresConnection) -> Callable[[], None] | None:
        """Write the records of a transaction that is about to be committed, with its statements."""
        records = self._held_records(connection)
        written, connection.written = connection.written or [], None
        if not records:
            return None
        if self._uncommitted is None or self._uncommitted[0] != records:
            self._uncommitted = None
            self._uncommitted = records, self._log.append(self._entry(records, written))
        number = self._uncommitted[1]
        connection.execute(_WRITTEN, (number, number))
        return self._note_commit

    def _note_commit(self) -> None:
        self._uncommitted = None
