"""The view side: shows the dungeon to clients. The turn side knows it as `Views`, and sends it messages.

It reads the dungeon, and changes nothing there; `tell` takes its messages to the turn side, which is built later.
"""

from collections.abc import Callable
from typing import Any, Final

from gloam_server.engine import messages
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.publishing.batch_results import BatchResults
from gloam_server.engine.publishing.broadcaster import Broadcaster
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.engine.publishing.client_view import ClientView
from gloam_server.engine.publishing.clients import Clients
from gloam_server.engine.publishing.onlookers import Onlookers
from gloam_server.engine.publishing.questions import answer_of
from gloam_server.engine.publishing.watcher_views import WatcherViews, refuse_acknowledgement
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.gather_time import IN_ONE_PROCESS, RestRule
from gloam_server.net.conversation import Conversation
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Notice
from gloam_shared.protocol.messages.trade import NO_TRADE
from gloam_shared.protocol.registry import FromServer
from gloam_shared.protocol.updates import UpdateWriter


class ViewSide:
    """The connections' views of a realm. `may_show` says whether everything applied is durable; `on_connected` takes a player's new connection.

    `on_detached` is called when a player has lost theirs.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        clock: GameClock,
        statistics: ServerStatistics,
        reporter: FaultReporter,
        may_show: Callable[[], bool],
    ) -> None:
        self.clients: Final = Clients(dungeon)
        self.dungeon: Final = dungeon
        self.clock: Final = clock
        self.statistics: Final = statistics
        self.reporter: Final = reporter
        self.tell: Callable[[messages.ToTurnSide], None] = lambda _: None
        self.rests: RestRule = IN_ONE_PROCESS
        self.on_connected: Callable[[Conversation], None] = lambda _: None
        self.on_detached: Callable[[], None] = lambda: None
        self._results = BatchResults(dungeon, self.clients, self._failed)
        self.broadcaster: Final = Broadcaster(self.clients, statistics, self._pass_on, self._failed)
        self._onlookers = Onlookers(self.clients, self.broadcaster, clock, may_show, self.report_unshowable)
        self._watchers: Final = WatcherViews(
            dungeon, self.clients, self.broadcaster, clock, reporter, self._pass_on
        )
        self._banner = ""
        self._unshowable: list[ClientState] = []
        self._handlers: Final[dict[type, Callable[[Any], None]]] = {
            messages.Connected: self._connect,
            messages.Attached: self._attach,
            messages.Detached: self._detach,
            messages.Forgotten: lambda each: self.clients.forget(each.account),
            messages.Fallen: self._show_end,
            messages.Answered: self._note_answered,
            messages.Lines: lambda each: self._results.add_lines([each]),
            messages.Say: self._say,
            messages.SayAll: lambda each: self._broadcast(each.message),
            messages.Announce: self._announce,
            messages.Banner: self._set_banner,
            messages.Party: lambda each: self.broadcaster.take_party(each, clock.now_ms()),
            messages.Marks: self.broadcaster.take_marks,
            messages.Away: self._note_away,
            messages.Watches: self._watchers.watch,
            messages.Checked: self._check,
            messages.Ended: self._end,
            messages.HangUp: self._hang_up,
            messages.Asked: self._answer,
        }

    def take(self, message: messages.ToViewSide) -> None:
        """Carry out a message of the turn side."""
        self._handlers[type(message)](message)

    def show(self, batch: messages.Durable, now_ms: int) -> None:
        """Take the results of a durable batch: log lines, ended lives, stale views. Messages of its inputs follow."""
        self._results.collect(batch, now_ms)

    def publish(self, now_ms: int) -> None:
        """Send the views that do not wait."""
        self.broadcaster.publish(now_ms)

    def show_onlookers(self, worked_us: int) -> None:
        """Send the views that others' actions have changed, in slices, as far as there is time after the other side's work."""
        self._onlookers.show(worked_us)

    def report_unshowable(self) -> None:
        """Tell the turn side which players' views could not be made since the last call."""
        unshowable, self._unshowable = self._unshowable, []
        for client in unshowable:
            self.tell(messages.Unshowable(client.account))

    def stop(self) -> None:
        """Send nothing more by time."""
        self._onlookers.cancel()

    def open(self, connection: Conversation) -> None:
        """Take in a connection: messages by its number reach it until it closes."""
        self.clients.conversations[connection.number] = connection

    def close(self, connection: Conversation) -> None:
        """Forget a connection that has closed."""
        self.clients.conversations.pop(connection.number, None)
        self._watchers.close(connection)

    def forget_elsewhere(self) -> None:
        """Forget which players other view processes have: a new turn process tells it again."""
        for client in self.clients.all():
            client.elsewhere = False

    def acknowledge(self, connection: Conversation, patch: int) -> bool:
        """Take the acknowledgement of an update by a player or a watcher; an invalid one ends the connection."""
        client = self.clients.by_account(connection.player)
        if client is None or client.connection is not connection:
            return self._watchers.acknowledge(connection, patch)
        view = client.view
        if view is None:
            return True
        had_credit = view.has_credit()
        if not view.acknowledge(patch):
            return refuse_acknowledgement(connection)
        if client.unproved and patch:
            client.unproved = False
            self.tell(messages.Proved(client.account))
        if not had_credit and client.stale:
            self.tell(messages.Room(client.account))
        return True

    def resume(self, connection: Conversation) -> None:
        """Handle free room in a connection's buffer: waiting updates may be sent."""
        client = self._client_of(connection)
        if client is not None and client.stale:
            self.tell(messages.Room(client.account))

    def refresh(self, connection: Conversation) -> None:
        """Send the whole view again."""
        self._watchers.refresh(connection)
        client = self._client_of(connection)
        if client is not None and client.view is not None:
            client.view.reset()
            client.needs_update = True
            self.tell(messages.Room(client.account))

    def _client_of(self, connection: Conversation) -> ClientState | None:
        """Return the client of a player's present connection."""
        client = self.clients.by_account(connection.player)
        return client if client is not None and client.connection is connection else None

    def _pass_on(self, message: messages.ToTurnSide) -> None:
        self.tell(message)

    def _failed(self, client: ClientState | None, error: Exception) -> None:
        """Report a failed view; its player is disconnected after all others have theirs."""
        self.reporter.report("showing" if client is None else f"showing to {client.name}", error)
        if client is not None:
            self._unshowable.append(client)

    def _connect(self, message: messages.Connected) -> None:
        client = self.clients.get_or_add(message.account, message.name)
        former = client.connection
        connection = client.connection = self.clients.conversations.get(message.connection)
        if (
            former is None or former is not connection
        ):  # else another turn process has taken the player in again
            client.view = None
        client.unproved, client.elsewhere = message.unproved, connection is None
        self.clients.note_connection()
        if connection is None:
            return
        connection.player = message.account
        self.on_connected(connection)
        if self._banner:
            connection.send(Notice(self._banner))

    def _attach(self, message: messages.Attached) -> None:
        """Start play: the next update is a whole view. After a life on the same connection its acknowledgements continue."""
        client = self.clients.by_account(message.account)
        if client is None or client.connection is None:
            return
        connection, former = client.connection, client.view
        client.view = ClientView(message.body, UpdateWriter(connection.abilities))
        if former is not None:
            client.view.writer.patch, client.view.acknowledged = former.writer.patch, former.acknowledged
        self.clients.note_connection()
        client.answered, client.waiting = message.answered, 0
        client.needs_update = True
        client.sent_trade = NO_TRADE
        connection.joined(client.name, message.answered, message.life, *message.kits, beacons=message.beacons)

    def _detach(self, message: messages.Detached) -> None:
        client = self.clients.by_account(message.account)
        if client is not None:
            client.disconnect()
            self.clients.note_connection()
            self.on_detached()

    def _show_end(self, message: messages.Fallen) -> None:
        client = self.clients.by_account(message.death.account)
        if client is not None and client.connection is not None:
            client.connection.joined(client.name, message.death.command, message.life)
            self._results.end_life(client, message.death)

    def _note_answered(self, message: messages.Answered) -> None:
        client = self.clients.by_account(message.account)
        if client is not None:
            client.answered, client.waiting = message.answered, message.waiting

    def _note_away(self, message: messages.Away) -> None:
        client = self.clients.by_account(message.account)
        if client is not None:
            client.away = message.away

    def _check(self, message: messages.Checked) -> None:
        connection = self.clients.conversations.get(message.connection)
        if connection is not None:
            connection.login_checked(message.refusal)

    def _end(self, message: messages.Ended) -> None:
        connection = self.clients.conversations.get(message.connection)
        if connection is not None:
            connection.end(message.code, message.words)

    def _hang_up(self, message: messages.HangUp) -> None:
        connection = self.clients.conversations.get(message.connection)
        if connection is not None:
            connection.close()

    def _answer(self, message: messages.Asked) -> None:
        connection = self.clients.conversations.get(message.connection)
        if connection is not None:
            connection.send(answer_of(self.dungeon, connection.player, message.question))

    def _say(self, message: messages.Say) -> None:
        connection = self.clients.conversations.get(message.connection)
        if connection is None:
            return
        if isinstance(message.message, bytes):
            connection.send_framed(message.message)
        else:
            connection.send(message.message)

    def _broadcast(self, message: FromServer) -> None:
        """Send one message to all connected players; it is encoded once."""
        framed = frame(encode(message))
        for client in self.clients.connected():
            if client.connection is not None:
                client.connection.send_framed(framed)

    def _announce(self, message: messages.Announce) -> None:
        owed = self._stale_players() if message.after_view else frozenset()
        for account, line in message.lines.items():
            client = self.clients.by_account(account)
            if client is not None:
                _tell(client, line, with_view=account in owed)

    def _stale_players(self) -> set[int]:
        """Return the accounts of the players in play who are owed a view."""
        return {client.account for client, *_ in self.clients.shown_here() if client.stale}

    def _set_banner(self, message: messages.Banner) -> None:
        if message.text != self._banner:
            self._banner = message.text
            self._broadcast(Notice(message.text))


def _tell(client: ClientState, line: ChatLine, *, with_view: bool) -> None:
    """Send a player a line: after their next view, or now."""
    if with_view:
        client.pending_chat.append(line)
    elif client.connection is not None:
        client.connection.send(line)
