"""One connection for each client that comes, within the caps on all and on each address."""

from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Final

from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory

from gloam_server.net.connection import Connection, Host
from gloam_server.net.reactor import Clock
from gloam_shared import limits

_SUBNET: Final = {4: 32, 6: 64}


class ConnectionFactory(Factory):
    """Counts the open connections, in all and by address; loopback is not counted by address."""

    noisy = False

    def __init__(self, host: Host, clock: Clock) -> None:
        self._host = host
        self._clock = clock
        self._by_network: Counter[str] = Counter()
        self.open = 0

    def buildProtocol(self, addr: IAddress | None) -> Connection:
        """Return a connection for a client."""
        assert addr is not None
        return Connection(self._host, self._clock, addr)

    def admit(self, address: IAddress) -> bool:
        """Count a new connection in; False when there are too many, in all or from its address."""
        network = network_of(address)
        if self.open >= limits.CONNECTIONS_MAX:
            return False
        if network and self._by_network[network] >= limits.CONNECTIONS_PER_ADDRESS_MAX:
            return False
        self.open += 1
        if network:
            self._by_network[network] += 1
        return True

    def release(self, address: IAddress) -> None:
        """Count a connection out that `admit` let in."""
        self.open -= 1
        network = network_of(address)
        if network:
            self._by_network[network] -= 1
            if not self._by_network[network]:
                del self._by_network[network]


def network_of(address: IAddress) -> str:
    """Return the /32 or /64 that an address counts for, or "" for loopback and for what is no IP address."""
    host = getattr(address, "host", "")
    try:
        ip = ip_address(host.partition("%")[0])
        ip = getattr(ip, "ipv4_mapped", None) or ip
    except ValueError:
        return ""
    return "" if ip.is_loopback else str(ip_network(f"{ip}/{_SUBNET[ip.version]}", strict=False))
