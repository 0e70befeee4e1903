"""What happens to players without their asking: bodies of cut lines leave, forgotten level-up choices are made."""

from typing import Final

from gloam_server.engine.players import AWAY_MS, Players
from gloam_server.engine.turns.turn_scheduler import TurnScheduler
from gloam_server.world.combat.experience import gain_choices
from gloam_server.world.model.inputs import FreeAction, Input, Leave
from gloam_shared.protocol.commands import Choose

UNATTENDED_TURNS_MAX: Final = 10
"""A body whose line is cut stays on guard for so many turns of its own, unless nothing holds it before."""

DEFAULT_CHOICE_MS: Final = 60_000
"""A level-up choice is made for a player after so long in safety."""

_SENSIBLE: Final = "health"


class IdlePlayers:
    """Looks after those who do not look after themselves."""

    def __init__(self, players: Players, scheduler: TurnScheduler) -> None:
        self._players = players
        self._scheduler = scheduler

    def departures(self) -> list[tuple[int, Input]]:
        """Return the leaving of every body that nobody is connected to and nothing holds, or that stood long enough."""
        leaving: list[tuple[int, Input]] = []
        for player, level, body in self._players.in_play():
            gone = player.connection is None
            if gone and (
                player.turns_alone >= UNATTENDED_TURNS_MAX or not self._scheduler.is_held(level, body)
            ):
                leaving.append((level.place, Leave(body.number)))
        return leaving

    def default_choices(self, now_ms: int) -> list[tuple[int, Input]]:
        """Return the choices that have waited a minute in safety: health, where it is offered."""
        made: list[tuple[int, Input]] = []
        for player, level, body in self._players.in_play():
            if not body.points or player.connection is None or self._scheduler.is_held(level, body):
                player.safe_since_ms = None
                continue
            if player.safe_since_ms is None:
                player.safe_since_ms = now_ms
            if now_ms - player.safe_since_ms >= DEFAULT_CHOICE_MS:
                player.safe_since_ms = now_ms
                offered = gain_choices(level, body)
                if not offered:
                    continue
                option = offered.index(_SENSIBLE) if _SENSIBLE in offered else 0
                made.append((level.place, FreeAction(body.number, 0, Choose(option))))
        return made

    def next_due_ms(self, now_ms: int) -> int | None:
        """Return when a choice or a mark of absence falls due by itself, if any does."""
        due = []
        for player, _, _ in self._players.in_play():
            if player.safe_since_ms is not None:
                due.append(player.safe_since_ms + DEFAULT_CHOICE_MS)
            if player.connection is None or player.away.now:
                continue
            if now_ms - player.heard_ms >= AWAY_MS:
                player.away.set(now=True, at_ms=now_ms)
                due.append(now_ms)
            else:
                due.append(player.heard_ms + AWAY_MS)
        return min(due, default=None)
