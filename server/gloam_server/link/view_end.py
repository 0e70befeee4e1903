"""The view process's end of the link: what its connections ask goes to the turn process, and what comes from there is shown.

To the front it is the gateway, and to the view side it is the turn side.
"""

from typing import Protocol

from msgspec import MsgspecError
from twisted.internet.interfaces import IAddress

from gloam_server.engine import messages
from gloam_server.engine.game_clock import GameClock, WakeTimer
from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.link.addresses import address_to_link
from gloam_server.link.link_messages import (
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
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.sessions.effects import BanForFlood, Close
from gloam_shared.protocol.messages.login import Login, Resume
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import FromClient


class ViewProcess(Protocol):
    """The process around the link."""

    def begin(
        self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]
    ) -> tuple[Replica, ViewSide]:
        """Build the replica and the view side, and let connections in soon. Raises MsgspecError for states that are none."""

    def noticed(self) -> None:
        """Take note that connections change: the counts are sent soon."""

    def reload(self) -> None:
        """Read the certificate's files again."""

    def end(self, why: str) -> None:
        """Stop. `why` is "" if the server stops; else a fault, after which nothing may be shown."""


class ViewEnd:
    """Takes the messages of the turn process, and is `Requests` and the view side's `tell` for its messages."""

    def __init__(self, peer: Peer, hello: Hello, process: ViewProcess, clock: GameClock) -> None:
        self._peer = peer
        self._process = process
        self._clock = clock
        self._setup: Setup | None = None
        self._states: dict[int, bytes] = {}
        self._parts: tuple[Replica, ViewSide] | None = None
        self._ended = False
        self._worked_s = 0.0
        self._timer = WakeTimer(clock, self._publish)
        self._send(hello)

    def receive(self, body: bytes) -> None:
        """Take a message of the turn process. Raises LinkError."""
        if self._ended:
            return
        began_s = self._clock.seconds()
        message = decode_to_views(body)
        try:
            if self._parts is None:
                self._take_states(message)
            else:
                self._take(*self._parts, message)
        except ReplicaDiffers as differs:
            self._end(str(differs))
        self._worked_s += self._clock.seconds() - began_s
        if isinstance(message, Publish):
            self._publish()

    def lost(self) -> None:
        """Stop: without the turn process nothing is decided."""
        self._end("the turn process is gone")

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
        self._send(Closed(number))

    def log_in(self, number: int, request: Login | Resume | WatchLogin, abilities: frozenset[str]) -> None:
        """Begin a login."""
        self._send(LogIn(number, request, abilities))

    def ask(self, number: int, message: BanForFlood | Close | FromClient) -> None:
        """Carry out any other message of a connection, or take in that it closes."""
        match message:
            case BanForFlood():
                self._send(Flooded(number))
            case Close():
                self._send(Closing(number))
            case _:
                self._send(Request(number, message))

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
                self._setup = message
            case PartitionState(partition, body):
                self._states[partition] = body
            case Complete(closed) if self._setup is not None:
                try:
                    self._parts = self._process.begin(self._setup, self._states, closed)
                except MsgspecError as error:
                    raise LinkError(f"States came that cannot be read: {error}.") from None
                self._states = {}
            case Refused(words):
                self._end(words)
            case Stop():
                self._end("")
            case _:
                raise LinkError("A message came before all states were there.")

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
            case Publish():
                pass
            case Reload():
                self._process.reload()
            case Stop():
                self._end("")
            case Refused() | Setup() | PartitionState() | Complete():
                raise LinkError("A state came after the first one.")
            case _:
                views.take(message)  # type: ignore[arg-type]  # nothing else is left

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

    def _send(self, message: ToTurnProcess) -> None:
        if not self._ended:
            self._peer.send(encode(message))
