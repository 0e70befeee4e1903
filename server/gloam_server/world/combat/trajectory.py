"""The path of a missile: the creature that it hits and the cell where it lands (rules TG.20, F25). It changes nothing."""

from typing import Final, NamedTuple

from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.appearance import TRANSPARENT

_PASSABLE: Final = TRANSPARENT


class Trajectory(NamedTuple):
    """The flight of a missile: the creature that it hit, if any, and the cell where it lands unless it breaks."""

    victim: Creature | None
    cell: int


def trace_missile(level: Level, creature: Creature, goal: int, *, kindly: bool = False) -> Trajectory:
    """Return the flight of a missile from a creature to a cell.

    It stops at the first wall, and at the first creature that its sender is hostile to; it passes others. It always
    stops at its target cell; a `kindly` meant missile hits any creature there. It lands on the last walkable
    cell of its path.
    """
    rest = creature.cell
    for cell in _line(level, creature.cell, goal):
        if level.terrain[cell] not in _PASSABLE:
            break
        other = level.at(cell)
        if level.is_walkable(cell) or other is not None:
            rest = cell
        if other is None or other.grace:
            continue
        if is_hostile(level, creature, other) or (kindly and cell == goal):
            return Trajectory(other, cell)
    return Trajectory(None, rest)


def is_clear(level: Level, start: int, goal: int) -> bool:
    """Return whether no wall is on the line between two cells."""
    return all(level.terrain[cell] in _PASSABLE for cell in _line(level, start, goal))


def _line(level: Level, start: int, goal: int) -> list[int]:
    return level.grid.line(start, goal, lambda cell: level.terrain[cell] in _PASSABLE)
