"""The turn states of players: who waits for which player, and until when. Sent when they change."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from msgspec.structs import replace

from gloam_server.engine.messages import Say, Views
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.engine.timing.turn_timing import TurnStatus
from gloam_server.engine.turns.level_status import LevelStatus
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import TurnGroup
from gloam_shared import limits
from gloam_shared.protocol.messages.play import Pace

_Wait: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The names of the players that a turn waits for, and the names of the ones who are choosing."""

_AT_REST: Final = (Pace(), 0)
"""The turn state of a player who is not held and wants no turn, as it was sent."""

FEW_NAMES: Final = 4
"""Up to this number of names a change of them is sent immediately."""
CROWD_EVERY_MS: Final = 250
"""The interval at which a player is sent a change of more names."""


class TurnStatusFeed:
    """Sends each player their turn state."""

    def __init__(self, players: Players, views: Views) -> None:
        self._players = players
        self._views = views

    def publish(self, statuses: Mapping[int, LevelStatus], now_ms: int) -> int | None:
        """Send `Pace` to every player who has joined, if it has changed.

        Return when the next one is due.
        """
        looks: list[int] = []
        waits: dict[int, _Wait] = {}
        for player, level, body in self._players.in_play():
            if not player.connection or level.partition not in statuses:
                continue
            known = statuses[level.partition]
            at_rest = player.turns.sent_pace is _AT_REST and not player.turns.wants_turn
            if at_rest and not known.is_held(body.number):
                continue  # most players of a full hall want nothing at a given moment
            if player.attached != body.number:
                continue
            group_status = known.of(body.number)
            if group_status is None:
                continue
            group, status = group_status
            status_at_ms = _next_status_ms(player, body, status, now_ms)
            wait = None
            if status_at_ms is not None and status_at_ms > now_ms:
                looks.append(status_at_ms)
            elif status_at_ms is not None:
                wait = waits.get(id(status))
                if wait is None:  # the same for all players of a turn group, and there may be a hundred
                    wait = waits[id(status)] = _wait(level, status)
            held_back_ms = self._send(player, _pace(player, group, wait), status.until_ms, now_ms)
            if held_back_ms is not None:
                looks.append(held_back_ms)
        return min(looks, default=None)

    def _send(self, player: Player, pace: Pace, until_ms: int, now_ms: int) -> int | None:
        """Send a turn state, and how long the wait may last, if either has changed; return when, if it has to wait."""
        state = pace, until_ms if pace.for_names else 0
        turns = player.turns
        if state == turns.sent_pace or not player.connection:
            return None
        next_ms = turns.pace_sent_ms + CROWD_EVERY_MS
        if next_ms > now_ms and turns.sent_pace is not None and _differs_in_a_crowd(turns.sent_pace[0], pace):
            return next_ms
        turns.sent_pace, turns.pace_sent_ms = _AT_REST if state == _AT_REST else state, now_ms
        self._views.take(Say(player.connection, replace(pace, ms=max(0, state[1] - now_ms))))
        return None


def _differs_in_a_crowd(sent: Pace, pace: Pace) -> bool:
    """Return whether only the names differ, and they are many: each command of a crowd changes them for all who wait."""
    same = (sent.held, sent.waiting, sent.plan) == (pace.held, pace.waiting, pace.plan)
    return same and min(len(sent.for_names), len(pace.for_names)) > FEW_NAMES


def _wait(level: Level, status: TurnStatus) -> _Wait:
    return _names(level, status.waits_for), _names(level, status.choosing)


def _pace(player: Player, group: TurnGroup, wait: _Wait | None) -> Pace:
    """Return a player's turn state, without the length of the wait."""
    planned = player.turns.running_plan is not None
    if wait is None:
        return Pace(held=group.held, waiting=False, plan=planned)
    return Pace(
        held=group.held,
        waiting=player.turns.clock.waiting_since_ms is not None and not planned,
        plan=planned,
        for_names=wait[0],
        choosing=wait[1],
    )


def _next_status_ms(player: Player, body: Creature, status: TurnStatus, now_ms: int) -> int | None:
    """Return when to notify a player of a wait; None without a wait.

    A player that a turn waits for is notified immediately, unless the wait is about to end. A waiting player is
    notified later, because most waits are short.
    """
    if body.number in status.waits_for:
        return now_ms if status.until_ms - now_ms > limits.PACE_AFTER_MS else None
    since_ms = player.turns.clock.waiting_since_ms
    return None if since_ms is None else since_ms + limits.PACE_AFTER_MS


def _names(level: Level, numbers: Iterable[int]) -> tuple[str, ...]:
    here = level.creatures  # a fault may have removed a player since the decision
    return tuple(here[number].name for number in numbers if number in here)
