"""Search: which cells can be reached from one, the nearest first. Ties are broken the same way always."""

from collections.abc import Callable, Iterator

from gloam_shared.geometry import DIRECTIONS, Direction, neighbours


def reachable(
    start: int,
    enters: Callable[[int], object],
    width: int,
    height: int,
    directions: tuple[Direction, ...] = DIRECTIONS,
) -> Iterator[tuple[int, int]]:
    """Yield `start` and each cell that can be reached from it, with the steps to it, the nearest first.

    `enters` tells which cells a way may lead to; it is not asked about `start`. Among cells equally near the order in
    which the search came to them decides, so it follows `directions`. A caller that has found enough just stops.
    """
    steps = {start: 0}
    queue = [start]
    for cell in queue:
        yield cell, steps[cell]
        for beside in neighbours(cell, width, height, directions):
            if beside not in steps and enters(beside):
                steps[beside] = steps[cell] + 1
                queue.append(beside)
