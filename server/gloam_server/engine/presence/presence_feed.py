"""The news of presence for the view side: the party, marks, and lines about who joins and leaves."""

from gloam_server.engine.faults.fault_reporter import FaultReporter
from gloam_server.engine.messages import Announce, Away, Marks, Party, Views
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.engine.presence.presence import Presence, PresenceChange, reported_marks
from gloam_server.views.texts.news import concerned_account, news_text
from gloam_server.world.realm.chronicle import RealmEvent
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.view.view import CreatureFlag


class PresenceFeed:
    """Tells the view side what has changed."""

    def __init__(self, dungeon: Dungeon, players: Players, views: Views, reporter: FaultReporter) -> None:
        self._players = players
        self._views = views
        self._reporter = reporter
        self.presence = Presence(dungeon, players)
        self._marks: dict[int, CreatureFlag] = {}

    def publish(self, now_ms: int) -> int | None:
        """Report what is due; return when to look again, None for never."""
        self._update(now_ms)
        marks = {body.number: reported_marks(player) for player, _, body in self._players.in_play()}
        if marks != self._marks:
            self._marks = marks
            self._views.take(Marks(marks))
        return self.presence.look_at_ms()

    def report_arrival(self, player: Player | None, now_ms: int) -> None:
        """Report a player who has just joined before anything that they say or do; usually there is a delay."""
        present = None if player is None else player.attendance.present
        if present is not None and present.now and present.settle_now():
            self._update(now_ms, at_once=True)

    def announce(self, event: RealmEvent, now_ms: int) -> None:
        """Report news of the realm to all players but the one concerned, who sees it in their own view."""
        concerned = concerned_account(event)
        self.report_arrival(self._players.by_account(concerned), now_ms)
        line = ChatLine("", news_text(event))
        lines = {player.account: line for player in self._players.connected() if player.account != concerned}
        self._views.take(Announce(lines, after_view=True))

    def set_away(self, player: Player, *, away: bool, now_ms: int) -> None:
        """Note whether a player is away. Their own view shows it without delay."""
        if away != player.attendance.away.now:
            player.attendance.away.set(now=away, at_ms=now_ms)
            self._views.take(Away(player.account, away))

    def _update(self, now_ms: int, *, at_once: bool = False) -> None:
        """Update the party, and report it to all players if it has changed, with arrivals and departures."""
        before = self.presence.party
        try:
            news = self.presence.update(self._players.in_play(), now_ms, at_once=at_once)
        except Exception as error:  # noqa: BLE001  # all players keep the old party
            self._reporter.report("showing", error)
            return
        if news or self.presence.party is not before:
            self._views.take(Party(self.presence.friends, self.presence.party))
        for change in news:
            self._report(change, at_once=at_once)

    def _report(self, change: PresenceChange, *, at_once: bool) -> None:
        """Report to all players who joined or left; a newcomer reads of what happened after their own arrival.

        The line follows the view that shows the party. Sent `at_once`, a thousand lines would delay the next command.
        """
        to_others, named = ChatLine("", change.message()), {player.name for player in change.players}
        lines: dict[int, ChatLine] = {}
        for player in self._players.connected():
            is_new = player.name in named or not player.attendance.present.reported
            line = ChatLine("", change.message_to(player)) if is_new else to_others
            if line.text:
                lines[player.account] = line
        self._views.take(Announce(lines, after_view=not at_once))
