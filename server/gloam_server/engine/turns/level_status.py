"""A level's status when no turn is due, kept until something changes on which it depends."""

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, Generic, TypeAlias, TypeVar

from gloam_server.engine.player import Player
from gloam_server.engine.timing.turn_timing import NOTHING_DUE, TurnStatus
from gloam_server.engine.turns.waiting_players import Waiting, WaitingPlayers
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Division, TurnGroup
from gloam_shared.kept import KeptTable, verify

D = TypeVar("D")
"""A due turn."""
Roster: TypeAlias = dict[int, Player]
"""The players of a level by number: the same object until one joins or leaves."""
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
"""All of a player's turn state that decides whether the turn of their turn group is due."""


@dataclass(slots=True)
class LevelStatus:
    """A level's status when no turn is due: when to look again, and the status of each player's turn group."""

    division: Division | None = None
    """The level's turn groups; None for a closed level."""
    look_at_ms: int | None = None
    noted: dict[int, tuple[TurnGroup, TurnStatus]] = field(default_factory=dict)
    """The turn groups in which something waits, by player. In all others nothing is due."""
    changes_at_ms: int | None = None
    """The time at which the status expires by itself; None: only an input or command changes it."""

    timing: list[tuple[object, ...]] = field(default_factory=list, compare=False)
    """The timing of the players whose turn groups are noted, as of when the status was kept."""

    def timing_of(self, players: Roster) -> list[tuple[object, ...]]:
        """Return the present timing of these players."""
        return [_TIMING(players[number].turns) for number in self.noted]

    def is_current(self, players: Roster, now_ms: int) -> bool:
        """Return whether neither time nor the timing of a player has ended the status."""
        if self.changes_at_ms is not None and self.changes_at_ms <= now_ms:
            return False
        return self.timing == self.timing_of(players)

    def note(self, group: TurnGroup, status: TurnStatus) -> None:
        """Take in the status of a turn group."""
        if group.held or status is not NOTHING_DUE:
            for number in group.players:
                self.noted[number] = group, status
        self.look_at_ms = _earlier(self.look_at_ms, status.look_at_ms)
        self.changes_at_ms = _earlier(self.changes_at_ms, status.changes_at_ms)

    def is_held(self, player: int) -> bool:
        """Return whether an enemy holds a player; False for a player who was not on the level."""
        return self.division is not None and player in self.division.held_players

    def of(self, player: int) -> tuple[TurnGroup, TurnStatus] | None:
        """Return the turn group of a player and its status; None for a player who was not on the level."""
        if player in self.noted:
            return self.noted[player]
        group = self.division.find(player) if self.division is not None else None
        return None if group is None else (group, NOTHING_DUE)


class KnownStatuses(Generic[D]):
    """The newest status of each level.

    A batch examines every level with players, and most of them are as they were in the batch before: no input has
    reached them, and no command has arrived.
    """

    def __init__(
        self, waiting: WaitingPlayers, look: Callable[[Level, Roster, Waiting, int], D | LevelStatus]
    ) -> None:
        self._waiting = waiting
        self._look = look
        self._kept = KeptTable[int, LevelStatus]("the status of a level")

    def get(self, level: Level, players: Roster, agreed: int, now_ms: int) -> D | LevelStatus:
        """Return what a look at a level finds now: a due turn, which is not kept, or a status.

        `agreed` is the number of inputs of the realm, whose parties agree on their patience.
        """
        kept, objects, sequence = self._kept[level.partition], (level, players), level.state.sequence
        waiting = self._waiting.on_level(level.partition, players)
        status = kept.find(objects, (sequence, waiting.numbers, agreed))
        if status is not None and status.is_current(players, now_ms):
            known: D | LevelStatus = status
            return verify(kept.name, known, lambda: self._look(level, players, waiting, now_ms))
        found = self._look(level, players, waiting, now_ms)
        if isinstance(found, LevelStatus):  # plans that ended and impossible commands wait no longer
            waiting = self._waiting.on_level(level.partition, players)
            found.timing = found.timing_of(players)
            kept.keep(objects, (sequence, waiting.numbers, agreed), found)
        return found


def _earlier(one: int | None, other: int | None) -> int | None:
    """Return the earlier of two times; None stands for never."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
