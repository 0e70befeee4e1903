"""One connection for each client that comes, within the caps on all and on each address."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory

from gloam_server.net.connection import Connection, Host
from gloam_server.net.reactor import Clock
from gloam_server.sessions.doorkeeper import Flaps
from gloam_shared import limits

Networks: TypeAlias = tuple[IPv4Network | IPv6Network, ...]

_SUBNET: Final = {4: 32, 6: 64}


@dataclass(frozen=True, slots=True)
class Room:
    """How many connections there may be in all, besides the reserved ones, and whose addresses are not counted.

    Those of this machine are not, unless `loopback_exempt` is taken back: then each of them counts like any other.
    """

    connections: int = limits.CONNECTIONS_MAX
    trusted: Networks = ()
    loopback_exempt: bool = True


class Admission(Enum):
    """What becomes of a new connection. `RESERVED`: it may stay if it brings somebody back who was here."""

    ADMITTED = 1
    RESERVED = 2
    TOO_MANY = 3
    SHUT_OUT = 4


class ConnectionFactory(Factory):
    """Counts the open connections, in all and by address, and who comes and goes again and again."""

    noisy = False

    def __init__(self, host: Host, clock: Clock, room: Room | None = None) -> None:
        self._host = host
        self._clock = clock
        self._room = room or Room()
        self._by_network: Counter[str] = Counter()
        self._flaps = Flaps()
        self._returning: dict[int, Connection] = {}
        self.open = 0

    def buildProtocol(self, addr: IAddress | None) -> Connection:
        """Return a connection for a client."""
        assert addr is not None
        return Connection(self._host, self._clock, addr)

    def admit(self, connection: Connection, now_ms: int) -> Admission:
        """Count a new connection in, unless there are too many or its address is shut out."""
        network = self._counted(connection.address)
        if network and self._flaps.is_shut(network, now_ms):
            return Admission.SHUT_OUT
        if network and self._by_network[network] >= limits.CONNECTIONS_PER_ADDRESS_MAX:
            return Admission.TOO_MANY
        full = self.open >= self._room.connections
        if full and not self._may_use_reserve():
            return Admission.TOO_MANY
        self.open += 1
        if network:
            self._by_network[network] += 1
        if not full:
            return Admission.ADMITTED
        self._returning[id(connection)] = connection
        return Admission.RESERVED

    def is_reserved(self, connection: Connection) -> bool:
        """Return whether a connection has a reserved place and is not yet known to bring somebody back."""
        return id(connection) in self._returning

    def keep(self, connection: Connection) -> None:
        """Let a connection in a reserved place stay: it has brought somebody back."""
        self._returning.pop(id(connection), None)

    def release(self, connection: Connection, now_ms: int, *, served: bool) -> None:
        """Count a connection out that `admit` let in. One that was not `served` has only come and gone."""
        self.open -= 1
        self._returning.pop(id(connection), None)
        network = self._counted(connection.address)
        if not network:
            return
        if not served:
            self._flaps.count(network, now_ms)
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]

    def _counted(self, address: IAddress) -> str:
        return counted_network(address, self._room.trusted, loopback_exempt=self._room.loopback_exempt)

    def _may_use_reserve(self) -> bool:
        """Return whether a reserved place is to be had; of those who hold one undecided, the oldest must yield."""
        if self.open < self._room.connections + limits.CONNECTIONS_RESERVED:
            return True
        oldest = next(iter(self._returning), None)
        if oldest is None:
            return False
        yielding = self._returning.pop(oldest)
        self._host.refused(yielding, "too-many", b"")
        yielding.close(at_once=True)
        return True


def network_of(address: IAddress, *, loopback_exempt: bool = True) -> str:
    """Return the /32 or /64 that an address counts for, or "" for loopback and for what is no IP address."""
    return counted_network(address, (), loopback_exempt=loopback_exempt)


def counted_network(address: IAddress, trusted: Networks, *, loopback_exempt: bool = True) -> str:
    """Return the network that an address counts for, or "" where nothing is counted: loopback and what is trusted."""
    host = str(getattr(address, "host", ""))
    try:
        ip = ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if (ip.is_loopback and loopback_exempt) or any(ip in each for each in trusted):
        return ""
    return str(ip_network(f"{ip}/{_SUBNET[ip.version]}", strict=False))
