"""The caps on open connections: on all of them and on each address. Connections open and close through the gateway."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from twisted.internet.interfaces import IAddress

from gloam_server.net.conversation import Conversation
from gloam_server.net.networks import Networks, counted_network
from gloam_server.sessions.rate_limits import ReconnectLimiter, returns
from gloam_shared import limits


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of connections in total, without the `reserved` ones, and the networks without limits.

    Connections of this machine are not limited, unless `loopback_exempt` is false: then they count like any other. At
    most `turned_away` connections at a time get the message that there is no room.
    """

    connections: int = limits.CONNECTIONS_MAX
    trusted: Networks = ()
    loopback_exempt: bool = True
    reserved: int = field(default_factory=lambda: limits.CONNECTIONS_RESERVED)
    turned_away: int = limits.TURNED_AWAY_MAX


class AdmissionStatus(Enum):
    """The decision about a new connection. `RESERVED`: it may stay if it brings back a player of this realm.

    `RETURNING`: its address is over its limit, so it may stay only if it resumes a conversation.
    """

    ADMITTED = 1
    RESERVED = 2
    RETURNING = 3
    TOO_MANY = 4
    SHUT_OUT = 5


class ConnectionCounts:
    """Counts the open connections, in total and by address, and the addresses that connect again and again.

    `expects_returns` says whether there is any conversation that a client could resume; `record` takes the address, the
    reason and the bytes of a connection that is cut off.
    """

    def __init__(
        self,
        expects_returns: Callable[[], bool],
        record: Callable[[IAddress, str, bytes], None],
        room: ConnectionLimits | None = None,
    ) -> None:
        self._expects_returns = expects_returns
        self._record = record
        self._room = room or ConnectionLimits()
        self._by_network: Counter[str] = Counter()
        self._flaps = ReconnectLimiter()
        self._returns = returns()
        self._reserved: dict[Conversation, None] = {}
        self._returning: dict[Conversation, None] = {}
        self._over_bound: set[Conversation] = set()
        self._turned_away: deque[Conversation] = deque()
        self.open = 0

    def admit(self, connection: Conversation, now_ms: int) -> AdmissionStatus:
        """Count a new connection in, unless there are too many or its address is shut out."""
        network = connection.network = self._counted_network(connection.address)
        refusal = self._refusal(network, now_ms)
        if refusal is not None and not self._may_return(network, now_ms):
            return refusal
        full = self.open >= self._room.connections
        if full and not self._may_use_reserve():
            return AdmissionStatus.TOO_MANY
        self.open += 1
        if network:
            self._by_network[network] += 1
        if full:
            self._reserved[connection] = None
        if refusal is not None:
            self._over_bound.add(connection)
            self._returning[connection] = None
            return AdmissionStatus.RETURNING
        return AdmissionStatus.RESERVED if full else AdmissionStatus.ADMITTED

    def admission_of(self, connection: Conversation) -> AdmissionStatus:
        """Return a connection's present status: `ADMITTED` once it has brought a player back."""
        if connection in self._returning:
            return AdmissionStatus.RETURNING
        return AdmissionStatus.RESERVED if connection in self._reserved else AdmissionStatus.ADMITTED

    def keep(self, connection: Conversation) -> None:
        """Let a connection stay: it has brought a player back."""
        self._reserved.pop(connection, None)
        self._returning.pop(connection, None)

    def release(self, connection: Conversation, now_ms: int, *, served: bool) -> None:
        """Count out a connection that `admit` let in.

        One that was not `served` has only connected and left.
        """
        self.open -= 1
        self.keep(connection)
        network = connection.network
        if not network:
            return
        if not served and connection not in self._over_bound:
            self._flaps.count(network, now_ms)
        self._over_bound.discard(connection)
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]

    def turn_away(self, connection: Conversation) -> None:
        """Note a connection that ends with a refusal; where there are too many of these, the oldest is cut off.

        So a flood of connections takes no more descriptors than counted.
        """
        self._turned_away.append(connection)
        if len(self._turned_away) > self._room.turned_away:
            self._turned_away.popleft().close(at_once=True)

    def _refusal(self, network: str, now_ms: int) -> AdmissionStatus | None:
        """Return the limit that an address exceeds."""
        if network and self._flaps.is_shut(network, now_ms):
            return AdmissionStatus.SHUT_OUT
        if network and self._by_network[network] >= limits.CONNECTIONS_PER_ADDRESS_MAX:
            return AdmissionStatus.TOO_MANY
        return None

    def _may_return(self, network: str, now_ms: int) -> bool:
        """Return whether an address over its limit may send its token.

        It may hold twice its connections: if a player returns, the lost connection of a moment ago still counts. Of the
        connections without a token, the oldest is closed.
        """
        if not self._expects_returns() or self._returns.wait_s((network,), now_ms):
            return False
        crowded = self._by_network[network] >= 2 * limits.CONNECTIONS_PER_ADDRESS_MAX
        full = len(self._returning) >= self._room.reserved
        yielding = [each for each in self._returning if full or each.network == network]
        if crowded or full:
            if not yielding:
                return False
            self._cut_off(yielding[0])
        self._returns.count((network,), now_ms)
        return True

    def _cut_off(self, connection: Conversation) -> None:
        """Cut off a connection that has brought no player back."""
        self.keep(connection)
        self._record(connection.address, "too-many", b"")
        connection.close(at_once=True)

    def _counted_network(self, address: IAddress) -> str:
        return counted_network(address, self._room.trusted, loopback_exempt=self._room.loopback_exempt)

    def _may_use_reserve(self) -> bool:
        """Return whether a reserved place is free; the oldest undecided connection gives up its place."""
        if self.open < self._room.connections + self._room.reserved:
            return True
        oldest = next(iter(self._reserved), None)
        if oldest is None:
            return False
        self._cut_off(oldest)
        return True
