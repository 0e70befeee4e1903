"""Where a creature or a thing comes to be: the nearest cell that will do."""

from collections.abc import Callable

from gloam_server.world.model.level import Level
from gloam_shared.search import reachable


def nearest_free_cell(level: Level, cell: int) -> int | None:
    """Return the free cell that is fewest steps from `cell` over walkable ground; None when the ground is full."""
    return nearest_cell(level, cell, level.is_free)


def nearest_cell(level: Level, cell: int, will_do: Callable[[int], bool]) -> int | None:
    """Return the cell that will do and is fewest steps from `cell` over walkable ground; None when none will.

    Among equals the order of the eight directions decides, so that friends stand next to each other.
    """
    for here, _ in reachable(cell, level.is_walkable, level.width, level.height):
        if will_do(here):
            return here
    return next((here for here in range(len(level.terrain)) if will_do(here)), None)
