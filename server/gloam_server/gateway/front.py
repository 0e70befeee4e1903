"""The front: the host of all connections. What needs no turn is answered here, by the view side; the gateway gets the rest."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import count
from typing import Final, Protocol

from twisted.internet.interfaces import IAddress
from twisted.python.failure import Failure

from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.gateway.login import admission
from gloam_server.gateway.rejections import Rejections
from gloam_server.net.connection_counts import AdmissionStatus, ConnectionCounts, ConnectionLimits
from gloam_server.net.conversation import Conversation
from gloam_server.sessions.effects import BanForFlood, Close, Effect, Send
from gloam_server.sessions.session import Session
from gloam_server.sessions.token_bucket import TokenBucket
from gloam_server.storage.file_thread import FilesBusy
from gloam_server.storage.shared_replays import NoReplay, SharedReplays
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye, Error, Login, Resume
from gloam_shared.protocol.messages.play import Acknowledge, Refresh, SubmitCommand
from gloam_shared.protocol.messages.replays import AskReplay, ReplayPart
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import FromClient, FromServer


class Requests(Protocol):
    """The gateway, as the front knows it: values alone, and connections by their numbers."""

    def opened(self, number: int, address: IAddress, status: AdmissionStatus) -> None:
        """Take in a new connection."""

    def closed(self, number: int) -> None:
        """Handle a lost connection."""

    def log_in(self, number: int, request: Login | Resume | WatchLogin, abilities: frozenset[str]) -> None:
        """Begin a login."""

    def ask(self, number: int, message: BanForFlood | Close | FromClient) -> None:
        """Carry out any other message of a connection, or take in that it closes."""


class Front:
    """Greets connections, counts them, and divides what they ask for. `players_max`, `realm`, `guests` and `listed` are for the welcome.

    `first` is the number of the first connection.
    """

    def __init__(
        self,
        views: ViewSide,
        gateway: Requests,
        refusals: Rejections,
        replays: SharedReplays,
        room: ConnectionLimits,
        *,
        players_max: int,
        realm: str,
        guests: bool,
        listed: bool = False,
        first: int = 1,
    ) -> None:
        self._views = views
        self.now_ms: Final = views.clock.now_ms
        self._gateway = gateway
        self._replays = replays
        self._fetchers = TokenBucket(limits.REPLAY_PARTS_PER_S, limits.REPLAY_PARTS_BURST)
        self._fetching: set[Conversation] = set()
        self._numbers = count(first)
        self._resumable_until_ms = 0
        if views.dungeon.realm.lives:
            self._expect_a_return()
        self._welcome_with = lru_cache(maxsize=1)(
            lambda players: admission.welcome_message(
                views.dungeon.campaign, players, players_max, realm, guests=guests, listed=listed
            )
        )
        self.refusals = refusals
        self.connections = ConnectionCounts(self._expects_returns, refusals.record, room)
        views.on_connected = self.connections.keep
        views.on_detached = self._expect_a_return
        self.traffic = views.statistics.traffic

    def greet(self, connection: Conversation) -> Session | Bye | None:
        """Return a session for a new connection, or why there is none, or None for a blocked address."""
        status = self.connections.admit(connection, self.now_ms())
        match status:
            case AdmissionStatus.SHUT_OUT:
                self.refused(connection, "flapping", b"")
                return None
            case AdmissionStatus.TOO_MANY:
                self.connections.turn_away(connection)
                return admission.TOO_MANY
            case AdmissionStatus.ADMITTED | AdmissionStatus.RESERVED | AdmissionStatus.RETURNING:
                connection.number = next(self._numbers)
                self._views.open(connection)
                self._gateway.opened(connection.number, connection.address, status)
                return Session(
                    connection.opened_ms, self._welcome_with(self._views.clients.count_connected())
                )

    def lost(self, connection: Conversation) -> None:
        """Handle the loss of a greeted connection."""
        self.connections.release(connection, self.now_ms(), served=connection.served)
        self._views.close(connection)
        self._gateway.closed(connection.number)

    def connection_failed(self, connection: Conversation, error: Exception) -> None:
        """Report an internal error in a connection's request."""
        client = self._views.clients.by_account(connection.player)
        who = client.name if client else "a player not logged in"
        self._views.reporter.report(f"a message of {who}", error)

    def refused(self, connection: Conversation, code: str, body: bytes) -> None:
        """Count a refusal, and log it within limits."""
        self.refusals.record(connection.address, code, body)

    def resumed(self, connection: Conversation) -> None:
        """Handle free room in a connection's buffer: waiting updates may be sent."""
        self._views.resume(connection)

    def handle(self, connection: Conversation, effect: Effect) -> None:
        """Carry out what a session asked for."""
        match effect:
            case SubmitCommand():
                if self._views.acknowledge(connection, effect.ack):
                    self._gateway.ask(connection.number, effect)
            case Acknowledge():
                self._views.acknowledge(connection, effect.patch)
            case Login() | Resume() | WatchLogin():
                self._gateway.log_in(connection.number, effect, connection.abilities)
            case AskReplay():
                self._share_replay(connection, effect)
            case Send():
                raise TypeError("sending is the connection's own")
            case _:
                if isinstance(effect, Refresh):
                    self._views.refresh(connection)
                self._gateway.ask(connection.number, effect)

    def counts(self, door_visits: Mapping[str, int]) -> ViewCounts:
        """Return the counts of the connections; visits through doors are counted where they begin."""
        statistics = self._views.statistics
        return ViewCounts(
            self.connections.open,
            statistics.patches,
            self.traffic.bytes_in,
            self.traffic.bytes_out,
            refusals=dict(self.refusals.counts),
            door_visits=dict(door_visits),
        )

    def _expects_returns(self) -> bool:
        """Return whether any client could resume: a connection of a player is open, or was cut recently."""
        return self.now_ms() < self._resumable_until_ms or self._views.clients.count_connected() > 0

    def _expect_a_return(self) -> None:
        """Note that a player may return from now on, with a resume token."""
        self._resumable_until_ms = self.now_ms() + limits.RESUME_S * 1_000

    def _share_replay(self, connection: Conversation, ask: AskReplay) -> None:
        """Read a part of a shared replay, unless the last one waits still. All who fetch one share one limit."""
        if self.connections.admission_of(connection) is not AdmissionStatus.ADMITTED:
            connection.login_checked(admission.TOO_MANY)
            return
        waits = connection.paused or connection in self._fetching
        full = len(self._fetching) >= limits.REPLAY_PARTS_BURST  # while the folder's disk is slow
        if waits or full or not self._fetchers.take(self.now_ms()):
            what = "You have not read the last part" if waits else "Many fetch replays now"
            connection.send(Error("slow", f"{what}; try again in a moment."))
            return
        self._fetching.add(connection)
        self._replays.read(ask.id, ask.part).addBoth(self._replay_read, connection, ask.part)

    def _replay_read(self, read: tuple[int, bytes] | Failure, connection: Conversation, number: int) -> None:
        """Send the part that was read, or why it was not; nothing if the connection is closed by now."""
        self._fetching.discard(connection)
        answer: FromServer = Error("replay", "The replay cannot be read on the server now; ask its host.")
        if not isinstance(read, Failure):
            size, data = read
            answer = ReplayPart(number, max(-(-size // limits.REPLAY_PART_BYTES), 1), size, data)
        elif read.check(FilesBusy):
            answer = Error("slow", "The disk of the replays is slow now; try again in a moment.")
        elif isinstance(error := read.value, NoReplay):
            answer = Error("replay", str(error))
        elif isinstance(error, Exception):
            self.connection_failed(connection, error)
        if connection.is_open:
            connection.send(answer)
