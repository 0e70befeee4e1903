"""Connection: one transport, its frames, its session. Decides nothing; effects go to the host."""

from socket import SO_SNDBUF, SOL_SOCKET
from typing import Final, Protocol, cast

from OpenSSL import SSL
from twisted.internet.interfaces import IAddress, IPushProducer
from twisted.internet.protocol import Factory, connectionDone
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.python.failure import Failure
from zope.interface import implementer

from gloam_server.net.byte_counters import ByteCounters
from gloam_server.net.conversation import FAULT
from gloam_server.net.deadlines import Deadlines
from gloam_server.net.networks import network_of
from gloam_server.net.reactor import ReactorClock, Transport
from gloam_server.sessions.effects import Close, Effect, Send
from gloam_server.sessions.session import Session, State
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, decode_from_client, encode
from gloam_shared.protocol.codes import ByeCode
from gloam_shared.protocol.compression import DEFLATE, Compressor
from gloam_shared.protocol.framing import LENGTH_SIZE, ForeignProtocol, Framer, FrameTooLarge, FrameWriter
from gloam_shared.protocol.messages.lives import BeaconOffer, KitOffer
from gloam_shared.protocol.messages.login import Bye, Error, ResumeToken, Welcome
from gloam_shared.protocol.registry import FromServer

TLS_OPENING: Final = 0x16
"""The first byte of every TLS connection, and of no frame: a first frame is much shorter than 16 MiB."""

GRACE_S: Final = 1
"""The timeout for a closing connection to take the sent bytes."""

_TICK_LEAST_MS: Final = 20
"""The least time between two looks at the time."""
_OPENING: Final = 32  # bytes, of another protocol, for the log
_FOREIGN: Final = (
    b"This is a Gloam server, a shared dungeon for terminals. Play with: gloam HOST[:PORT] --name NAME\r\n"
)


class Host(Protocol):
    """The services that a connection needs of the server behind it."""

    def now_ms(self) -> int:
        """Return the clock's reading."""

    def greet(self, connection: "Connection") -> Session | Bye | None:
        """Return a session for a new connection, or why it is turned away, or None to cut it off."""

    @property
    def traffic(self) -> ByteCounters:
        """The counters for the bytes of all connections."""

    def resumed(self, connection: "Connection") -> None:
        """A connection that was full has room again."""

    def handle(self, connection: "Connection", effect: Effect) -> None:
        """Carry out what a session asked for, except sending; closing is the connection's own, and told before it."""

    def refused(self, connection: "Connection", code: str, body: bytes) -> None:
        """Handle a refusal, or the end of the connection, with its reason.

        `body` is the refused frame, if any.
        """

    def connection_failed(self, connection: "Connection", error: Exception) -> None:
        """Handle an internal error in a connection's request: close it, and write a report."""

    def lost(self, connection: "Connection") -> None:
        """A connection has ended; nothing more comes from it."""


@implementer(IPushProducer)
class Connection(TwistedProtocol):
    """One client's connection. `player` is the account that plays on it, 0 for none yet. `number` is given by the host.

    `network` is the one for which it counts, "" for none.
    """

    def __init__(self, host: Host, deadlines: Deadlines, address: IAddress) -> None:
        self._host = host
        self._deadlines = deadlines
        self._framer = Framer(limits.FRAME_BEFORE_LOGIN_MAX)
        self._frames = FrameWriter()
        self._compressor: Compressor | None = None
        self._session: Session | None = None
        self._tick_number = 0
        self._tick_ms = 0
        self._partial_since_ms: int | None = None
        self._ending: int | None = None
        self._held_bytes = 0
        self._at_fault = b""
        self._traffic = host.traffic
        self._transport: Transport | None = None
        self.address = address
        self.opened_ms: int = getattr(
            address, "opened_ms", host.now_ms()
        )  # a proxy may have held it for a while
        self.number = 0
        self.network = ""
        self.paused = False
        self.player = 0

    @property
    def is_open(self) -> bool:
        """Whether the connection is still open."""
        return self._transport is not None and self._ending is None

    @property
    def state(self) -> State:
        """The phase of the session."""
        return self.session.state

    @property
    def served(self) -> bool:
        """Whether the connection was used: for a login, or a question without one."""
        return self.session.served

    @property
    def abilities(self) -> frozenset[str]:
        """The abilities agreed on."""
        return self.session.abilities

    @property
    def session(self) -> Session:
        """The session of this connection."""
        if self._session is None:
            raise RuntimeError("the connection was turned away")
        return self._session

    def connectionMade(self) -> None:
        """Start the conversation."""
        self._transport = cast(Transport, self.transport)
        self._transport.registerProducer(self, True)
        _set_options(self._transport)
        greeting = self._host.greet(self)
        if isinstance(greeting, Session):
            self._session = greeting
            self._tick_later()
        elif greeting is None:
            self.close(at_once=True)
        else:
            self.send(greeting)
            self.close()

    def dataReceived(self, data: bytes) -> None:
        """Take bytes; each whole frame is a message to the session."""
        self._traffic.bytes_in += len(data)
        if self._session is None or self._ending is not None:
            return
        try:
            self._feed(self._session, data)
        except ForeignProtocol:
            self._turn_foreign_away(self._framer.peek(_OPENING))
        except FrameTooLarge:
            self._at_fault = self._framer.peek(LENGTH_SIZE)  # what follows may be anything
            if self._session.state is not State.GREETING:
                self._do(
                    self._session.reject_malformed(_too_large(self._framer.frame_max), self._host.now_ms())
                )
            else:
                self._host.refused(self, "too-big", self._at_fault)
                self.close(at_once=True)
        except Exception as error:  # noqa: BLE001  # a fault of ours ends this connection, and no other
            self._fail(error)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """The connection is lost, for any reason."""
        if reason.check(SSL.Error):
            self._host.refused(self, "tls", b"")
        self._deadlines.drop(self._tick_number)
        if self._ending is not None:
            self._deadlines.drop(self._ending)
        self._ending = self._transport = self.transport = None
        self._framer = Framer(0)  # its cyclic garbage may stay in memory for a while
        if self._session is not None:
            self._session.state = State.CLOSED
            self._host.lost(self)

    def send(self, message: FromServer) -> None:
        """Send a message, unless the connection is closing. A client with too many queued bytes is disconnected."""
        if self._ending is None:
            if isinstance(message, Bye | Error):
                self._host.refused(self, message.code, self._at_fault)
            self.send_framed(self._frames.frame(encode(message)), secret=isinstance(message, ResumeToken))
            if isinstance(message, Welcome) and DEFLATE in message.abilities:
                self._compressor = Compressor()

    def send_encoded(self, body: bytes) -> None:
        """Send a message that is encoded already, and no refusal."""
        if self._ending is None:
            self._write(self._frames.frame(body))

    def send_framed(self, framed: bytes, *, secret: bool = False) -> None:
        """Send a message that was framed once for many clients, all of them greeted."""
        if self._ending is None:
            self._write(framed, secret=secret)

    def close(self, *, at_once: bool = False) -> None:
        """Close the connection: after the sent bytes are out, or a second later at the latest."""
        if self._transport is None:
            return
        if at_once:
            self._transport.abortConnection()
        elif self._ending is None:
            self._ending = self._deadlines.add(
                self._host.now_ms() + GRACE_S * 1_000, self._transport.abortConnection
            )
            self._transport.loseConnection()

    def turn_away(self, code: str, data: bytes, line: bytes) -> None:
        """Close a connection with a foreign protocol, with a line of text that people can read."""
        self._host.refused(self, code, data)
        self._write(line)
        self.close()

    def _turn_foreign_away(self, opening: bytes) -> None:
        """Answer a foreign protocol. TLS from this machine is no refusal: each client of ours tries that first."""
        if opening[0] == TLS_OPENING and not network_of(self.address):
            self._write(_FOREIGN)
            self.close()
        else:
            self.turn_away("foreign", opening, _FOREIGN)

    def end(self, code: ByeCode, words: str) -> None:
        """End the conversation with a reason."""
        self._do(self.session.end(code, words))

    def login_checked(self, refusal: Error | Bye | None) -> None:
        """Answer `Login`, `Resume` or `WatchLogin`; None lets the client in."""
        self._do(self.session.login_checked(refusal))

    def joined(
        self, name: str, number: int, life: int, *kits: KitOffer, beacons: tuple[BeaconOffer, ...] = ()
    ) -> None:
        """Start play: the life's number, its last answered command, and the kits and beacons offered."""
        self._do(self.session.joined_message(name, number, life, *kits, beacons=beacons))

    def patch_sent(self, patch: int, now_ms: int) -> None:
        """Note that a patch was sent, which must be acknowledged in time."""
        self.session.patch_sent(patch, now_ms)

    def pauseProducing(self) -> None:
        """The transport is full: patches wait."""
        self.paused = True

    def resumeProducing(self) -> None:
        """The transport has room again."""
        self.paused = False
        self._held_bytes = 0
        self._host.resumed(self)

    def stopProducing(self) -> None:
        """The transport is gone; `connectionLost` does the rest."""

    def _feed(self, session: Session, data: bytes) -> None:
        self._framer.frame_max = session.frame_max
        only = self._framer.only_frame(data)
        if only is not None:
            self._partial_since_ms = None
            self._receive(session, only)
            return
        self._framer.hold(data)
        while (body := self._framer.next_frame()) is not None:
            self._partial_since_ms = None
            self._receive(session, body)
            if session.state is State.CLOSED:
                return
            self._framer.frame_max = session.frame_max
        self._track_partial_frame()

    def _receive(self, session: Session, body: bytes) -> None:
        now_ms = self._host.now_ms()
        refusal = session.admit(now_ms)
        if refusal is not None:
            if not refusal:
                self._host.refused(self, "rate", b"")
            self._do(refusal)
            return
        try:
            message = decode_from_client(body)
        except Malformed as fault:
            self._at_fault = body
            self._do(session.reject_malformed(fault, now_ms))
            self._at_fault = b""
        else:
            self._do(session.receive(message, now_ms))

    def _fail(self, error: Exception) -> None:
        self._host.connection_failed(self, error)
        self._do(self.session.end("fault", FAULT))
        self.close()

    def _track_partial_frame(self) -> None:
        """Set the deadline for a partial frame: it counts from the frame's first byte."""
        if not self._framer.partial:
            self._partial_since_ms = None
        elif self._partial_since_ms is None:
            self._partial_since_ms = now_ms = self._host.now_ms()
            if now_ms + limits.FRAME_S * 1_000 < self._tick_ms:
                self._deadlines.drop(self._tick_number)
                self._tick_later()

    def _tick(self) -> None:
        try:
            self._look_at_time()
        except Exception as error:  # noqa: BLE001  # as in `dataReceived`
            self._fail(error)
        if self._ending is None and self.session.state is not State.CLOSED:
            self._tick_later()

    def _tick_later(self) -> None:
        """Look at the time again when something may be due."""
        now_ms = self._host.now_ms()
        due_ms = self.session.next_tick_ms(now_ms)
        if self._partial_since_ms is not None:
            due_ms = min(due_ms, self._partial_since_ms + limits.FRAME_S * 1_000)
        self._tick_ms = max(due_ms, now_ms + _TICK_LEAST_MS)
        self._tick_number = self._deadlines.add(self._tick_ms, self._tick)

    def _look_at_time(self) -> None:
        now_ms = self._host.now_ms()
        late = (
            self._partial_since_ms is not None and now_ms - self._partial_since_ms >= limits.FRAME_S * 1_000
        )
        playing = self.session.state is State.PLAYING
        effects: list[Effect] = [Close(at_once=True)] if late else self.session.tick(now_ms)
        if any(isinstance(effect, Close) for effect in effects):
            self._host.refused(self, "silent" if playing and not late else "late", b"")
        self._do(effects)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(message):
                    self.send(message)
                case Close(at_once):
                    self._host.handle(self, effect)
                    self.close(at_once=at_once)
                case _:
                    self._host.handle(self, effect)

    def _write(self, data: bytes, *, secret: bool = False) -> None:
        if self._transport is None:
            return
        if self._compressor is not None:
            data = self._compressor.compress_apart(data) if secret else self._compressor.compress(data)
        if self.paused:
            self._held_bytes += len(data)
            if self._held_bytes > limits.QUEUED_BYTES_MAX:
                self._host.refused(self, "unread", b"")
                self.close(at_once=True)
                return
        self._traffic.bytes_out += len(data)
        self._transport.write(data)


def _too_large(frame_max: int) -> Malformed:
    return Malformed("too-big", f"A frame came that is longer than {frame_max} bytes.")


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


def _set_options(transport: object) -> None:
    """Send small frames immediately, and keep the kernel's buffer small, to notice a slow reader soon."""
    set_no_delay = getattr(transport, "setTcpNoDelay", None)
    if set_no_delay is not None:
        set_no_delay(True)
    get_handle = getattr(transport, "getHandle", None)
    if get_handle is not None:
        get_handle().setsockopt(SOL_SOCKET, SO_SNDBUF, limits.SEND_BUFFER)
