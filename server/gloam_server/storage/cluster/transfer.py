"""Moves of a world between a cluster and a file, both ways: all rows and records are read back and compared."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gloam_server.storage.cluster.cluster_address import parse_address
from gloam_server.storage.cluster.cluster_journal import ClusterJournal
from gloam_server.storage.cluster.cluster_store import open_cluster, read_cluster
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageError, StorageFault
from gloam_server.storage.journal import Journal, Record, WriterClaim
from gloam_server.storage.sql.directory.sql_directory import SqlDirectory
from gloam_server.storage.sql.transactions import Connection
from gloam_server.storage.sql.world_rows import MOVED, digest_of_world, read_rows, write_rows
from gloam_server.storage.sqlite.database import make_database
from gloam_server.storage.sqlite.file_access import is_there, publish, remove
from gloam_server.storage.sqlite.integrity.checksums import reading
from gloam_server.storage.sqlite.sqlite_file import SqliteFile
from gloam_server.storage.sqlite.sqlite_store import open_sqlite
from gloam_server.storage.sqlite.world_file.replacement import scratch_path
from gloam_server.storage.store import HashOf, Store, Transferred

_RECORD: Final = "place, sequence, body, state_hash, digest"
_WRITE: Final = f"INSERT INTO journal ({_RECORD}, beat, beat_size) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  # names of ours
_READ: Final = f"SELECT {_RECORD} FROM journal ORDER BY place, sequence"  # noqa: S608  # as above
_CLAIM: Final = "INSERT INTO claims (number, rules, content, at_s, libraries) VALUES (1, ?, ?, ?, ?)"
_NEWEST_CLAIM: Final = "SELECT rules, content, at_s, libraries FROM claims ORDER BY number DESC LIMIT 1"
_PATIENT: Final = "SET LOCAL idle_in_transaction_session_timeout = 0"
_ONE_MOMENT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_TRIES: Final = 3
_MOVED_ON: Final = "Old inputs were deleted while {} was written, time after time; try again."
_NUMBERED: Final = ("deaths", "reports")
"""Tables in which PostgreSQL counts the rows."""


def export_world(address: str, file: Path) -> Transferred:
    """Write the world of a cluster to a file that is not there yet. Raises StorageError, and then leaves no file."""
    require_new(file)
    store = open_cluster(address, make=False)
    try:
        return export_store(store, file)
    finally:
        store.close()


def back_up_world(address: str, file: Path) -> Transferred:
    """Write the world of a cluster, in which a server may play, to a file as it was at one moment. Raises as `export_world` does."""
    require_new(file)
    for _ in range(_TRIES):
        with closing(read_cluster(address)) as store:
            first = _journal(store).first_entry()
            try:
                return export_store(store, file, first)
            except StorageError:
                if _journal(store).first_entry() == first:
                    raise
    raise StorageFault(_MOVED_ON.format(file))


def require_new(file: Path) -> None:
    """Raise StorageError if an export would replace a file."""
    if is_there(file):
        raise StorageError(f"The file {file} exists already; name another for the export.")


def export_store(store: Store, file: Path, first: int | None = None) -> Transferred:
    """Write an open world of a cluster to a file, and compare what was written. Raises StorageError, and then leaves no file.

    A server may write into it meanwhile if `first` is given, the first entry of its journal: that must not move.
    """
    scratch = scratch_path(file)
    try:
        if store.directory.identity() is None:
            raise StorageError("The realm has no dungeon to export; correct its name in --store.")
        with _directory(store).transactions.begin() as source:
            if first is not None:
                source.execute(_ONE_MOMENT)
            source.execute(_PATIENT)
            if first is not None:
                _journal(store).stand_still(source)
            make_database(scratch, lambda target: _fill_file(source, store, target))
            here = digest_of_world(source, store.journal.newest_claim(), _records(store.journal))
            if first not in (None, _journal(store).first_entry()):
                raise StorageFault(_MOVED_ON.format(file))
        with closing(reading(scratch)) as written:
            _require_same(here, _digest_of_file(written))
        publish(scratch, file)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(
            f"The file {file} cannot be written ({error}); name another, or make room."
        ) from error
    finally:
        remove(scratch)
    return Transferred(*here)


def import_world(file: Path, address: str, hash_of: HashOf) -> Transferred:
    """Write the world in a file into a realm that has none. Raises StorageError, and then the realm stays without one."""
    with TemporaryDirectory() as folder:
        world = SqliteFile(Path(folder) / "world.sqlite3")
        world.restore(file)
        opened = open_sqlite(world.path)  # a copy: older tables are brought up to date in it
        try:
            found = world.check(hash_of)
            if found:
                raise StorageError(
                    f"The world in {file} is damaged: {'; '.join(found)}. Import another backup."
                )
            identity = opened.directory.identity()
            if identity is None:
                raise StorageError(f"The file {file} holds no realm; name another.")
            with opened.directory.together(), _directory(opened).transactions.begin() as source:
                return _write_realm(source, identity, opened, address)
        finally:
            opened.close()


def _write_realm(source: Connection, identity: WorldIdentity, opened: Store, address: str) -> Transferred:
    store = open_cluster(address)
    try:
        if store.directory.identity() is not None or store.journal.partitions():
            raise StorageError(
                f"The realm {parse_address(address).realm} has a dungeon already; name another realm in --store."
            )
        journal = _journal(store)
        with _directory(store).transactions.begin() as target:
            target.execute(_PATIENT)
            _fill_realm(source, target)
        last = {
            partition: opened.journal.last_sequence(partition) for partition in opened.journal.partitions()
        }
        claim = opened.journal.newest_claim() or WriterClaim(
            identity.rules, identity.content, identity.created_s
        )
        journal.begin(last, claim)
        here = digest_of_world(source, claim, _records(opened.journal))
        with _directory(store).transactions.begin() as target:
            target.execute(_PATIENT)
            there = digest_of_world(target, journal.newest_claim(), _records(journal))
        _require_same(here, there)
        return Transferred(*there)
    finally:
        store.close()


def _fill_file(source: Connection, store: Store, target: sqlite3.Connection) -> None:
    for table in MOVED:
        write_rows(target, table, read_rows(source, table))
    claim = store.journal.newest_claim()
    if claim is not None:
        target.execute(_CLAIM, (claim.rules, claim.content, claim.at_s, claim.libraries))
    for beat, batch in enumerate(_journal(store).batches(), 1):
        rows = [(*_row(record), beat, len(batch)) for record in batch]
        target.executemany(_WRITE, rows)


def _fill_realm(source: Connection, target: Connection) -> None:
    for table in MOVED:
        write_rows(target, table, read_rows(source, table))
    for row in source.execute(_READ):
        target.execute(_WRITE, (*row, 0, 0))
    for table in _NUMBERED:
        target.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table} HAVING max(id) > 0"  # noqa: S608  # as above
        )


def _digest_of_file(connection: sqlite3.Connection) -> tuple[int, bytes]:
    claim = connection.execute(_NEWEST_CLAIM).fetchone()
    records = (Record(*row) for row in connection.execute(_READ))
    return digest_of_world(connection, WriterClaim(*claim) if claim else None, records)


def _records(journal: Journal) -> Iterator[Record]:
    for partition in journal.partitions():
        yield from journal.read(partition, 0)


def _row(record: Record) -> tuple[int, int, bytes, bytes | None, int | None]:
    return record.partition, record.sequence, record.body, record.state_hash, record.digest


def _directory(store: Store) -> SqlDirectory:
    assert isinstance(store.directory, SqlDirectory)
    return store.directory


def _journal(store: Store) -> ClusterJournal:
    assert isinstance(store.journal, ClusterJournal)
    return store.journal


def _require_same(here: tuple[int, bytes], there: tuple[int, bytes]) -> None:
    if here != there:
        raise StorageFault(
            f"The world that was written has {there[0]} inputs, content {there[1].hex()}, and its source has {here[0]}, content "
            f"{here[1].hex()}: look at the disks, and try again with another name."
        )
