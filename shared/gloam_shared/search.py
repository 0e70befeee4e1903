"""Search: which cells can be reached from one, the nearest first. Ties are broken the same way always.

This is the one search from cell to cell. Two floods over whole levels stand apart for their speed, and say so:
`gloam_shared.bitboard` and the server's `world.generation.connectivity.regions`.
"""

from collections.abc import Callable, Iterator
from sys import maxsize

from gloam_shared.geometry import DIRECTIONS, Direction, Grid


def reachable(
    start: int,
    enters: Callable[[int], object],
    grid: Grid,
    directions: tuple[Direction, ...] = DIRECTIONS,
    *,
    goal: int = -1,
    limit: int = maxsize,
) -> Iterator[tuple[int, int]]:
    """Yield `start` and each cell that can be reached from it, with the steps to it, the nearest first.

    `enters` says which cells a way may lead to; it is not asked about `start` and `goal`. Among cells equally near the
    order in which the search reached them decides, so it follows `directions`. The search ends with `goal`, or when it
    has looked around `limit` cells. A caller that has found enough just stops.
    """
    steps = {start: 0}
    queue = [start]
    yield start, 0
    for looked, cell in enumerate(queue):
        if looked >= limit or goal in steps:
            return
        following = steps[cell] + 1
        for beside in grid.neighbors(cell, directions):
            if beside not in steps and (beside == goal or enters(beside)):
                steps[beside] = following
                queue.append(beside)
                yield beside, following
