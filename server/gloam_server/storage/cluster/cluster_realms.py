"""All realms of a cluster: a schema in PostgreSQL and a subject in NATS for each."""

from pathlib import Path
from typing import Final

from gloam_server.storage.cluster.cluster_address import (
    DEFAULT_REALM,
    ClusterAddress,
    parse_address,
    with_realm,
)
from gloam_server.storage.cluster.cluster_store import name_of, open_cluster
from gloam_server.storage.cluster.explained import explained
from gloam_server.storage.cluster.transfer import export_store, require_new
from gloam_server.storage.errors import StorageError
from gloam_server.storage.jetstream.entry_log import EntryLog
from gloam_server.storage.jetstream.nats_lease import NatsLease
from gloam_server.storage.jetstream.nats_realms import NatsRealms
from gloam_server.storage.jetstream.nats_thread import NatsThread
from gloam_server.storage.jetstream.nats_workers import NatsWorkers
from gloam_server.storage.postgres import placements
from gloam_server.storage.postgres.postgres_transactions import connect
from gloam_server.storage.realms import RealmReport, RealmState
from gloam_server.storage.store import Transferred
from gloam_server.storage.workers import Workers


class ClusterRealms:
    """The implementation of `Realms`. Its connection to NATS stays open, and to PostgreSQL there is one for each call."""

    def __init__(self, text: str) -> None:
        self._text: Final = text
        self._at: Final[ClusterAddress] = parse_address(text)
        self.nats: Final = NatsThread(self._at.servers, self._at.authority)
        self._in_nats: Final = NatsRealms(self.nats)
        self.workers: Final[Workers] = NatsWorkers(self.nats, self._at.replicas)

    def reports(self) -> list[RealmReport]:
        """Return all realms, by name."""
        return self._reports(None)

    def find(self, realm: str) -> RealmReport:
        """Return one realm. Raises StorageError if there is none of that name."""
        self.address(realm)
        found = self._reports(realm)
        if not found:
            raise StorageError(f"There is no realm {realm}; `gloam-server realms list` shows all.")
        return found[0]

    def address(self, realm: str) -> str:
        """Return the address of a realm. Raises StorageError for a name of a wrong form."""
        return with_realm(self._text, realm)

    def assign_port(self, realm: str, port: int | None) -> int:
        """Give a realm a port that no other one has, the next free one for None; return it."""
        with explained(), connect(self._at.postgres, realm) as connection:
            return placements.assign_port(connection, realm, port)

    def retire(self, realm: str, file: Path) -> Transferred | None:
        """Export a realm that no server has open, compare the export, and erase the realm; None if it was exported before."""
        if self.find(realm).state is RealmState.RETIRED:
            with explained():
                lease = NatsLease(self.nats, realm, self._at.replicas)
            try:
                self.erase(realm)
            finally:
                lease.release()
            return None
        require_new(file)
        store = open_cluster(self.address(realm), make=False)
        try:
            done = export_store(store, file)
            with explained(), connect(self._at.postgres, realm) as connection:
                placements.mark_retired(connection, realm)
            self.erase(realm)
        finally:
            store.close()
        return done

    def erase(self, realm: str) -> None:
        """Delete the entries of a realm, and then its schema: a realm without a schema could not be erased any more."""
        with explained():
            EntryLog(self.nats, realm).erase()
            with connect(self._at.postgres, realm) as connection:
                placements.drop_schema(connection, realm)

    def close(self) -> None:
        """Close the connection to NATS."""
        self.nats.close()

    def _reports(self, only: str | None) -> list[RealmReport]:
        with explained(), connect(self._at.postgres, DEFAULT_REALM) as connection:
            names = [each for each in placements.realm_schemas(connection) if only in (None, each)]
            holders = self._in_nats.holders(names)
            found = [
                (
                    name,
                    placements.read_identity(connection, name),
                    placements.read_placement(connection, name),
                )
                for name in names
            ]
            return [
                RealmReport(
                    name,
                    placement.state,
                    identity,
                    name_of(identity),
                    placement.port,
                    holders.get(name),
                    self._in_nats.newest(name),
                )
                for name, identity, placement in found
            ]
