"""Publishing: each player gets the views of their own turns immediately; acknowledgements set the rate."""

from collections.abc import Callable

from gloam_server.autopilot.landmarks import points_of_interest
from gloam_server.engine.messages import Marks, Party, Shown
from gloam_server.engine.publishing.batch_results import Failed, send_patch
from gloam_server.engine.publishing.client_state import ClientState
from gloam_server.engine.publishing.clients import ClientInPlay, Clients
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.gather_time import party_gather_ms
from gloam_server.net.conversation import Conversation
from gloam_server.views.party_view import friend_of, sorted_by_name
from gloam_server.views.projection import RecordsOfLevels, project
from gloam_server.views.trade_view import trade_state
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.view.view import CreatureFlag, Friend, View

_NO_MARK = CreatureFlag(0)


class Broadcaster:
    """Makes and sends the views of players. An internal error costs only one player their view."""

    def __init__(
        self,
        clients: Clients,
        statistics: ServerStatistics,
        shown: Callable[[Shown], None],
        failed: Failed,
    ) -> None:
        self._clients = clients
        self._statistics = statistics
        self._shown = shown
        self._failed = failed
        self._records = RecordsOfLevels()
        self.marks: dict[int, CreatureFlag] = {}
        self.party = Party({}, ())

    def take_marks(self, message: Marks) -> None:
        """Show these marks from now on."""
        self.marks = message.marks

    def take_party(self, message: Party, now_ms: int) -> None:
        """Show this party from now on: what each client has of it is stale."""
        self.party = message
        for client in self._clients.connected():
            if client.party_stale_ms is None:
                client.party_stale_ms = now_ms

    def publish(self, now_ms: int) -> None:
        """Send the views that do not wait: views of players who acted, and whole ones."""
        for each in self._clients.shown_here():  # after each batch, and few of a crowd have acted
            client = each[0]
            view = client.view
            if view is not None and (client.has_own_news or view.whole) and client.stale:
                self.publish_to(each, now_ms)

    def publish_to(self, in_play: ClientInPlay, now_ms: int) -> None:
        """Send a player in play their view, if their client keeps up."""
        try:
            self._publish_to(in_play, now_ms)
        except Exception as error:  # noqa: BLE001  # one view that fails must not cost the others theirs
            self._failed(in_play[0], error)

    def view(self, in_play: ClientInPlay, party: tuple[Friend, ...] | None = None) -> View:
        """Return the view of a player in play: with the present party, or with this one."""
        client, level, body = in_play
        own = CreatureFlag.AWAY if client.away else _NO_MARK
        marks = self.marks if self.marks.get(body.number) == own else {**self.marks, body.number: own}
        return project(
            level,
            body,
            marks=marks,
            party=self._party_for(in_play, own) if party is None else party,
            log=client.log,
            records=self._records.of(level, self.marks),
            kept=client.shown,
        )

    def _party_for(self, in_play: ClientInPlay, mark: CreatureFlag) -> tuple[Friend, ...]:
        """Return the party for one of its players; their own state is without delay."""
        client, level, body = in_play
        own = friend_of(client.name, level, body, mark)
        if self.party.friends.get(client.account) == own:
            return self.party.party
        return sorted_by_name([*(each for each in self.party.party if each.name != client.name), own])

    def _publish_to(self, in_play: ClientInPlay, now_ms: int) -> None:
        client, level, body = in_play
        seat, connection = client.view, client.connection
        if seat is None or connection is None:
            return
        seat.paused = connection.paused
        if not seat.has_credit():
            return
        sent = seat.writer.sent_view
        party_waits = not seat.whole and self._party_waits(client, now_ms)
        view = self.view(in_play, sent.party if party_waits else None)
        if view.items != sent.items or view.terrain != sent.terrain:
            self._shown(Shown(client.account, points_of_interest(view)))
        update = seat.update(view, client.done(body.command), now_ms, carried_out=body.command)
        client.needs_update = client.has_own_news = False
        if not party_waits:
            client.party_stale_ms = None
        if update is not None:
            self._statistics.patches += 1
            send_patch(connection, seat, update, now_ms)
        if level.state.trades or client.sent_trade.name:
            _send_trade(connection, client, level, body)
        for said in client.pending_chat:
            connection.send(said)
        client.pending_chat.clear()

    def _party_waits(self, client: ClientState, now_ms: int) -> bool:
        """Return whether changes of the party are not shown yet: in a large one, each update would hold some."""
        stale_ms = client.party_stale_ms
        gather_ms = party_gather_ms(len(self.party.party))
        return gather_ms > 0 and (stale_ms is None or now_ms < stale_ms + gather_ms)


def _send_trade(connection: Conversation, client: ClientState, level: Level, body: Creature) -> None:
    """Send a player their trade if it has changed; an older client has none."""
    trade = trade_state(level, body)
    if trade != client.sent_trade and "trade" in connection.abilities:
        client.sent_trade = trade
        connection.send(trade)
