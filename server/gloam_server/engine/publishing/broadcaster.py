"""Publishing: after a batch is durable, each player gets their update; acknowledgements set the rate."""

from collections.abc import Callable, Iterable, Sequence

from gloam_server.autopilot.plans import points_of_interest
from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.messages import Durable, Lines, Shown
from gloam_server.engine.player import Player
from gloam_server.engine.players import PlayerInPlay, Players, reported_marks
from gloam_server.engine.presence import Presence, PresenceChange, marks_for
from gloam_server.engine.publishing.client_view import ClientView
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.engine.timing.gather_time import party_gather_ms
from gloam_server.net.conversation import Conversation
from gloam_server.views.level_records import LevelRecords
from gloam_server.views.projection import project
from gloam_server.views.texts.life_recap import life_recap, recent_wounds
from gloam_server.views.texts.life_summaries import death_summary
from gloam_server.views.texts.narration import append_lines, lines_of
from gloam_server.views.texts.news import concerned_account, news_text
from gloam_server.views.trade_view import trade_state
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import DamageDealt, Narration, PlayerDied
from gloam_server.world.model.level import Level
from gloam_server.world.realm.chronicle import RealmEvent
from gloam_server.world.transition.dungeon import Batch, Dungeon
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Notice
from gloam_shared.protocol.messages.play import Answer, Update
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import CreatureFlag, Friend, Log, LogLine, View


class Broadcaster:
    """Turns events and state into each connected player's messages.

    An internal error costs only one player their view.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        players: Players,
        statistics: ServerStatistics,
        reporter: FaultReporter,
        shown: Callable[[Shown], None],
    ) -> None:
        self._dungeon = dungeon
        self._players = players
        self._statistics = statistics
        self._reporter = reporter
        self._shown = shown
        self.presence = Presence(dungeon, players)
        self._banner = ""
        self._unshowable: list[Player] = []
        self._records: dict[int, LevelRecords] = {}
        self._marks: dict[int, CreatureFlag] = {}

    def take_unshowable(self) -> list[Player]:
        """Return the players whose view has failed since the last call."""
        unshowable, self._unshowable = self._unshowable, []
        return unshowable

    def add_lines(self, told: Iterable[Lines]) -> None:
        """Add log lines that no event has to their players' logs."""
        for each in told:
            player = self._players.by_account(each.account)
            if player is not None:
                player.client.log = append_lines(player.client.log, list(each.lines))

    def collect_events(self, durable: Durable, now_ms: int) -> None:
        """Collect the results of a durable batch: log lines, ended lives, stale views."""
        batch, acted = durable.batch, durable.acted
        self.add_lines(durable.lines)
        lines = self._lines(batch)
        self._note_wounds(batch)
        changed = batch.changed_levels()
        for death in batch.deaths:
            try:
                self._publish_death(death, lines.get(death.number, []), now_ms)
            except Exception as error:  # noqa: BLE001  # the other players still get their updates
                self._failed(self._players.by_account(death.account), error)
        for player, level, body in self._players.in_play():
            if body.number in lines:
                player.client.log = append_lines(player.client.log, lines[body.number])
            player.client.needs_update = player.client.needs_update or level.place in changed
            player.client.has_own_news = player.client.has_own_news or body.number in acted
        for event in batch.news:
            self.report_arrival(self._players.by_account(concerned_account(event)), now_ms)
            self._announce(event)

    def _announce(self, event: RealmEvent) -> None:
        """Send news to all other players; a player whose next view must show it first gets it after that."""
        said = ChatLine("", news_text(event))
        knows = concerned_account(event)
        shown = self._stale_players()
        for player in self._players.connected():
            if player.account != knows:
                _say(player, said, with_view=player.account in shown)

    def _stale_players(self) -> set[int]:
        """Return the accounts of the players in play who are owed a view."""
        return {
            player.account
            for player, *_ in self._players.in_play()
            if player.client.view is not None and player.client.stale
        }

    def _lines(self, batch: Batch) -> dict[int, list[LogLine]]:
        """Return the log lines of the events for each witness."""
        lines: dict[int, list[LogLine]] = {}
        for _, event in batch.events:
            if not isinstance(event, Narration):
                continue
            try:
                for witness, line in lines_of(event):
                    if event.kind != "challenges" or not self._is_hidden(event.actor, witness):
                        lines.setdefault(witness, []).append(line)
            except Exception as error:  # noqa: BLE001  # one event is missing in the logs
                self._failed(None, error)
        return lines

    def _note_wounds(self, batch: Batch) -> None:
        """Remember the newest damage to each player's body, for the recap of a life that ends."""
        wounds: dict[int, list[DamageDealt]] = {}
        for _, event in batch.events:
            if isinstance(event, DamageDealt):
                wounds.setdefault(event.victim, []).append(event)
        if not wounds:
            return
        accounts = {body.number: body.account for _, _, body in self._players.in_play()}
        accounts.update((death.number, death.account) for death in batch.deaths)
        for number, new in wounds.items():
            player = self._players.by_account(accounts.get(number, 0))
            if player is not None:
                player.client.wounds = recent_wounds(player.client.wounds, new)

    def _is_hidden(self, challenger: int, witness: int) -> bool:
        """Return whether the witness of a challenge to a duel blocks the challenger; both are numbers of bodies."""
        players = {body.number: player for player, _, body in self._players.in_play()}
        asks, hears = players.get(challenger), players.get(witness)
        return asks is not None and hears is not None and hears.audience.blocks(asks.account)

    def publish(self, now_ms: int) -> int | None:
        """Send the views that do not wait: views of players who acted, and whole ones. Return when to look again."""
        standing = self._players.in_play()
        self._update_party(standing, now_ms)
        self._marks = marks_on_level(standing)
        for each in standing:
            client = each[0].client
            if client.view is not None and client.stale and (client.has_own_news or client.view.whole):
                self.publish_to(each, now_ms)
        return self.presence.look_at_ms()

    def publish_to(self, standing: PlayerInPlay, now_ms: int) -> None:
        """Send a player in play their view, if their client keeps up."""
        try:
            self._publish_to(standing, now_ms)
        except Exception as error:  # noqa: BLE001  # one view that fails must not cost the others theirs
            self._failed(standing[0], error)

    def report_arrival(self, player: Player | None, now_ms: int) -> None:
        """Report a player who has just joined before anything that they say or do; usually there is a delay."""
        present = None if player is None else player.attendance.present
        if present is not None and present.now and present.settle_now():
            self._update_party(self._players.in_play(), now_ms, at_once=True)

    def _update_party(self, standing: Sequence[PlayerInPlay], now_ms: int, *, at_once: bool = False) -> None:
        """Send the party to all players if it has changed, and report arrivals and departures."""
        before = self.presence.party
        try:
            news = self.presence.update(standing, now_ms, at_once=at_once)
        except Exception as error:  # noqa: BLE001  # all players keep the old party
            self._failed(None, error)
            return
        if news or self.presence.party is not before:
            for player in self._players.connected():
                if player.client.party_stale_ms is None:
                    player.client.party_stale_ms = now_ms
        for change in news:
            self._report(change, at_once=at_once)

    def _report(self, change: PresenceChange, *, at_once: bool) -> None:
        """Report to all players who joined or left; a newcomer reads of what happened after their own arrival.

        The line follows the view that shows the party. Sent `at_once`, a thousand lines would delay the next command.
        """
        to_others, named = ChatLine("", change.message()), {player.name for player in change.players}
        shown = set[int]() if at_once else self._stale_players()
        for player in self._players.connected():
            is_new = player.name in named or not player.attendance.present.reported
            said = ChatLine("", change.message_to(player)) if is_new else to_others
            if said.text:
                _say(player, said, with_view=player.account in shown)

    def view(
        self, standing: PlayerInPlay, marks: dict[int, CreatureFlag], party: tuple[Friend, ...] | None = None
    ) -> View:
        """Return the view of a player in play: with the present party, or with this one."""
        player, level, body = standing
        marks_of_all = marks_for(player, body, marks)
        return project(
            level,
            body,
            marks=marks_of_all,
            party=self.presence.party_for(player, standing) if party is None else party,
            log=player.client.log,
            records=self._shared_records(level, marks),
            kept=player.client.shown,
        )

    def _shared_records(self, level: Level, marks: dict[int, CreatureFlag]) -> LevelRecords:
        """Return a level's records for all its viewers."""
        records = self._records.get(level.place)
        if records is None or records.level is not level:  # a fault may have replaced the level
            records = self._records[level.place] = LevelRecords(level)
        records.refresh(marks)
        return records

    def answer(self, refusals: Iterable[tuple[Player, Answer]]) -> None:
        """Send the answers to commands that ended without a turn."""
        for player, answer in refusals:
            if player.connection is not None:
                player.connection.send(answer)

    def set_banner(self, text: str) -> None:
        """Show all players a banner, or remove it with an empty text."""
        if text != self._banner:
            self._banner = text
            self.broadcast(Notice(text))

    def send_banner(self, connection: Conversation) -> None:
        """Send a new connection the present banner, if there is one."""
        if self._banner:
            connection.send(Notice(self._banner))

    def broadcast(self, message: FromServer) -> None:
        """Send one message to all connected players; it is encoded once."""
        framed = frame(encode(message))
        for player in self._players.connected():
            if player.connection is not None:
                player.connection.send_framed(framed)

    def _failed(self, player: Player | None, error: Exception) -> None:
        """Report a failed view; its player is disconnected after all others have theirs."""
        self._reporter.report("showing" if player is None else f"showing to {player.name}", error)
        if player is not None:
            self._unshowable.append(player)

    def _publish_to(self, standing: PlayerInPlay, now_ms: int) -> None:
        player, level, body = standing
        seat, connection = player.client.view, player.connection
        if seat is None or connection is None:
            return
        seat.paused = connection.paused
        if not seat.has_credit():
            return
        sent = seat.writer.sent_view
        party_waits = not seat.whole and self._party_waits(player, now_ms)
        view = self.view(standing, self._marks, sent.party if party_waits else None)
        if view.items != sent.items or view.terrain != sent.terrain:
            self._shown(Shown(player.account, points_of_interest(view)))
        update = seat.update(view, player.turns.done(body.command), now_ms, carried_out=body.command)
        player.client.needs_update = player.client.has_own_news = False
        if not party_waits:
            player.client.party_stale_ms = None
        if update is not None:
            self._statistics.patches += 1
            _send_patch(connection, seat, update, now_ms)
        if level.state.trades or player.client.sent_trade.name:
            _send_trade(connection, player, level, body)
        for said in player.client.pending_chat:
            connection.send(said)
        player.client.pending_chat.clear()

    def _party_waits(self, player: Player, now_ms: int) -> bool:
        """Return whether changes of the party are not shown yet: in a large one, each update would hold some."""
        stale_ms = player.client.party_stale_ms
        gather_ms = party_gather_ms(len(self.presence.party))
        return gather_ms > 0 and (stale_ms is None or now_ms < stale_ms + gather_ms)

    def _publish_death(self, death: PlayerDied, lines: list[LogLine], now_ms: int) -> None:
        """Send a player the turn that ended their life, and its summary."""
        player = self._players.by_account(death.account)
        if player is None:
            return
        player.client.sent_pace = None
        log, player.client.log = append_lines(player.client.log, lines), Log()
        if player.connection is None:
            return
        if player.client.view is not None:
            update = player.client.view.final_update(log, max(death.command, player.turns.answered))
            _send_patch(player.connection, player.client.view, update, now_ms)
        else:  # the body died before its new player got a view
            life = self._dungeon.realm.born.get(death.account, 0)
            player.connection.joined(player.name, death.command, life)
        send_end_of_life(self._dungeon, player, death)


def send_end_of_life(dungeon: Dungeon, player: Player, fallen: PlayerDied) -> None:
    """Send a connected player the summary of the life that is over, and what they can learn from it."""
    if player.connection is None:
        return
    killer = dungeon.realm.fame.named.get(fallen.killer)
    player.connection.send(death_summary(dungeon.campaign, fallen, killer))
    if "recap" in player.connection.abilities:
        level = dungeon.levels.get(fallen.place)
        player.connection.send(
            life_recap(dungeon.campaign, dungeon.realm, level, fallen, player.client.wounds)
        )


def _say(player: Player, said: ChatLine, *, with_view: bool) -> None:
    """Send a player a line: after their next view, or now."""
    if with_view:
        player.client.pending_chat.append(said)
    elif player.connection is not None:
        player.connection.send(said)


def _send_patch(connection: Conversation, seat: ClientView, update: Update, now_ms: int) -> None:
    connection.send(update)
    connection.patch_sent(seat.patch, now_ms)


def _send_trade(connection: Conversation, player: Player, level: Level, body: Creature) -> None:
    """Send a player their trade if it has changed; an older client has none."""
    trade = trade_state(level, body)
    if trade != player.client.sent_trade and "trade" in connection.abilities:
        player.client.sent_trade = trade
        connection.send(trade)


def marks_on_level(standing: Iterable[PlayerInPlay]) -> dict[int, CreatureFlag]:
    """Return the marks that others see on the bodies of players in play."""
    return {body.number: reported_marks(player) for player, _, body in standing}
