"""The turn process's end of its links: to the turn side they are the view side, and to the gateway each is a front.

A message goes to the view process that has the connection or the player, or to all of them. A view process that begins late
gets what the others know already.
"""

import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from gloam_server.engine import messages
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.messages import ToTurnSide, ToViewSide
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.engine.timing.gather_time import WITH_VIEW_PROCESSES, RestRule
from gloam_server.gateway.front import Requests
from gloam_server.link.addresses import address_from_link
from gloam_server.link.link_messages import (
    Alive,
    Closed,
    Closing,
    Code,
    Complete,
    Counts,
    DurableBatch,
    DurableRecord,
    Encoded,
    Flooded,
    FromConnection,
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
    Resumed,
    Setup,
    Stop,
    ToViewProcess,
    decode_to_turns,
    encode,
)
from gloam_server.link.link_socket import Peer
from gloam_server.net.conversation import FAULT
from gloam_server.sessions.effects import BanForFlood, Close
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol import codec
from gloam_shared.protocol.messages.login import Bye, Error, ResumeToken

_SERIAL_BITS: Final = 32
"""The bits of a connection's number that its view process counts; above them is the number of its link."""
_EPOCH_BITS: Final = 16
"""The bits of a link's number that a turn process counts; above them is the number of takeovers before it."""
_log: Final = logging.getLogger(__name__)


def epoch_of(first: int) -> int:
    """Return how many turn processes died before the one that gave a link's connections the numbers from `first`."""
    return first >> (_SERIAL_BITS + _EPOCH_BITS)


class Callers(Requests, Protocol):
    """The gateway, as the links know it."""

    def resumed(self, number: int, account: int, name: str, abilities: frozenset[str]) -> None:
        """Take in a player of the turn process before, on a connection that has just been opened here."""


class ViewLinks:
    """The view side of a turn process: all view processes that follow its dungeon."""

    def __init__(self, dungeon: Dungeon, reporter: FaultReporter, epoch: int = 0) -> None:
        self.dungeon: Final = dungeon
        self.reporter: Final = reporter
        self.tell: Callable[[ToTurnSide], None] = lambda _: None
        self.rests: RestRule = WITH_VIEW_PROCESSES
        self.requests: Callers
        self.when_durable: Callable[[Callable[[], None]], None]
        self.on_change: Callable[[], None] = lambda: None
        self._serial = epoch << _EPOCH_BITS
        self._links: dict[int, ViewLink] = {}
        self._connected: dict[int, messages.Connected] = {}
        self._kept: dict[type, ToViewSide] = {}
        self._away: dict[int, messages.Away] = {}
        self._closed: set[int] = set()
        self._unpublished = False
        self._handlers: Final[dict[type, Callable[[Any], None]]] = {
            messages.Connected: self._connect,
            messages.Detached: self._detach,
            messages.Away: self._note_away,
            messages.Announce: self._announce,
            messages.Say: self._say,
            **dict.fromkeys((messages.Party, messages.Marks, messages.Banner), self._keep),
            **dict.fromkeys((messages.Forgotten, messages.Lines, messages.SayAll), self._send_all),
            **dict.fromkeys(
                (messages.Checked, messages.Ended, messages.HangUp, messages.Asked, messages.Watches),
                lambda each: self._send_to(each.connection, each),
            ),
            **dict.fromkeys(
                (messages.Attached, messages.Answered), lambda each: self._send_to_player(each.account, each)
            ),
            messages.Fallen: lambda each: self._send_to_player(each.death.account, each),
        }

    def take(self, message: ToViewSide) -> None:
        """Carry out a message."""
        self._unpublished = True
        self._handlers[type(message)](message)

    def show(self, batch: messages.Durable, now_ms: int) -> None:  # noqa: ARG002  # each view process has its own clock
        """Send a durable batch to all view processes."""
        self._unpublished = True
        if not self._links:
            return
        self._send_all(
            DurableBatch(
                [
                    DurableRecord(each.partition, each.sequence, each.body, each.digest, each.state_hash)
                    for each in batch.records
                ],
                batch.batch.opened,
                batch.acted,
                batch.lines,
                batch.hidden,
            )
        )

    def publish(self, now_ms: int) -> None:  # noqa: ARG002  # as above
        """Let the view processes send the views that do not wait."""
        if self._closed != self.dungeon.closed:
            self._send_all(LevelsClosed(tuple(sorted(self.dungeon.closed - self._closed))))
            self._closed = set(self.dungeon.closed)
            self._unpublished = True
        if self._unpublished:
            self._unpublished = False
            self._send_all(Publish())

    def show_onlookers(self, worked_us: int) -> None:
        """Do nothing: each view process has its own time for onlookers."""

    def report_unshowable(self) -> None:
        """Do nothing: each view process reports its own."""

    def stop(self) -> None:
        """Do nothing: the last batch may still be shown. `end` stops the view processes."""

    def end(self) -> None:
        """Stop all view processes."""
        for link in list(self._links.values()):
            link.send(Stop())
            link.peer.close()

    def reload(self) -> None:
        """Let all view processes read the certificate's files again."""
        self._send_all(Reload())

    def accept(self, peer: Peer, code: Code, setup: Callable[[int], Setup]) -> "ViewLink":
        """Return this end of a new link. `setup` makes what the view process needs, from the number of its first connection."""
        self._serial += 1
        return ViewLink(self, peer, code, setup, self._serial)

    def begin(self, link: "ViewLink", setup: Setup) -> None:
        """Send a view process the whole dungeon, in which everything is durable, and what the others know."""
        link.send(setup)
        for partition in self.dungeon.partitions():
            link.send(PartitionState(partition, self.dungeon.serialize(partition)))
        link.send(Complete(tuple(sorted(self.dungeon.closed))))
        for message in (*self._connected.values(), *self._away.values(), *self._kept.values()):
            link.send(message)
        link.send(Publish())
        self._links[link.serial] = link
        self.on_change()

    def alive(self) -> None:
        """Tell the standby that this process goes on."""
        for link in self._links.values():
            if link.is_standby:
                link.send(Alive())

    def claim_serial(self, link: "ViewLink", serial: int) -> None:
        """Give a view process the number of the link that it lost, so that its connections keep theirs. Raises LinkError."""
        if serial in self._links:
            raise LinkError(f"A link came back with the number {serial}, which another link has.")
        link.serial = serial

    def forget(self, link: "ViewLink") -> None:
        """Forget a view process that is gone."""
        if self._links.pop(link.serial, None) is not None:
            self.on_change()

    def links(self) -> "list[ViewLink]":
        """Return the links of the view processes that follow the dungeon."""
        return list(self._links.values())

    def _connect(self, message: messages.Connected) -> None:
        self._connected[message.account] = message
        self._send_all(message)

    def _detach(self, message: messages.Detached) -> None:
        self._connected.pop(message.account, None)
        self._send_all(message)

    def _note_away(self, message: messages.Away) -> None:
        self._away.pop(message.account, None)
        if message.away:
            self._away[message.account] = message
        self._send_all(message)

    def _keep(self, message: ToViewSide) -> None:
        self._kept[type(message)] = message
        self._send_all(message)

    def _say(self, message: messages.Say) -> None:
        if isinstance(message.message, bytes | Error | Bye | ResumeToken):
            self._send_to(message.connection, message)
        else:
            self._send_to(message.connection, Encoded(message.connection, codec.encode(message.message)))

    def _announce(self, message: messages.Announce) -> None:
        by_link: dict[int, dict[int, Any]] = {}
        for account, line in message.lines.items():
            connected = self._connected.get(account)
            if connected is not None:
                by_link.setdefault(connected.connection >> _SERIAL_BITS, {})[account] = line
        for serial, lines in by_link.items():
            if serial in self._links:
                self._links[serial].send(messages.Announce(lines, message.after_view))

    def _send_to_player(self, account: int, message: ToViewSide) -> None:
        connected = self._connected.get(account)
        if connected is not None:
            self._send_to(connected.connection, message)

    def _send_to(self, connection: int, message: ToViewProcess) -> None:
        link = self._links.get(connection >> _SERIAL_BITS)
        if link is not None:
            link.send(message)

    def _send_all(self, message: ToViewProcess) -> None:
        if self._links:
            body = encode(message)
            for link in self._links.values():
                link.peer.send(body)


class ViewLink:
    """The link to one view process, and its open connections."""

    def __init__(
        self, links: ViewLinks, peer: Peer, code: Code, setup: Callable[[int], Setup], serial: int
    ) -> None:
        self._links = links
        self.peer: Final = peer
        self._code = code
        self._setup = setup
        self.serial = serial
        self.view_number = 0
        self.process = 0
        self.is_ready = False
        self.is_standby = False
        self._is_greeted = False
        self.counts = ViewCounts()
        self.connections: dict[int, None] = {}
        self._lost = False

    def send(self, message: ToViewProcess) -> None:
        """Send a message."""
        self.peer.send(encode(message))

    def receive(self, body: bytes) -> None:
        """Take a message of the view process. Raises LinkError."""
        message = decode_to_turns(body)
        if isinstance(message, Hello):
            self._greet(message)
            return
        connection = getattr(message, "connection", 0)
        try:
            self._carry_out(message)
        except LinkError:
            raise
        except Exception as error:  # noqa: BLE001  # as in one process: it costs one connection, and no other
            self._links.reporter.report(f"a message of connection {connection}", error)
            if connection:
                self._links.take(messages.Ended(connection, "fault", FAULT))
                self._links.take(messages.HangUp(connection))

    def lost(self) -> None:
        """Close the connections of a view process that is gone."""
        self._lost = True
        self._links.forget(self)
        self._close(list(self.connections))

    def _greet(self, hello: Hello) -> None:
        if self._is_greeted:
            raise LinkError("A view process said hello twice.")
        self._is_greeted = True
        if not hello.code.agrees_with(self._code):
            self.send(Refused(_explain(self._code, hello.code)))
            self.peer.close()
            return
        self.view_number, self.process = hello.view_number, hello.process
        self.is_standby = not hello.view_number
        if hello.serial:
            self._links.claim_serial(self, hello.serial)
        setup = self._setup((self.serial << _SERIAL_BITS) + 1)
        self._links.when_durable(lambda: None if self._lost else self._links.begin(self, setup))

    def _carry_out(self, message: FromConnection | Ready | Counts | ToTurnSide) -> None:
        if isinstance(message, Ready):
            self.is_ready = True
            self._links.on_change()
        elif isinstance(message, Counts):
            self.counts = message.counts
        elif not isinstance(message, FromConnection):
            self._links.tell(message)
        elif isinstance(message, Opened):
            self._open(message)
        elif message.connection in self.connections:  # else it is closed by now
            self._ask(message)

    def _open(self, message: Opened) -> None:
        connection = message.connection
        if connection >> _SERIAL_BITS != self.serial:
            raise LinkError(f"A connection came with the number {connection} of another link.")
        self.connections[connection] = None
        self._links.requests.opened(connection, address_from_link(message.address), message.status)

    def _ask(self, message: Closed | LogIn | Request | Flooded | Closing | Resumed) -> None:
        requests = self._links.requests
        match message:
            case Closed(connection):
                self._close([connection])
            case LogIn(connection, request, abilities):
                requests.log_in(connection, request, abilities)
            case Resumed(connection, account, name, abilities):
                requests.resumed(connection, account, name, abilities)
            case Request(connection, asked):
                requests.ask(connection, asked)
            case Flooded(connection):
                requests.ask(connection, BanForFlood())
            case Closing(connection):
                requests.ask(connection, Close())

    def _close(self, connections: Iterable[int]) -> None:
        for connection in connections:
            del self.connections[connection]
            self._links.requests.closed(connection)


def _explain(own: Code, other: Code) -> str:
    return (
        f"the view process has other code than the turn process ({own.differences(other)} differ); start the server again, so "
        "that all of its processes are of one version"
    )
