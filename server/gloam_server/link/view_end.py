"""The view process's end of the link: what its connections ask goes to the turn process, and what comes from there is shown.

To the front it is the gateway, and to the view side it is the turn side. When a link is lost whose turn process has a standby,
the connections wait: the next turn process gets them, and what they asked for meanwhile.
"""

from typing import Final, Protocol

from msgspec import MsgspecError
from twisted.internet.interfaces import IAddress

from gloam_server.engine import messages
from gloam_server.engine.game_clock import GameClock, WakeTimer
from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.link.addresses import address_to_link
from gloam_server.link.link_messages import (
    Alive,
    Closed,
    Closing,
    Complete,
    Counts,
    DurableBatch,
    Encoded,
    Flooded,
    Hello,
    LevelsClosed,
    LinkError,
    LogIn,
    Opened,
    PartitionState,
    Publish,
    Ready,
    Refused,
    Reload,
    Request,
    Setup,
    Stop,
    ToTurnProcess,
    decode_to_views,
    encode,
)
from gloam_server.link.link_socket import Peer
from gloam_server.link.replica import Replica, ReplicaDiffers
from gloam_server.link.waiting_connections import WaitingConnections
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.net.conversation import Conversation
from gloam_server.sessions.effects import BanForFlood, Close
from gloam_shared.protocol.messages.login import Login, Resume
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import FromClient

_SERIAL_BITS: Final = 32


class ViewProcess(Protocol):
    """The process around the link."""

    def begin(
        self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]
    ) -> tuple[Replica, ViewSide]:
        """Build the replica and the view side, and let connections in soon. Raises MsgspecError for states that are none."""

    def dial(self) -> None:
        """Connect with the next turn process, which may not listen yet: `connected` is called, or `end`."""

    def admission_of(self, connection: Conversation) -> AdmissionStatus:
        """Return the decision about an open connection."""

    def noticed(self) -> None:
        """Take note that connections change: the counts are sent soon."""

    def reload(self) -> None:
        """Read the certificate's files again."""

    def end(self, why: str) -> None:
        """Stop. `why` is "" if the server stops; else a fault, after which nothing may be shown."""


class ViewEnd:
    """Takes the messages of the turn process, and is `Requests` and the view side's `tell` for its messages."""

    def __init__(self, hello: Hello, process: ViewProcess, clock: GameClock) -> None:
        self._hello = hello
        self._process = process
        self._clock = clock
        self._peer: Peer | None = None
        self._setup: Setup | None = None
        self._states: dict[int, bytes] = {}
        self._parts: tuple[Replica, ViewSide] | None = None
        self._waiting = WaitingConnections()
        self._follows = False
        self._ended = False
        self._worked_s = 0.0
        self._timer = WakeTimer(clock, self._publish)

    def connected(self, peer: Peer) -> "ViewEnd":
        """Begin on a new link: greet the turn process, which sends the states. Returns this end."""
        self._peer = peer
        serial = 0 if self._setup is None else self._setup.first >> _SERIAL_BITS
        self._send(Hello(self._hello.code, self._hello.view_number, serial, self._hello.process))
        return self

    def receive(self, body: bytes) -> None:
        """Take a message of the turn process. Raises LinkError."""
        if self._ended:
            return
        began_s = self._clock.seconds()
        message = decode_to_views(body)
        try:
            if self._parts is None or not self._follows:
                self._take_states(message)
            else:
                self._take(*self._parts, message)
        except ReplicaDiffers as differs:
            self._end(str(differs))
        self._worked_s += self._clock.seconds() - began_s
        if isinstance(message, Publish):
            self._publish()

    def lost(self) -> None:
        """Wait for the next turn process with the connections, if there is a standby; else stop: nothing is decided any more."""
        self._peer, self._states = None, {}
        if self._ended or self._setup is None or not self._setup.has_standby:
            self._end("the turn process is gone")
            return
        self._follows = False
        self._process.dial()

    def ready(self) -> None:
        """Tell the turn process that this one listens."""
        self._send(Ready())

    def count(self, counts: ViewCounts) -> None:
        """Tell the turn process the present counts."""
        self._send(Counts(counts))

    def opened(self, number: int, address: IAddress, status: AdmissionStatus) -> None:
        """Take in a new connection."""
        self._process.noticed()
        self._send(Opened(number, address_to_link(address), status))

    def closed(self, number: int) -> None:
        """Handle a lost connection."""
        self._waiting.closed(number)
        self._send(Closed(number))

    def log_in(self, number: int, request: Login | Resume | WatchLogin, abilities: frozenset[str]) -> None:
        """Begin a login."""
        message = LogIn(number, request, abilities)
        self._waiting.log_in(message)
        self._send(message)

    def ask(self, number: int, message: BanForFlood | Close | FromClient) -> None:
        """Carry out any other message of a connection, or take in that it closes."""
        match message:
            case BanForFlood():
                self._send(Flooded(number))
            case Close():
                self._send(Closing(number))
            case _:
                request = Request(number, message)
                if not self._send(request):
                    self._waiting.ask(request)

    def tell(self, message: messages.ToTurnSide) -> None:
        """Take a message of the view side. Room for updates is no matter of the turn process: nothing is decided."""
        if isinstance(message, messages.Room):
            self._timer.set(self._clock.now_ms())
        else:
            self._send(message)

    def _take_states(self, message: object) -> None:
        """Take what comes before the first batch."""
        match message:
            case Setup():
                self._take_setup(message)
            case PartitionState(partition, body):
                self._states[partition] = body
            case Complete(closed) if self._setup is not None:
                try:
                    self._begin(self._setup, closed)
                except MsgspecError as error:
                    raise LinkError(f"States came that cannot be read: {error}.") from None
                self._states = {}
            case Refused(words):
                self._end(words)
            case Stop():
                self._end("")
            case Alive():
                pass
            case _:
                raise LinkError("A message came before all states were there.")

    def _take_setup(self, setup: Setup) -> None:
        former = self._setup
        if former is not None and (former.seed, former.realm, former.campaign, former.first) != (
            setup.seed,
            setup.realm,
            setup.campaign,
            setup.first,
        ):
            self._end("the next turn process has another dungeon, or other numbers for the connections")
        self._setup = setup

    def _begin(self, setup: Setup, closed: tuple[int, ...]) -> None:
        if self._ended:
            return
        if self._parts is None:
            self._parts = self._process.begin(setup, self._states, closed)
            self._follows = True
            return
        replica, views = self._parts
        replica.restart(self._states, closed)
        self._follows = True
        self._waiting.hand_over(views, self._process.admission_of, self._send)
        self.ready()

    def _take(self, replica: Replica, views: ViewSide, message: object) -> None:
        match message:
            case DurableBatch():
                views.show(replica.follow(message), self._clock.now_ms())
            case LevelsClosed(partitions):
                replica.close(partitions)
            case Encoded(connection, body):
                conversation = views.clients.conversations.get(connection)
                if conversation is not None:
                    conversation.send_encoded(body)
            case Publish() | Alive():
                pass
            case Reload():
                self._process.reload()
            case Stop():
                self._end("")
            case Refused() | Setup() | PartitionState() | Complete():
                raise LinkError("A state came after the first one.")
            case _:
                if isinstance(message, messages.Checked):
                    self._waiting.checked(message.connection)
                views.take(message)  # type: ignore[arg-type]  # nothing else is left
                if isinstance(message, messages.Connected):
                    self._waiting.play_on(message.connection, self._send)

    def _publish(self) -> None:
        """Send the views that do not wait, and then the onlookers' views, in slices."""
        if self._parts is None or self._ended:
            return
        _, views = self._parts
        began_s = self._clock.seconds()
        views.publish(int(began_s * 1_000))
        views.report_unshowable()
        worked_s, self._worked_s = self._worked_s + self._clock.seconds() - began_s, 0.0
        views.show_onlookers(int(worked_s * 1_000_000))

    def _end(self, why: str) -> None:
        """Show nothing more, and stop the process."""
        if self._ended:
            return
        self._ended = True
        self._timer.cancel()
        if self._parts is not None:
            self._parts[1].stop()
        self._process.end(why)

    def _send(self, message: ToTurnProcess) -> bool:
        """Send a message, and return whether there is a turn process; without one the message is dropped."""
        greets = isinstance(message, Hello)
        if self._ended or self._peer is None or not (greets or self._follows):
            return False
        self._peer.send(encode(message))
        return True
