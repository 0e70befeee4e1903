"""Looks at a connection's first byte, and starts TLS or lets plain text through. Decides nothing else."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, cast

from twisted.internet.interfaces import IAddress, IHandshakeListener
from twisted.internet.protocol import Factory, connectionDone
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from twisted.python.failure import Failure
from zope.interface import implementer

from gloam_server.net.connection import TLS_OPENING, Connection, ConnectionFactory
from gloam_server.net.encryption import Encryption
from gloam_server.net.networks import network_of
from gloam_server.net.reactor import ReactorClock, Transport
from gloam_shared import limits
from gloam_shared.protocol.framing import LENGTH_SIZE, ForeignProtocol, Framer, FrameTooLarge

NO_PLAIN: Final = (
    b"This is a Gloam server, a shared dungeon for terminals, and it takes no unencrypted lines from other machines. "
    b"Play with: gloam HOST[:PORT] --name NAME\r\n"
)


class TlsTransport(Transport, Protocol):
    """The other side of a connection, or the TLS layer in between."""

    def unregisterProducer(self) -> None:
        """Drop further calls when too many bytes are buffered."""


class TlsSniffer(TwistedProtocol):
    """A layer between a transport and its connection, from start to end.

    The connection exists from the start, so that its deadlines include the handshake. What it writes before the first
    byte has arrived (such as that there is no room) waits for that byte.
    """

    def __init__(
        self,
        connection: Connection,
        begin_tls: Callable[["_DecryptedSide"], TLSMemoryBIOProtocol],
        *,
        plain: bool,
    ) -> None:
        self._connection = connection
        self._begin_tls = begin_tls
        self._plain = plain
        self._raw: TlsTransport | None = None
        self._line: TlsTransport | None = None
        self._tls: TLSMemoryBIOProtocol | None = None
        self._held: list[bytes] = []
        self._producer: object = None
        self._leaving = False
        self._inside = _DecryptedSide(connection)
        self._unsecured_bytes = 0

    def connectionMade(self) -> None:
        """Start the connection."""
        self._raw = cast(TlsTransport, self.transport)
        cast(Any, self._raw).bufferSize = limits.READ_MAX
        self._connection.makeConnection(cast(Any, self))  # type: ignore[no-untyped-call]

    def dataReceived(self, data: bytes) -> None:
        """Pass bytes on; the first byte decides between TLS and plain text."""
        if self._line is None:
            self._open(data)
        if self._tls is not None:
            self._take_encrypted(self._tls, data)
        elif self._line is not None:
            self._connection.dataReceived(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """The connection is lost, for any reason."""
        if self._tls is None:
            self._connection.connectionLost(reason)
        else:
            # All bytes are read. Twisted would read on, up to an exception whose traceback keeps the TLS state alive.
            cast(Any, self._tls)._lostTLSConnection = True  # noqa: SLF001  # Twisted has no other way
            self._tls.connectionLost(reason)
        # The layers refer to each other: without this they stay in memory until the next search for cyclic garbage.
        self._raw = self._line = self._tls = self.transport = self._producer = None
        self._held = []

    # The connection's transport.

    def write(self, data: bytes) -> None:
        """Send bytes, once TLS or plain text is decided."""
        if self._line is None:
            self._held.append(data)
        else:
            self._line.write(data)

    def loseConnection(self) -> None:
        """Close after the written bytes are sent."""
        self._leaving = True
        if self._line is not None:
            self._line.unregisterProducer()  # TLS sends no close alert before the connection is gone
            self._line.loseConnection()

    def abortConnection(self) -> None:
        """Close now, without a farewell."""
        if self._raw is not None:
            self._raw.abortConnection()

    def registerProducer(self, producer: object, streaming: bool) -> None:
        """Let `producer` be paused when too many bytes are buffered."""
        self._producer = producer
        line = self._line or self._raw
        if line is not None:
            line.registerProducer(producer, streaming)

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the transport, such as its socket options."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._raw, name)

    def _open(self, data: bytes) -> None:
        assert self._raw is not None
        if data[0] == TLS_OPENING:
            self._raw.unregisterProducer()
            self._tls = self._begin_tls(self._inside)
            self._tls.makeConnection(cast(Any, self._raw))
            self._tls.registerProducer(self._producer, True)
            self._line = cast(TlsTransport, self._tls)
        else:
            self._line = self._raw
            if not self._plain:
                self._held = []
                self._refuse(data)
        for held in self._held:
            self._line.write(held)
        self._held = []
        if self._leaving:
            self.loseConnection()

    def _take_encrypted(self, tls: TLSMemoryBIOProtocol, data: bytes) -> None:
        """Pass bytes on to TLS, with a limit during the handshake: OpenSSL would buffer 128 KB of one."""
        if not self._inside.secured:
            self._unsecured_bytes += len(data)
            if self._unsecured_bytes > limits.TLS_HANDSHAKE_MAX:
                self._connection.close(at_once=True)
                return
        tls.dataReceived(data)

    def _refuse(self, data: bytes) -> None:
        """Answer an unencrypted client with one line of text that says why. Other garbage is dropped as usual."""
        framer = Framer(limits.FRAME_BEFORE_LOGIN_MAX)
        framer.hold(data)
        with suppress(ForeignProtocol):
            try:
                framer.next_frame()
            except FrameTooLarge:
                return
        self._connection.turn_away("plain", data[:LENGTH_SIZE], NO_PLAIN)


@implementer(IHandshakeListener)
class _DecryptedSide(TwistedProtocol):
    """The connection behind TLS. `secured` says whether the handshake is complete."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.secured = False

    def handshakeCompleted(self) -> None:
        """The connection is encrypted."""
        self.secured = True

    def dataReceived(self, data: bytes) -> None:
        """Take decrypted bytes."""
        self._connection.dataReceived(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """The connection is lost."""
        self.transport = None
        self._connection.connectionLost(reason)
        if reason.value is not None:
            reason.value.__traceback__ = None  # it refers to the TLS layer, which refers to it


class TlsSniffingFactory(Factory):
    """Puts a sniffer before each connection of a factory."""

    noisy = False

    def __init__(self, connections: ConnectionFactory, encryption: Encryption, clock: ReactorClock) -> None:
        self._connections = connections
        self._encryption = encryption
        self._tls = TLSMemoryBIOFactory(
            cast(Any, encryption), False, cast(Any, connections), cast(Any, clock)
        )

    def buildProtocol(self, addr: IAddress | None) -> TlsSniffer:
        """Return a sniffer for a client.

        Plain text is accepted from this machine, and from others if the host permits it.
        """
        assert addr is not None
        plain = self._encryption.plain or not network_of(addr)
        return TlsSniffer(self._connections.buildProtocol(addr), self._begin_tls, plain=plain)

    def _begin_tls(self, inside: _DecryptedSide) -> TLSMemoryBIOProtocol:
        return self._tls.protocol(self._tls, cast(Any, inside), False)
