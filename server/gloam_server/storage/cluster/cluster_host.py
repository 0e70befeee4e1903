"""The host of a realm in a cluster: the other realms of the same database, and which of them have a server."""

from typing import Final

from gloam_server.storage.cluster.cluster_address import ClusterAddress
from gloam_server.storage.cluster.explained import explained
from gloam_server.storage.host import BoardQuestion, HostBoard, HostRealm, HostRealms
from gloam_server.storage.jetstream.nats_realms import NatsRealms
from gloam_server.storage.jetstream.nats_thread import NatsThread
from gloam_server.storage.postgres import host_board, placements
from gloam_server.storage.postgres.postgres_transactions import connect


class ClusterHost:
    """The implementation of `Host`: a connection to PostgreSQL for each call, so that it delays no batch."""

    def __init__(self, address: ClusterAddress, nats: NatsThread) -> None:
        self._at: Final = address
        self._in_nats: Final = NatsRealms(nats)

    def introduce(self, title: str) -> None:
        """Note the title of this world's campaign for the lists of all."""
        with explained(), connect(self._at.postgres, self._at.realm) as connection:
            placements.introduce(connection, title)

    def realms(self) -> HostRealms:
        """Return the realms that players can reach, by name."""
        with explained():
            with connect(self._at.postgres, self._at.realm) as connection:
                shown = placements.shown_realms(connection, self._at.realm)
            holders = self._in_nats.holders([each.name for each in shown])
        return HostRealms(
            self._at.realm,
            [HostRealm(each.name, each.title, each.port, is_served=each.name in holders) for each in shown],
        )

    def board(self, question: BoardQuestion) -> HostBoard:
        """Return the ended lives of the dungeons that players can reach, and whose campaign is this one's."""
        with explained(), connect(self._at.postgres, self._at.realm) as connection:
            return host_board.read_board(connection, self._at.realm, question)
