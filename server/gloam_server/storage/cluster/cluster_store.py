"""An open world in a cluster: journal and lease in NATS, snapshots and directory in PostgreSQL."""

import time
from contextlib import ExitStack
from typing import Final
from zlib import crc32

from psycopg import sql

from gloam_server.storage.cluster.cluster_address import ClusterAddress, parse_address
from gloam_server.storage.cluster.cluster_directory import ClusterDirectory
from gloam_server.storage.cluster.cluster_host import ClusterHost
from gloam_server.storage.cluster.cluster_journal import ClusterJournal
from gloam_server.storage.cluster.explained import explained
from gloam_server.storage.directory import WorldIdentity
from gloam_server.storage.errors import StorageDamaged, StorageError, StorageFault
from gloam_server.storage.jetstream.entry_log import EntryLog
from gloam_server.storage.jetstream.nats_checks import check_server, open_stream
from gloam_server.storage.jetstream.nats_lease import NatsLease
from gloam_server.storage.jetstream.nats_thread import NatsThread
from gloam_server.storage.postgres.host_names import is_host_current, upgrade_host
from gloam_server.storage.postgres.placements import read_placement
from gloam_server.storage.postgres.postgres_transactions import PostgresTransactions
from gloam_server.storage.postgres.tables import are_current, require_known_version, upgrade_tables
from gloam_server.storage.realms import RealmState
from gloam_server.storage.sql.directory.sql_directory import SqlDirectory
from gloam_server.storage.sql.sql_snapshots import SqlSnapshots
from gloam_server.storage.store import PATIENT, LeaseTerms, Store
from gloam_server.world.transition.version import RULES_VERSION

_ELECTION_S: Final = 10.0
"""A little longer than the servers of NATS take to elect a leader."""

_AGAIN_S: Final = 0.2
_IMPORT: Final = "restore the realm with `gloam-server import`"


def open_cluster(
    text: str, *, take_over: bool = False, make: bool = True, terms: LeaseTerms = PATIENT
) -> Store:
    """Return the world at an address. Raises StorageError with a sentence for the host, and then writes nothing into it.

    Where NATS has several servers, which may be electing a leader, it is asked again for a while, if `terms` allow to wait.
    """
    address = parse_address(text)
    until_s = time.monotonic() + (_ELECTION_S if address.replicas > 1 and terms.wait_s else 0)
    while True:
        try:
            return _open_now(address, take_over=take_over, make=make, terms=terms)
        except StorageFault:
            if time.monotonic() >= until_s:
                raise
        time.sleep(_AGAIN_S)


def _open_now(address: ClusterAddress, *, take_over: bool, make: bool, terms: LeaseTerms) -> Store:
    with ExitStack() as undo:
        nats = NatsThread(address.servers, address.authority)
        undo.callback(nats.close)
        with explained():
            store = _open(address, nats, undo, take_over=take_over, make=make, terms=terms)
        undo.pop_all()
        return store


def _open(
    address: ClusterAddress,
    nats: NatsThread,
    undo: ExitStack,
    *,
    take_over: bool,
    make: bool,
    terms: LeaseTerms,
) -> Store:
    check_server(nats, list(address.monitors), address.sync)
    transactions = PostgresTransactions(address.postgres, address.realm)
    undo.callback(transactions.close)
    has_tables = _inspect_tables(transactions)
    if not has_tables and not make:
        raise StorageError(
            f"PostgreSQL has no realm {address.realm}; correct its name in --store, or start a server there once."
        )
    open_stream(nats, address.replicas, make=make)
    lease = NatsLease(nats, address.realm, address.replicas, take_over=take_over, terms=terms)
    undo.callback(lease.release)
    terms.taken(lease)
    _require_kept(address, transactions)
    log = EntryLog(nats, address.realm)
    log.look()
    if log.last and not has_tables:
        raise _other_dungeon(address)
    _make_tables(address, transactions)
    directory = ClusterDirectory(transactions)

    def close() -> None:
        transactions.close()
        lease.release()
        nats.close()

    journal = ClusterJournal(log, transactions, lambda: name_of(directory.identity()), close)
    host = ClusterHost(address, nats)
    store = Store(journal, SqlSnapshots(transactions), directory, lease, host=host)
    _require_one_world(address, store, log)
    journal.write_lacking_rows()
    directory.link_accounts()
    return store


def read_cluster(text: str) -> Store:
    """Return the world at an address for reading alone: no lease is taken, and its server does not notice. Raises StorageError."""
    address = parse_address(text)
    with ExitStack() as undo:
        nats = NatsThread(address.servers, address.authority)
        undo.callback(nats.close)
        with explained():
            log = EntryLog(nats, address.realm)
            log.look()
            transactions = PostgresTransactions(address.postgres, address.realm)
            undo.callback(transactions.close)
            if not _inspect_tables(transactions):
                raise StorageError(f"PostgreSQL has no realm {address.realm}; correct its name in --store.")
        directory = SqlDirectory(transactions)
        close = undo.pop_all().close
        journal = ClusterJournal(log, transactions, lambda: name_of(directory.identity()), close)
        return Store(journal, SqlSnapshots(transactions), directory, _NoLease())


class _NoLease:
    """The lease of a reader, which has none."""

    def release(self) -> None:
        """Do nothing."""


def _inspect_tables(transactions: PostgresTransactions) -> bool:
    """Return whether the realm has tables. Raises StorageError if they are newer than this server."""
    with transactions.begin() as connection:
        return require_known_version(connection) is not None


def _require_kept(address: ClusterAddress, transactions: PostgresTransactions) -> None:
    """Raise StorageError for a realm that was exported and is being erased: play in it would be lost."""
    with transactions.begin() as connection:
        if read_placement(connection.raw, address.realm).state is RealmState.RETIRED:
            raise StorageError(
                f"The realm {address.realm} was exported and is being erased; finish that with `gloam-server realms retire`, or name "
                "another realm."
            )


def _make_tables(address: ClusterAddress, transactions: PostgresTransactions) -> None:
    """Make the tables, or bring them up to date. Most starts find them so, and write nothing."""
    with transactions.begin() as connection:
        if are_current(connection) and is_host_current(connection):
            return
        connection.raw.execute(
            sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(address.realm))
        )
        upgrade_tables(connection)
        upgrade_host(connection)


def _require_one_world(address: ClusterAddress, store: Store, log: EntryLog) -> None:
    """Raise StorageError unless both parts are of one dungeon, of one time, and of rules that this server knows."""
    identity = store.directory.identity()
    if log.claim is not None and log.claim.dungeon != name_of(identity):
        raise _other_dungeon(address)
    rules = max(identity.rules if identity else 0, log.claim.rules if log.claim else 0)
    if rules > RULES_VERSION:
        raise StorageError(
            f"The realm {address.realm} was played by a newer Gloam (its rules version {rules}, ours {RULES_VERSION}); upgrade "
            "the server."
        )
    for partition, newest in sorted(store.snapshots.newest_sequences().items()):
        if newest > store.journal.last_sequence(partition):
            raise StorageDamaged(
                f"The journal in NATS lacks records of partition {partition}: it ends with {store.journal.last_sequence(partition)}, "
                f"and PostgreSQL has a snapshot at {newest}; {_IMPORT}."
            )


def _other_dungeon(address: ClusterAddress) -> StorageError:
    return StorageError(
        f"NATS and PostgreSQL have different dungeons under the realm {address.realm}; correct --store, or name another realm."
    )


def name_of(identity: WorldIdentity | None) -> str:
    """Return the name by which the journal knows the dungeon of a directory: nothing of its seed can be found from it."""
    if identity is None:
        return ""
    return f"{crc32(f'{identity.campaign} {identity.seed} {identity.created_s}'.encode()):08x}"
