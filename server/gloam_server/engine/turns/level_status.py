"""A level's status when no turn is due, kept until something changes on which it depends."""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, NamedTuple

from gloam_server.engine.player import Player
from gloam_server.engine.timing.turn_timing import TurnStatus
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Bubble, Division

_NOTHING_DUE: Final = TurnStatus(due=False)
_TIMING: Final = attrgetter(
    "pending_command",
    "running_plan",
    "clock.connected",
    "clock.last_turn_ms",
    "clock.waiting_since_ms",
    "clock.missed_turns",
    "clock.thinking_until_ms",
    "clock.cut_ms",
    "clock.choices",
)
"""All of a player's turn state that decides whether the turn of their bubble is due."""


@dataclass(slots=True)
class LevelStatus:
    """A level's status when no turn is due: when to look again, and the status of each player's bubble."""

    division: Division | None = None
    """The level's bubbles; None for a closed level."""
    look_at_ms: int | None = None
    noted: dict[int, tuple[Bubble, TurnStatus]] = field(default_factory=dict)
    """The bubbles in which something waits, by player. In all others nothing is due."""
    changes_at_ms: int | None = None
    """The time at which the status expires by itself; None: only an input or command changes it."""

    def note(self, bubble: Bubble, status: TurnStatus) -> None:
        """Take in the status of a bubble."""
        for number in bubble.players:
            self.noted[number] = bubble, status
        self.look_at_ms = _earlier(self.look_at_ms, status.look_at_ms)
        self.changes_at_ms = _earlier(self.changes_at_ms, status.changes_at_ms)

    def is_held(self, player: int) -> bool:
        """Return whether an enemy holds a player; False for a player who was not on the level."""
        return self.division is not None and player in self.division.held_players

    def of(self, player: int) -> tuple[Bubble, TurnStatus] | None:
        """Return the bubble of a player and its status; None for a player who was not on the level."""
        if player in self.noted:
            return self.noted[player]
        bubble = self.division.find(player) if self.division is not None else None
        return None if bubble is None else (bubble, _NOTHING_DUE)


class _Known(NamedTuple):
    """A level's status, and what it was derived from."""

    level: Level
    sequence: int
    """The number of inputs of the level then."""
    agreed: int
    players: dict[int, Player]
    waiting: list[int]
    timing: list[tuple[object, ...]]
    """The timing of the players whose bubbles the status notes."""
    status: LevelStatus


class KnownStatuses:
    """The newest status of each level.

    A batch examines every level with players, and most of them are as they were in the batch before: no input has
    reached them, and no command has arrived. `agreed` is the number of inputs of the realm, whose parties agree on
    their patience.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def find(
        self, level: Level, players: dict[int, Player], waiting: list[int], agreed: int, now_ms: int
    ) -> LevelStatus | None:
        """Return the status of a level if it is still the same; else None."""
        known = self._known.get(level.place)
        if (
            known is None
            or known.sequence != level.sequence
            or known.level is not level
            or known.players is not players
            or known.waiting != waiting
            or known.agreed != agreed
        ):
            return None
        status = known.status
        if status.changes_at_ms is not None and status.changes_at_ms <= now_ms:
            return None
        return status if known.timing == _timing(players, status) else None

    def keep(
        self, level: Level, players: dict[int, Player], waiting: list[int], agreed: int, status: LevelStatus
    ) -> None:
        """Keep the status of a level as it is now."""
        timing = _timing(players, status)
        self._known[level.place] = _Known(level, level.sequence, agreed, players, waiting, timing, status)


def _earlier(one: int | None, other: int | None) -> int | None:
    """Return the earlier of two times; None stands for never."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _timing(players: dict[int, Player], status: LevelStatus) -> list[tuple[object, ...]]:
    return [_TIMING(players[number].turns) for number in status.noted]
