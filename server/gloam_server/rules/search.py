"""Paths: the first step of a shortest way, found within a bound. Whole numbers; ties are broken the same way always."""

from collections.abc import Callable

from gloam_shared.geometry import DIRECTIONS, Direction, Grid
from gloam_shared.search import reachable


def first_step(
    walkable: Callable[[int], object],
    start: int,
    goal: int,
    grid: Grid,
    directions: tuple[Direction, ...] = DIRECTIONS,
    *,
    limit: int = 400,
) -> int | None:
    """Return the cell to step to from `start` on a shortest way to `goal`; None when there is none, or none in bounds.

    `walkable` says which cells are passable; it is not asked about `start` and `goal`. The search expands at most
    `limit` cells, so it costs no more in a maze than in a hall. Of equally short ways it takes the one with the first
    step nearest to the goal, then the first in the order of `directions`.
    """
    if start == goal:
        return None
    if directions == DIRECTIONS and (way := _straight_line(walkable, start, goal, grid)) is not None:
        return way
    # Backwards, so that the ring before `start` contains every first step of a shortest way.
    distance = dict(reachable(goal, walkable, grid, directions, goal=start, limit=limit))
    nearest = distance.get(start)
    if nearest is None:
        return None
    steps = [cell for cell in grid.neighbors(start, directions) if distance.get(cell) == nearest - 1]
    return min(steps, key=lambda cell: grid.squared_distance(cell, goal))


def _straight_line(walkable: Callable[[int], object], start: int, goal: int, grid: Grid) -> int | None:
    """Return the first step of the direct way to the goal if nothing blocks it, which is the common case."""
    first: int | None = None
    cell = start
    for _ in range(grid.distance(start, goal)):
        following = grid.step(cell, *grid.towards(cell, goal))
        if following is None or (following != goal and not walkable(following)):
            return None
        cell = following
        first = cell if first is None else first
    return first
