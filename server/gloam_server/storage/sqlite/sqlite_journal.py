"""The journal in one SQLite file, through SQLAlchemy Core; batches of records go to the driver directly."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import IntegrityError

from gloam_server.storage.archive import NO_CHANGE, ArchiveChange
from gloam_server.storage.journal import (
    Death,
    LostInputs,
    Record,
    Snapshot,
    SnapshotMark,
    StorageDamaged,
    StorageError,
    StorageFault,
    WorldIdentity,
    WriterClaim,
    WrongSequence,
)
from gloam_server.storage.sqlite import tables
from gloam_server.storage.sqlite.archived_lives import SqliteArchive, write_archive
from gloam_server.storage.sqlite.database import WorldLock, driver_of, open_database
from gloam_server.storage.sqlite.ended_lives import SqliteEndedLives, write_deaths
from gloam_server.storage.sqlite.file_access import SIDECARS, publish, sidecar
from gloam_server.storage.sqlite.integrity.checksums import (
    RECORD,
    CheckCursor,
    CheckResult,
    HashOf,
    check_slice,
    crc_of,
    is_sound,
)
from gloam_server.storage.sqlite.queries import is_there, newest_record, places
from gloam_server.storage.sqlite.retention import drop_old_records, newest_mark_s
from gloam_server.storage.sqlite.snapshot_rows import put_snapshot, read_snapshot
from gloam_server.storage.sqlite.sqlite_accounts import SqliteAccounts
from gloam_server.storage.sqlite.sqlite_chat import SqliteChat
from gloam_server.storage.sqlite.transactions import Transactions
from gloam_server.storage.sqlite.world_file.copy import WorldCopy, verify_copy
from gloam_server.storage.sqlite.world_file.durability_witness import DurabilityWitness, WitnessRecord
from gloam_server.storage.sqlite.world_file.version_check import refuse_newer
from gloam_server.storage.sqlite.world_file.wal_preallocation import preallocate_wal
from gloam_server.storage.sqlite.writer_claims import newest_claim, put_claim

_PAGE: Final = 1_000  # records read at a time, so that no read transaction stays open while a caller iterates

_journal, _snapshots = tables.journal.c, tables.snapshots.c
_RECORD: Final = [_journal[name] for name in RECORD]
_APPEND: Final = "INSERT INTO journal ({}, crc) VALUES ({}?)".format(", ".join(RECORD), "?, " * len(RECORD))  # noqa: S608  # names of ours
_SNAPSHOT: Final = [column for column in tables.snapshots.c if column.name != "crc"]


def open_realm(
    path: Path, *, take_over: bool = False, make: bool = True, older: bool = True
) -> "SqliteJournal":
    """Return the journal in a file. Raises StorageError with a sentence for the host, and then leaves the folder unchanged.

    `take_over` opens it even while another server has it open; `claim` then fences that one. `make` creates
    the file if there is no part of a world yet; `older` brings tables of an older version up to date.
    """
    refuse_newer(path)
    engine, lock, former = open_database(path, take_over=take_over, make=make, older=older)
    try:
        journal = SqliteJournal(engine, lock, DurabilityWitness(path))
    except StorageError:
        engine.dispose()
        lock.release()
        raise
    journal.path, journal.kept = path, former
    return journal


class SqliteJournal(SqliteAccounts, SqliteArchive, SqliteChat, SqliteEndedLives):
    """A journal in a database whose tables are up to date; `open_realm` opens one by path.

    `kept` is the copy of the world from before, if its tables had to be upgraded.
    """

    kept: WorldCopy | None = None
    path: Path | None = None

    @property
    def former(self) -> Path | None:
        """The path of the world's copy from before, if its tables had to be upgraded."""
        return self.kept.path if self.kept is not None else None

    def __init__(
        self, engine: Engine, lock: WorldLock | None = None, witness: DurabilityWitness | None = None
    ) -> None:
        self._engine = engine
        self._lock = lock
        self._witness = witness
        self._transactions = Transactions(engine)
        self._realm = 0
        self._last: dict[int, int] = {}
        self._beat = 0
        self._grown = 0
        with self._transaction() as connection:
            self._look(connection)

    def claim(self, claim: WriterClaim) -> LostInputs | None:
        """Become the one writer, and return the missing inputs, if the disk lost any."""
        preallocate_wal(self._engine)
        with self._transaction() as connection:
            self._transactions.claim = put_claim(connection, claim)
            self._look(connection)
        shortfall = self.lacking()
        self._tell(surely=True)
        self._check_point()
        return shortfall

    def lacking(self) -> LostInputs | None:
        """Return the inputs that were confirmed durable but are missing, according to the witness."""
        if identity := self.identity():
            self._realm = crc32(f"{identity.campaign} {identity.seed} {identity.created_s}".encode())
        witnessed = self._witness.read() if self._witness else None
        lacking = (
            witnessed.inputs - sum(self._last.values()) if witnessed and witnessed.realm == self._realm else 0
        )
        return LostInputs(lacking, witnessed.at_s) if witnessed and lacking > 0 else None

    def newest_claim(self) -> WriterClaim | None:
        """Return the claim of the server that writes here, or wrote here last."""
        with self._transaction() as connection:
            return newest_claim(connection)

    def append(
        self,
        records: Sequence[Record],
        snapshots: Sequence[Snapshot] = (),
        deaths: Sequence[Death] = (),
        archive: ArchiveChange = NO_CHANGE,
    ) -> None:
        """Write all or nothing, durably, and records of an earlier attempt only once. Raises StorageError."""
        try:
            last = self._expect(records)
            if snapshots or deaths or archive != NO_CHANGE:
                with self._transaction() as connection:
                    self._write(connection, records, snapshots)
                    write_deaths(connection, deaths)
                    write_archive(connection, archive)
            else:
                with self._transactions.begin_plain() as plain:
                    _append_records(plain, records, self._beat + 1)
        except WrongSequence:
            if not self._has_landed(records):
                raise
            last = {record.place: record.sequence for record in records}
        self._grown += sum([len(each.body) for each in records]) + sum([len(each.body) for each in snapshots])
        self._record_append(last, surely=bool(snapshots))

    def adopt(
        self, rules: int, content: str, records: Sequence[Record], snapshots: Sequence[Snapshot]
    ) -> None:
        """Append the inputs that change the rules or the content, and make the realm start from new snapshots."""
        last = self._expect(records)
        with self._transaction() as connection:
            self._write(connection, records, snapshots)
            for snapshot in snapshots:
                connection.execute(
                    delete(tables.snapshots).where(
                        _snapshots.place == snapshot.place, _snapshots.sequence < snapshot.sequence
                    )
                )
            connection.execute(update(tables.realm).values(rules=rules, content=content))
        self._record_append(last, surely=True)

    def content(self, digest: str) -> bytes | None:
        """Return the content with this digest."""
        query = select(tables.contents.c.files).where(tables.contents.c.digest == digest)
        with self._transaction() as connection:
            return connection.scalar(query)

    def keep_content(self, digest: str, files: bytes) -> None:
        """Store the realm's content."""
        with self._transaction() as connection:
            row = {"digest": digest, "files": files}
            connection.execute(upsert(tables.contents).values(row).on_conflict_do_nothing())

    def look(self, cursor: CheckCursor, hash_of: HashOf) -> CheckResult:
        """Check the next rows for damage."""
        with self._transaction() as connection:
            return check_slice(driver_of(connection), cursor, hash_of)

    def retain(self, now_s: int) -> int:
        """Delete some records that are old enough, and return their number."""
        with self._transaction() as connection:
            before_s = newest_mark_s(connection)
            dropped = drop_old_records(connection, now_s, grown=self._grown)
            if newest_mark_s(connection) != before_s:
                self._grown = 0
            return dropped

    def read(self, place: int, after: int) -> Iterator[Record]:
        """Yield the records of a place that follow record `after`, in order."""
        while True:
            query = (
                select(*_RECORD, _journal.crc)
                .where(_journal.place == place, _journal.sequence > after)
                .order_by(_journal.sequence)
                .limit(_PAGE)
            )
            with self._transaction() as connection:
                page = [_check_record(row) for row in connection.execute(query)]
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].sequence

    def last_sequence(self, place: int) -> int:
        """Return the number of a place's newest record, or 0."""
        query = select(func.max(_journal.sequence)).where(_journal.place == place)
        with self._transaction() as connection:
            return connection.scalar(query) or 0

    def places(self) -> list[int]:
        """Return the places that have a record or a snapshot, in order."""
        with self._transaction() as connection:
            return places(connection)

    def snapshots(self, place: int) -> list[SnapshotMark]:
        """Return the kept snapshots of a partition, newest first."""
        query = (
            select(_snapshots.place, _snapshots.sequence, _snapshots.rules, _snapshots.state_hash)
            .where(_snapshots.place == place)
            .order_by(_snapshots.sequence.desc())
        )
        with self._transaction() as connection:
            return [SnapshotMark(*row) for row in connection.execute(query)]

    def snapshot(self, place: int, sequence: int) -> Snapshot | None:
        """Return the snapshot of a place that was taken after a record."""
        query = select(*_SNAPSHOT).where(_snapshots.place == place, _snapshots.sequence == sequence)
        with self._transaction() as connection:
            row = connection.execute(query).one_or_none()
        return read_snapshot(row) if row else None

    def drop_snapshot(self, place: int, sequence: int) -> None:
        """Delete a damaged snapshot."""
        query = delete(tables.snapshots).where(_snapshots.place == place, _snapshots.sequence == sequence)
        with self._transaction() as connection:
            connection.execute(query)

    def latest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's newest snapshot."""
        return self._snapshot(place, newest=True)

    def oldest_snapshot(self, place: int) -> Snapshot | None:
        """Return a place's first snapshot."""
        return self._snapshot(place, newest=False)

    def identity(self) -> WorldIdentity | None:
        """Return the realm's identity, or None before `create_identity`."""
        realm = tables.realm.c
        query = select(realm.campaign, realm.seed, realm.rules, realm.content, realm.created_s)
        with self._transaction() as connection:
            row = connection.execute(query).one_or_none()
        return (
            WorldIdentity(row.campaign, int(row.seed), row.rules, row.content, row.created_s) if row else None
        )

    def create_identity(self, identity: WorldIdentity) -> None:
        """Write the realm's identity, once."""
        row = {"id": 1, **asdict(identity), "seed": str(identity.seed)}
        with self._transaction() as connection:
            try:
                connection.execute(insert(tables.realm), row)
            except IntegrityError as error:
                raise StorageFault("This world was founded before.") from error

    def put_back(self) -> None:
        """Close, and restore the world from before it was opened, so that an older version can open it.

        A start may bring the tables up to date and then find that it cannot serve the world. Its message names an older
        version to run, which could not open the world otherwise.

        Raises StorageError if the copy is damaged; the world then stays upgraded.
        """
        self._transactions.close()
        self._engine.dispose()
        try:
            if self.kept is not None and self.path is not None:
                verify_copy(self.kept.path, self.kept.summary)
                for ending in SIDECARS:  # SQLite would apply a remaining log to the restored file
                    sidecar(self.path, ending).unlink(missing_ok=True)
                publish(self.kept.path, self.path)
                self.kept = None
        finally:
            self.close()

    def close(self) -> None:
        """Close the database and let others open it."""
        if self._witness:
            self._witness.close()
        self._transactions.close()
        self._engine.dispose()
        if self._lock:
            self._lock.release()

    def _check_point(self) -> None:
        """Copy the log into the file itself: without its log the file is then still this world, with some inputs missing."""
        with closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()
            with suppress(sqlite3.Error):  # it is durable in the log
                cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
            cursor.close()

    def _look(self, connection: Connection) -> None:
        """Read the journal's position into memory."""
        newest = [(place, newest_record(connection, place)) for place in places(connection)]
        self._last = {place: record.sequence for place, record in newest if record}
        self._beat = max((record.beat for _, record in newest if record), default=0)

    def _write(
        self, connection: Connection, records: Sequence[Record], snapshots: Sequence[Snapshot]
    ) -> None:
        _append_records(driver_of(connection), records, self._beat + 1)
        for snapshot in snapshots:
            put_snapshot(connection, snapshot)

    def _record_append(self, last: dict[int, int], *, surely: bool) -> None:
        """Note that an append is durable."""
        self._last.update(last)
        self._beat += 1
        self._tell(surely=surely)

    def _expect(self, records: Sequence[Record]) -> dict[int, int]:
        """Return each place's last sequence after `records`; raise WrongSequence when they leave a gap."""
        last: dict[int, int] = {}
        for record in records:
            place = record.place
            if record.sequence != last.get(place, self._last.get(place, 0)) + 1:
                raise WrongSequence(f"Record {record.sequence} of place {place} is not the next one.")
            last[place] = record.sequence
        return last

    def _has_landed(self, records: Sequence[Record]) -> bool:
        """Return whether an append that failed was written after all: no other server wrote since our claim."""
        if self._transactions.claim is None or not records:
            return False
        with self._transaction() as connection:
            return all(is_there(connection, record) for record in records) and all(
                newest_record(connection, record.place) == (record.sequence, self._beat + 1)
                for record in {record.place: record for record in records}.values()
            )

    def _tell(self, *, surely: bool) -> None:
        """Update the witness with the world's position, if the world is ours and was founded."""
        if self._witness and self._transactions.claim is not None and self._realm:
            self._witness.write(
                WitnessRecord(self._realm, sum(self._last.values()), int(time.time())), surely=surely
            )

    def _snapshot(self, place: int, *, newest: bool) -> Snapshot | None:
        order = _snapshots.sequence.desc() if newest else _snapshots.sequence
        query = select(*_SNAPSHOT).where(_snapshots.place == place).order_by(order).limit(1)
        with self._transaction() as connection:
            row = connection.execute(query).one_or_none()
        return read_snapshot(row) if row else None

    def _transaction(self) -> AbstractContextManager[Connection]:
        return self._transactions.begin()

    def together(self) -> AbstractContextManager[None]:
        """Make one transaction of all calls inside."""
        return self._transactions.together()


def _append_records(connection: sqlite3.Connection, records: Sequence[Record], beat: int) -> None:
    size = len(records)
    rows = []
    for record in records:
        values = (record.place, record.sequence, record.body, record.state_hash, beat, size, record.digest)
        rows.append((*values, crc_of(*values)))
    try:
        connection.executemany(_APPEND, rows)
    except sqlite3.IntegrityError as error:
        raise WrongSequence("Another server has written to this world; this one must stop.") from error


def _check_record(row: Any) -> Record:
    """Return a record after checking its checksum. Raises StorageDamaged."""
    if not is_sound(row[:-1], row.body, row.crc):
        raise StorageDamaged(f"The record of input {row.sequence} of place {row.place} is damaged.")
    return Record(row.place, row.sequence, row.body, row.state_hash, row.digest)
