"""The journal in SQLite, and the witness of what it confirmed."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final
from zlib import crc32

from gloam_server.storage.errors import StorageDamaged, WrongSequence
from gloam_server.storage.journal import LostInputs, Record, WriterClaim
from gloam_server.storage.sql.directory.sql_directory import read_identity
from gloam_server.storage.sql.queries import first_value, newest_record, partitions
from gloam_server.storage.sql.retention import newest_mark_s
from gloam_server.storage.sqlite.integrity.checksums import RECORD, crc_of, is_sound
from gloam_server.storage.sqlite.retention import drop_old_records
from gloam_server.storage.sqlite.transactions import Transactions
from gloam_server.storage.sqlite.world_file.durability_witness import DurabilityWitness, WitnessRecord
from gloam_server.storage.sqlite.world_file.wal_preallocation import preallocate_wal
from gloam_server.storage.sqlite.writer_claims import newest_claim, put_claim
from gloam_shared.level_numbers import PartitionId

_PAGE: Final = 1_000  # records read at a time, so that no read transaction stays open while a caller iterates

_RECORD: Final = ", ".join(RECORD)
_APPEND: Final = f"INSERT INTO journal ({_RECORD}, crc) VALUES ({'?, ' * len(RECORD)}?)"  # noqa: S608  # names of ours
_READ: Final = (
    f"SELECT {_RECORD}, crc FROM journal WHERE place = ? AND sequence > ? ORDER BY sequence LIMIT {_PAGE}"  # noqa: S608  # as above
)


class SqliteJournal:
    """A journal in a database whose tables are up to date."""

    def __init__(self, transactions: Transactions, witness: DurabilityWitness | None = None) -> None:
        self._transactions = transactions
        self._witness = witness
        self._realm = 0
        self._last: dict[int, int] = {}
        self._beat = 0
        self._grown = 0
        with transactions.begin() as connection:
            self._look(connection)

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer, and return the missing inputs, if the disk lost any."""
        preallocate_wal(self._transactions.connections.connection())
        with self._transactions.begin() as connection:
            self._transactions.claim = put_claim(connection, claim)
            self._look(connection)
        shortfall = self.lacking()
        self._tell(surely=True)
        self._check_point()
        return shortfall

    def lacking(self) -> LostInputs | None:
        """Return the inputs that were confirmed durable but are missing, according to the witness."""
        with self._transactions.begin() as connection:
            identity = read_identity(connection)
        if identity is not None:
            self._realm = crc32(f"{identity.campaign} {identity.seed} {identity.created_s}".encode())
        witnessed = self._witness.read() if self._witness else None
        lacking = (
            witnessed.inputs - sum(self._last.values()) if witnessed and witnessed.realm == self._realm else 0
        )
        return LostInputs(lacking, witnessed.at_s) if witnessed and lacking > 0 else None

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""
        with self._transactions.begin() as connection:
            return newest_claim(connection)

    def append(self, records: Sequence[Record]) -> None:
        """Write all or nothing, durably, and records of an earlier attempt only once. Raises StorageError."""
        try:
            last = self._expect(records)
            with self._transactions.begin() as connection:
                _append_records(connection, records, self._beat + 1)
        except WrongSequence:
            if not self._has_landed(records):
                raise
            last = {record.partition: record.sequence for record in records}
        self._grown += sum([len(each.body) for each in records])
        self._transactions.when_committed(lambda: self._record_append(last))

    def take_note(self, snapshot_bytes: int) -> None:
        """Count what snapshots wrote, and put the witness on disk: now and then that is soon enough."""
        self._grown += snapshot_bytes
        self._transactions.when_committed(lambda: self._tell(surely=True))

    def retain(self, now_s: int) -> int:
        """Delete records that no snapshot needs; return their number."""
        with self._transactions.begin() as connection:
            before_s = newest_mark_s(connection)
            dropped = drop_old_records(connection, now_s, grown=self._grown)
            if newest_mark_s(connection) != before_s:
                self._grown = 0
            return dropped

    def read(self, partition: PartitionId, after: int) -> Iterator[Record]:
        """Yield the records of a partition that follow record `after`, in order."""
        while True:
            with self._transactions.begin() as connection:
                page = [_checked(*row) for row in connection.execute(_READ, (partition, after))]
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].sequence

    def last_sequence(self, partition: PartitionId) -> int:
        """Return the number of a partition's newest record, or 0."""
        with self._transactions.begin() as connection:
            found = newest_record(connection, partition)
        return 0 if found is None else found.sequence

    def partitions(self) -> list[int]:
        """Return the partitions that have a record, in order."""
        with self._transactions.begin() as connection:
            return partitions(connection, "journal")

    def close(self) -> None:
        """Close the database."""
        if self._witness:
            self._witness.close()
        self._transactions.connections.close()

    def _check_point(self) -> None:
        """Copy the log into the file itself: without its log the file is then still this world, with some inputs missing."""
        with suppress(sqlite3.Error):  # it is durable in the log
            self._transactions.connections.connection().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _look(self, connection: sqlite3.Connection) -> None:
        """Read the journal's position into memory."""
        newest = [
            (partition, newest_record(connection, partition))
            for partition in partitions(connection, "journal")
        ]
        self._last = {partition: record.sequence for partition, record in newest if record}
        self._beat = max((record.beat for _, record in newest if record), default=0)

    def _record_append(self, last: dict[int, int]) -> None:
        """Note that an append is durable."""
        self._last.update(last)
        self._beat += 1
        self._tell(surely=False)

    def _expect(self, records: Sequence[Record]) -> dict[int, int]:
        """Return each partition's last sequence after `records`; raise WrongSequence when they leave a gap."""
        last: dict[int, int] = {}
        for record in records:
            partition = record.partition
            if record.sequence != last.get(partition, self._last.get(partition, 0)) + 1:
                raise WrongSequence(f"Record {record.sequence} of partition {partition} is not the next one.")
            last[partition] = record.sequence
        return last

    def _has_landed(self, records: Sequence[Record]) -> bool:
        """Return whether an append that failed was written after all: no other server wrote since our claim."""
        if self._transactions.claim is None or not records:
            return False
        with self._transactions.begin() as connection:
            return all(_is_there(connection, record) for record in records) and all(
                newest_record(connection, record.partition) == (record.sequence, self._beat + 1)
                for record in {record.partition: record for record in records}.values()
            )

    def _tell(self, *, surely: bool) -> None:
        """Update the witness with the world's position, if the world is ours and was founded."""
        if self._witness and self._transactions.claim is not None and self._realm:
            self._witness.write(
                WitnessRecord(self._realm, sum(self._last.values()), int(time.time())), surely=surely
            )


def _append_records(connection: sqlite3.Connection, records: Sequence[Record], beat: int) -> None:
    size = len(records)
    rows = []
    for record in records:
        values = (
            record.partition,
            record.sequence,
            record.body,
            record.state_hash,
            beat,
            size,
            record.digest,
        )
        rows.append((*values, crc_of(*values)))
    try:
        connection.executemany(_APPEND, rows)
    except sqlite3.IntegrityError as error:
        raise WrongSequence("Another server has written to this world; this one must stop.") from error


def _is_there(connection: sqlite3.Connection, record: Record) -> bool:
    """Return whether a record is in the journal, as it is."""
    query = "SELECT body FROM journal WHERE place = ? AND sequence = ?"
    return bool(first_value(connection, query, (record.partition, record.sequence)) == record.body)


def _checked(  # the columns of a record, and its checksum
    partition: PartitionId,
    sequence: int,
    body: bytes,
    state_hash: bytes | None,
    beat: int,
    size: int,
    digest: int | None,
    crc: int,
) -> Record:
    """Return a record after checking its checksum. Raises StorageDamaged."""
    if not is_sound((partition, sequence, body, state_hash, beat, size, digest), body, crc):
        raise StorageDamaged(f"The record of input {sequence} of partition {partition} is damaged.")
    return Record(partition, sequence, body, state_hash, digest)
