"""Paths: the first step of a shortest way, found within a bound. Whole numbers; ties are broken the same way always."""

from collections.abc import Callable

from gloam_shared.geometry import DIRECTIONS, Direction, chebyshev, neighbours, step, towards


def first_step(
    walkable: Callable[[int], object],
    start: int,
    goal: int,
    width: int,
    height: int,
    directions: tuple[Direction, ...] = DIRECTIONS,
    limit: int = 400,
) -> int | None:
    """Return the cell to step to from `start` on a shortest way to `goal`; None when there is none, or none in bounds.

    `walkable` says which cells are passable; it is not asked about `start` and `goal`. The search expands at most
    `limit` cells, so it costs no more in a maze than in a hall. Of equally short ways it takes the one with the first
    step nearest to the goal, then the first in the order of `directions`.
    """
    if start == goal:
        return None
    if directions == DIRECTIONS and (way := _straight_line(walkable, start, goal, width, height)) is not None:
        return way
    distance = _distances(walkable, goal, start, width, height, directions, limit)
    nearest = distance.get(start)
    if nearest is None:
        return None
    steps = [
        cell for cell in neighbours(start, width, height, directions) if distance.get(cell) == nearest - 1
    ]
    return min(steps, key=lambda cell: _squared(cell, goal, width))


def _straight_line(
    walkable: Callable[[int], object], start: int, goal: int, width: int, height: int
) -> int | None:
    """Return the first step of the way that always goes towards the goal, when nothing bars it: the common case."""
    first: int | None = None
    cell = start
    for _ in range(chebyshev(start, goal, width)):
        dx, dy = towards(cell, goal, width)
        following = step(cell, dx, dy, width, height)
        if following is None or (following != goal and not walkable(following)):
            return None
        cell = following
        first = cell if first is None else first
    return first


def _distances(
    walkable: Callable[[int], object],
    origin: int,
    until: int,
    width: int,
    height: int,
    directions: tuple[Direction, ...],
    limit: int,
) -> dict[int, int]:
    """Return the steps to `origin` from the cells around it, nearest first, ending with the ring that holds `until`."""
    distance = {origin: 0}
    queue = [origin]
    for looked, cell in enumerate(queue):
        if looked >= limit or until in distance:
            break
        for beside in neighbours(cell, width, height, directions):
            if beside not in distance and (beside == until or walkable(beside)):
                distance[beside] = distance[cell] + 1
                queue.append(beside)
    return distance


def _squared(a: int, b: int, width: int) -> int:
    """Return the square of the straight distance between two cells."""
    ay, ax = divmod(a, width)
    by, bx = divmod(b, width)
    return (ax - bx) ** 2 + (ay - by) ** 2
