"""The upkeep of players without a command: disconnected bodies leave, old level-up choices are made."""

from gloam_server.engine.players import Players
from gloam_server.engine.presence.presence_feed import PresenceFeed
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.rules.absence import AWAY_MS, DEFAULT_CHOICE_MS, default_choice, leaves
from gloam_server.world.growth.bents import default_option, grows_by_bent
from gloam_server.world.growth.experience import gain_choices
from gloam_server.world.model.inputs import FreeAction, Input, Leave
from gloam_shared.protocol.commands import Choose


class IdlePlayers:
    """Handles players who do not act. It applies nothing: it returns inputs."""

    def __init__(self, players: Players, scheduler: TurnScheduler, presence: PresenceFeed) -> None:
        self._players = players
        self._scheduler = scheduler
        self._presence = presence
        self.returns_until_ms = 0
        """The time until which bodies wait for the players of a turn process that died."""

    def departures(self, now_ms: int) -> list[tuple[int, Input]]:
        """Return a departure for every body that has been without a connection for long enough."""
        if now_ms < self.returns_until_ms:
            return []
        return [
            (level.partition, Leave(body.number))
            for player, level, body in self._players.in_play()
            if not player.connection
            and leaves(player.turns.turns_alone, held=self._scheduler.is_held(level, body))
        ]

    def take_default_choices(self, now_ms: int) -> list[tuple[int, Input]]:
        """Return the default choices for players who have been safe for long enough, each once.

        Update how long each other player has been safe.
        """
        made: list[tuple[int, Input]] = []
        for player, level, body in self._players.in_play():
            if not body.points or not player.connection or self._scheduler.is_held(level, body):
                player.turns.safe_since_ms = None
                continue
            if player.turns.safe_since_ms is None:
                player.turns.safe_since_ms = now_ms
            if now_ms - player.turns.safe_since_ms >= DEFAULT_CHOICE_MS:
                player.turns.safe_since_ms = now_ms
                option = (
                    default_option(level, body)
                    if grows_by_bent(level, body)
                    else default_choice(gain_choices(level, body))
                )
                if option is not None:
                    made.append((level.partition, FreeAction(body.number, 0, Choose(option))))
        return made

    def mark_away(self, now_ms: int) -> None:
        """Mark players as away who have been silent for long enough."""
        for player, _, _ in self._players.in_play():
            if (
                player.connection
                and not player.attendance.away.now
                and now_ms - player.attendance.heard_ms >= AWAY_MS
            ):
                self._presence.set_away(player, away=True, now_ms=now_ms)

    def next_due_ms(self) -> int | None:
        """Return when the next choice or absence is due, if any."""
        due = []
        for player, _, _ in self._players.in_play():
            if player.turns.safe_since_ms is not None:
                due.append(player.turns.safe_since_ms + DEFAULT_CHOICE_MS)
            if player.connection and not player.attendance.away.now:
                due.append(player.attendance.heard_ms + AWAY_MS)
        return min(due, default=None)
