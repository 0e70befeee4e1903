"""The largest field of view of a cell, computed by another algorithm than the server's.

Shadow casting over the rows of a quadrant, in whole numbers: every cell that light touches counts as seen, where the
game asks for its center.
"""

from collections.abc import Callable

Slope = tuple[int, int]
"""A slope as numerator and denominator, the latter above 0."""

_QUADRANTS = ((1, 0, 0, 1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, 1, -1, 0))


def seen_from(x: int, y: int, opaque: Callable[[int, int], bool], reach: int) -> set[tuple[int, int]]:
    """Return the cells that light touches from (x, y), no more than `reach` rows away; `opaque` is true beyond the edge."""
    seen = {(x, y)}
    for ax, bx, ay, by in _QUADRANTS:
        stack: list[tuple[int, Slope, Slope]] = [(1, (-1, 1), (1, 1))]
        while stack:
            depth, start, end = stack.pop()
            if depth > reach:
                continue
            was_wall: bool | None = None
            for column in range(_least(start, depth), _last(end, depth) + 1):
                here = (x + ax * depth + bx * column, y + ay * depth + by * column)
                wall = opaque(*here)
                seen.add(here)
                if was_wall is True and not wall:
                    start = (2 * column - 1, 2 * depth)
                if was_wall is False and wall:
                    stack.append((depth + 1, start, (2 * column - 1, 2 * depth)))
                was_wall = wall
            if was_wall is False:
                stack.append((depth + 1, start, end))
    return seen


def _least(slope: Slope, depth: int) -> int:
    """Return the first column that a slope touches in a row: depth * slope, rounded, ties down."""
    return -((slope[1] - 2 * depth * slope[0]) // (2 * slope[1]))


def _last(slope: Slope, depth: int) -> int:
    """Return the last column that a slope touches in a row: depth * slope, rounded, ties up."""
    return (2 * depth * slope[0] + slope[1]) // (2 * slope[1])
