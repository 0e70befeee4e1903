"""Connections through a proxy: each begins with a header that names the client's address.

All limits count by address, which is unknown before the header. Deadlines count from the moment when the proxy
connected. A relayed address has a type of its own, so no code takes it for loopback.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, connectionDone
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.python.failure import Failure

from gloam_server.net.networks import Networks, RelayedAddress, is_within
from gloam_server.net.proxy_protocol import DOORS, BadHeader, Header, parse
from gloam_server.net.reactor import DelayedCall, ReactorClock, Transport
from gloam_shared import limits

Refused = Callable[[IAddress, str, bytes], None]
"""Called for each rejection: the address, the reason, and the rejected bytes."""


class ProxyHeaderReader(TwistedProtocol):
    """Reads the header of a connection from a proxy, and starts the connection when the header is complete."""

    def __init__(self, lines: "ProxiedFactory", address: IAddress) -> None:
        self._lines = lines
        self._address = address
        self._held = b""
        self._line: TwistedProtocol | None = None
        self._deadline: DelayedCall | None = None
        self._opened_ms = 0

    def connectionMade(self) -> None:
        """Wait for the header until its deadline."""
        cast(Any, self.transport).bufferSize = limits.READ_MAX
        self._opened_ms = self._lines.now_ms()
        self._deadline = self._lines.clock.callLater(limits.HANDSHAKE_S, self.refuse, "late")
        self._lines.wait(self)

    def dataReceived(self, data: bytes) -> None:
        """Pass bytes on, without the header."""
        if self._line is not None:
            self._line.dataReceived(data)
            return
        if self._deadline is None:
            return  # refused, and not gone yet
        self._held += data
        try:
            header = parse(self._held)
        except BadHeader:
            self.refuse("proxy")
        else:
            if header is not None:
                self._begin(header)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Handle the loss of the connection.

        Without a complete header, as in some health checks, it is no error.
        """
        self._stop_waiting()
        if self._line is not None:
            self._line.connectionLost(reason)

    def refuse(self, reason: str) -> None:
        """Close a connection without a header."""
        self._stop_waiting()
        self._lines.refused(self._address, reason, self._held)
        self._held = b""
        cast(Transport, self.transport).abortConnection()

    def _begin(self, header: Header) -> None:
        self._stop_waiting()
        rest, self._held = self._held[header.size :], b""
        own = str(getattr(self._address, "host", ""))
        address = RelayedAddress(
            header.host or own, header.port, self._opened_ms, ours=not header.relayed, door=header.door
        )
        self._line = self._lines.begin(cast(IAddress, address))
        self._line.makeConnection(cast(Any, self.transport))
        if rest:
            self._line.dataReceived(rest)

    def _stop_waiting(self) -> None:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None
        self._lines.wait_no_longer(self)


class ProxiedFactory(Factory):
    """A factory in which connections from a proxy's address must begin with a header. All others are unchanged."""

    noisy = False

    def __init__(
        self,
        lines: Factory,
        proxies: Networks,
        clock: ReactorClock,
        refused: Refused,
        waiting_max: int = limits.PROXY_HEADERS_MAX,
    ) -> None:
        self.clock: Final = clock
        self.refused: Final = refused
        self._lines = lines
        self._proxies = proxies
        self._waiting_max = waiting_max
        self._waiting: dict[int, ProxyHeaderReader] = {}

    def now_ms(self) -> int:
        """Return the clock's reading."""
        return int(self.clock.seconds() * 1_000)

    def buildProtocol(self, addr: IAddress | None) -> TwistedProtocol | None:
        """Return the receiver of a connection's bytes."""
        assert addr is not None
        if is_within(addr, self._proxies):
            return ProxyHeaderReader(self, addr)
        return self.begin(addr)

    def begin(self, address: IAddress) -> TwistedProtocol:
        """Return the receiver for a connection with a known address."""
        return cast(TwistedProtocol, self._lines.buildProtocol(address))

    def wait(self, reader: ProxyHeaderReader) -> None:
        """Note that a connection waits for its header. Their number is limited; the oldest is closed."""
        if len(self._waiting) >= self._waiting_max:
            next(iter(self._waiting.values())).refuse("late")
        self._waiting[id(reader)] = reader

    def wait_no_longer(self, reader: ProxyHeaderReader) -> None:
        """Note that a connection no longer waits for its header."""
        self._waiting.pop(id(reader), None)


class DoorFactory(ProxiedFactory):
    """The factory of the doors' socket, in which every connection must begin with a header.

    `visits` counts the connections by the kind of door.
    """

    def __init__(self, lines: Factory, proxies: Networks, clock: ReactorClock, refused: Refused) -> None:
        super().__init__(lines, proxies, clock, refused)
        self.visits = dict.fromkeys(sorted(DOORS), 0)

    def buildProtocol(self, addr: IAddress | None) -> TwistedProtocol:
        """Return the receiver of a connection's bytes."""
        assert addr is not None
        return ProxyHeaderReader(self, addr)

    def begin(self, address: IAddress) -> TwistedProtocol:
        """Return the receiver for a visitor with a known address."""
        door = getattr(address, "door", "")
        if door:
            self.visits[door] += 1
        return super().begin(address)
