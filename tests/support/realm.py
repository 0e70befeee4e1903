"""A whole server under a manual clock: real beats, sessions, connections and links; only the wires are made of lists.

Time moves when a test says so. The journal is the twin in memory; its writer answers at once or after a delay.
"""

from collections.abc import Callable, Sequence
from typing import Any

from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from gloam_client.link import Link
from gloam_server.app.archive import found_realm, wake_realm
from gloam_server.app.beats import Beats
from gloam_server.app.host import GameHost
from gloam_server.app.roster import Roster
from gloam_server.content.definitions import Campaign
from gloam_server.net.factory import ConnectionFactory
from gloam_server.storage.journal import Death, Journal, Record, Snapshot
from gloam_server.storage.memory import MemoryJournal
from gloam_server.world.creature import Creature
from gloam_server.world.dungeon import Dungeon
from gloam_server.world.invariants import check
from gloam_server.world.level import Level
from gloam_shared.commands import AnyCommand
from gloam_shared.messages import FromServer, Goodbye, NewLife
from gloam_shared.view import View
from support.campaigns import arena

AWAKE_MS = 1_000_000


class ManualWriter:
    """The writer's twin: calls run at once, or `delay_s` later by the manual clock."""

    def __init__(self, journal: Journal, clock: Clock, delay_s: float = 0.0) -> None:
        self.journal = journal
        self.delay_s = delay_s
        self._clock = clock

    def append(
        self, records: Sequence[Record], snapshots: Sequence[Snapshot] = (), deaths: Sequence[Death] = ()
    ) -> Deferred[None]:
        """Append as the real writer does."""
        return self.call(self.journal.append, records, snapshots, deaths)

    def call(self, function: Callable[..., Any], *args: Any) -> Deferred[Any]:
        """Run a blocking call."""
        done: Deferred[Any] = Deferred()

        def run() -> None:
            try:
                result = function(*args)
            except Exception:  # noqa: BLE001  # as the real writer: whoever waits gets it
                done.errback(Failure())
            else:
                done.callback(result)

        if self.delay_s:
            self._clock.callLater(self.delay_s, run)
        else:
            run()
        return done


class Wire:
    """The server's end of a line: what is written waits until the test delivers it."""

    def __init__(self) -> None:
        self.sent = bytearray()
        self.closed = False
        self.aborted = False

    def write(self, data: bytes) -> None:
        """Take bytes."""
        self.sent += data

    def loseConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Note that the server closed the line."""
        self.closed = True

    def abortConnection(self) -> None:  # noqa: N802  # Twisted's name
        """Note that the server cut the line."""
        self.closed = self.aborted = True

    def registerProducer(self, producer: object, streaming: bool) -> None:  # noqa: N802
        """Nothing ever fills up here."""


class SimClient:
    """One player: a real link on a wire of lists."""

    def __init__(self, server: "SimServer", name: str, token: bytes, host: str = "127.0.0.1") -> None:
        self.server = server
        self.link = Link(name, token, "test")
        self.got: list[FromServer] = []
        self.reading = True
        self._host = host
        self.dial()

    @property
    def view(self) -> View:
        """What the client knows."""
        return self.link.view

    def dial(self) -> None:
        """Open a (new) connection and log in."""
        self.wire = Wire()
        self.connection = self.server.factory.buildProtocol(IPv4Address("TCP", self._host, 50_000))
        self.connection.makeConnection(self.wire)  # type: ignore[arg-type]  # our wire is transport enough
        self.up = True
        self.link.connected(self.server.now_ms)
        self.pump()

    def pump(self) -> list[FromServer]:
        """Carry bytes both ways until nothing moves; return what came."""
        came: list[FromServer] = []
        while self.up:
            outgoing = self.link.outgoing()
            if outgoing:
                self.connection.dataReceived(outgoing)
            incoming = bytes(self.wire.sent) if self.reading else b""
            if incoming:
                self.wire.sent.clear()
                came += self.link.receive(incoming, self.server.now_ms)
            if self.wire.closed:
                self.cut()
            if not outgoing and not incoming:
                break
        self.got += came
        return came

    def cut(self) -> None:
        """The line breaks."""
        if self.up:
            self.up = False
            self.connection.connectionLost()

    def command(self, command: AnyCommand) -> int:
        """Send a command and let the bytes run."""
        number = self.link.command(command, self.server.now_ms)
        self.pump()
        return number

    def leave(self) -> None:
        """Say goodbye and hang up."""
        self.link.send(Goodbye())
        self.pump()
        self.cut()

    def begin_again(self) -> None:
        """After a death, begin the next life."""
        self.link.send(NewLife())
        self.pump()

    def of_kind(self, kind: type[Any]) -> list[Any]:
        """Return the messages of one kind that came so far."""
        return [message for message in self.got if isinstance(message, kind)]


class SimServer:
    """The whole server but for sockets, disk and clock."""

    def __init__(
        self,
        campaign: Campaign | None = None,
        seed: int = 1,
        *,
        journal: Journal | None = None,
        patience_ms: int = 2_000,
        write_s: float = 0.0,
    ) -> None:
        self.clock = Clock()
        self.clock.advance(AWAKE_MS / 1_000)
        self.campaign = campaign or arena()
        self.journal = journal or MemoryJournal()
        identity = self.journal.identity()
        if identity is None:
            self.dungeon: Dungeon = found_realm(self.journal, self.campaign, seed, 0)
        else:
            self.dungeon = wake_realm(self.journal, self.campaign, identity)
        self.fatal: list[str] = []
        self.writer = ManualWriter(self.journal, self.clock, write_s)
        self.beats = Beats(
            self.dungeon,
            Roster(self.dungeon),
            self.writer,
            self.clock,
            patience_ms=patience_ms,
            fatal=self.fatal.append,
        )
        self.host = GameHost(self.beats, self.writer, 64, "test")
        self.factory = ConnectionFactory(self.host, self.clock)
        self.host.serve(self.factory)
        self.clients: list[SimClient] = []

    @property
    def now_ms(self) -> int:
        """The manual clock's reading."""
        return self.beats.now_ms()

    def join(self, name: str, token: bytes | None = None, host: str = "127.0.0.1") -> SimClient:
        """Connect a player and wait until he stands in the dungeon."""
        client = SimClient(self, name, token or name.encode().ljust(32, b"."), host)
        self.clients.append(client)
        self.advance(60)
        return client

    def pump(self) -> None:
        """Let everybody's bytes run until nothing moves."""
        moved = True
        while moved:
            moved = bool([message for client in self.clients for message in client.pump()])

    def advance(self, ms: int) -> None:
        """Let time pass in small steps, bytes running all the while."""
        end_ms = self.now_ms + ms
        self.pump()
        while self.now_ms < end_ms:
            step_ms = min(10, end_ms - self.now_ms)
            self.clock.advance(step_ms / 1_000)
            for client in self.clients:
                client.link.tick(self.now_ms)
            self.pump()
        for level in self.dungeon.levels.values():
            check(level)

    def body(self, client: SimClient) -> Creature:
        """Return the body of a client's player."""
        standing = self.beats.roster.standing(client.connection.player)
        assert standing is not None
        return standing[2]

    def level_of(self, client: SimClient) -> Level:
        """Return the level where a client's player stands."""
        standing = self.beats.roster.standing(client.connection.player)
        assert standing is not None
        return standing[1]
