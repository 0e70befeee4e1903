"""Where a creature or a thing comes to be: the nearest cell that will do."""

from collections.abc import Callable

from gloam_server.world.model.level import Level
from gloam_shared.geometry import neighbours


def nearest_free_cell(level: Level, cell: int) -> int | None:
    """Return the free cell that is fewest steps from `cell` over walkable ground; None when the ground is full."""
    return nearest_cell(level, cell, level.is_free)


def nearest_cell(level: Level, cell: int, will_do: Callable[[int], bool]) -> int | None:
    """Return the cell that will do and is fewest steps from `cell` over walkable ground; None when none will.

    Among equals the order of the eight directions decides, so that friends stand next to each other.
    """
    seen = {cell}
    ring = [cell]
    while ring:
        for here in ring:
            if will_do(here):
                return here
        ring = _next_cells(level, ring, seen)
    return next((here for here in range(len(level.terrain)) if will_do(here)), None)


def _next_cells(level: Level, ring: list[int], seen: set[int]) -> list[int]:
    outer = []
    for here in ring:
        for there in neighbours(here, level.width, level.height):
            if there not in seen and level.is_walkable(there):
                seen.add(there)
                outer.append(there)
    return outer
