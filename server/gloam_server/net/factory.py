"""One connection for each client."""

from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory

from gloam_server.net.connection import Connection, Host
from gloam_server.net.deadlines import Deadlines
from gloam_server.net.reactor import ReactorClock


class ConnectionFactory(Factory):
    """Makes the connections of a server."""

    noisy = False

    def __init__(self, host: Host, clock: ReactorClock) -> None:
        self._host = host
        self._deadlines = Deadlines(clock)

    def buildProtocol(self, addr: IAddress | None) -> Connection:
        """Return a connection for a client."""
        assert addr is not None
        return Connection(self._host, self._deadlines, addr)
