"""Chat and pings between players: sent at once, never written into the journal."""

from collections.abc import Callable

from gloam_server.autopilot.interruptions import is_addressed, is_urgent
from gloam_server.engine.broadcaster import Broadcaster
from gloam_server.engine.game_loop import GameLoop
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_shared.protocol.messages import ChatLine, MapPing, MapPinged, SendChat


class Chat:
    """Passes on chat and pings. A player's plan stops if the player is named or urgently pinged."""

    def __init__(
        self, players: Players, scheduler: TurnScheduler, broadcaster: Broadcaster, loop: GameLoop
    ) -> None:
        self._players = players
        self._scheduler = scheduler
        self._broadcaster = broadcaster
        self._loop = loop

    def deliver(self, player: Player, spoken: SendChat | MapPing) -> None:
        """Send a player's chat line or ping to all players."""
        match spoken:
            case SendChat(words):
                self._say(player, words)
            case MapPing():
                self._ping(player, spoken)
        self._broadcaster.answer(self._scheduler.take_refusals())
        self._loop.wake()

    def _say(self, player: Player, words: str) -> None:
        """Send a player's chat line to all players; it stops the plans of players that it names."""
        self._broadcaster.broadcast(ChatLine(player.name, words))
        self._stop(
            player, f"You stop: {player.name} speaks of you.", lambda other: is_addressed(other.name, words)
        )

    def _ping(self, player: Player, call: MapPing) -> None:
        """Send a ping to all players; an urgent one stops the plans of the others on the level.

        A ping from a level that the player is not on, or for a cell that does not exist, is dropped.
        """
        standing = self._players.in_dungeon(player.account)
        if standing is None:
            return
        _, level, _ = standing
        if call.depth != level.place or call.cell >= level.grid.size:
            return
        self._broadcaster.broadcast(MapPinged(player.name, call.word, call.depth, call.cell))
        if is_urgent(call.word):
            near = {other.account for other in self._players.on_level(level).values()}
            self._stop(player, f"You stop: {player.name} calls.", lambda other: other.account in near)

    def _stop(self, speaker: Player, reason: str, concerns: Callable[[Player], bool]) -> None:
        for other in self._players.connected():
            if other is not speaker and other.turns.plan_number is not None and concerns(other):
                self._scheduler.end_plan(other, reason, "called")
