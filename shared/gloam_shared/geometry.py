"""Cells, directions and distances on a level: integer arithmetic only.

A *cell* is one number, `y * width + x`, counted from the top left corner. Distances are Chebyshev: a diagonal
step is as long as a straight one.
"""

from typing import Final

Direction = tuple[int, int]

DIRECTIONS: Final[tuple[Direction, ...]] = (
    (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1),
)  # fmt: skip
"""The eight steps (dx, dy), clockwise from north."""

ORTHOGONAL: Final[tuple[Direction, ...]] = DIRECTIONS[::2]
"""The four straight steps."""

_COMPASS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def chebyshev(a: int, b: int, width: int) -> int:
    """Return the distance in steps between two cells of a level that is `width` cells wide."""
    # This is the most frequent call of all: comparisons take half the time of abs and max.
    dx = a % width - b % width
    dy = a // width - b // width
    if dx < 0:
        dx = -dx
    if dy < 0:
        dy = -dy
    return dx if dx > dy else dy  # noqa: FURB136


def step(cell: int, dx: int, dy: int, width: int, height: int) -> int | None:
    """Return the cell one step away, or None beyond the edge of the level."""
    y, x = divmod(cell, width)
    x, y = x + dx, y + dy
    return y * width + x if 0 <= x < width and 0 <= y < height else None


def neighbours(
    cell: int, width: int, height: int, directions: tuple[Direction, ...] = DIRECTIONS
) -> list[int]:
    """Return the cells one step away, in the order of `directions`."""
    y, x = divmod(cell, width)
    return [
        (y + dy) * width + x + dx for dx, dy in directions if 0 <= x + dx < width and 0 <= y + dy < height
    ]


def towards(a: int, b: int, width: int) -> Direction:
    """Return the step (dx, dy) from cell `a` in the direction of cell `b`; (0, 0) if they are equal."""
    ay, ax = divmod(a, width)
    by, bx = divmod(b, width)
    return (bx > ax) - (bx < ax), (by > ay) - (by < ay)


def heading(a: int, b: int, width: int) -> int | None:
    """Return the place among `DIRECTIONS` of the step from cell `a` to `b`, or None if one step does not lead there."""
    return DIRECTIONS.index(towards(a, b, width)) if width and chebyshev(a, b, width) == 1 else None


def compass(a: int, b: int, width: int) -> str:
    """Return the word for the direction from cell `a` to cell `b`, such as "north-east"; "here" if they are equal.

    The result is the nearest of eight directions. A direction is straight if one distance is more than twice the other.
    """
    dx, dy = b % width - a % width, b // width - a // width
    straight_x, straight_y = 2 * abs(dy) < abs(dx), 2 * abs(dx) < abs(dy)
    x, y = towards(a, b, width)
    way = (0 if straight_y else x, 0 if straight_x else y)
    return _COMPASS[DIRECTIONS.index(way)] if way in DIRECTIONS else "here"


def within(radius: int, a: int, b: int, width: int) -> bool:
    """Return whether two cells are within a radius of each other: a circle, dx^2 + dy^2 <= radius (radius + 1)."""
    ay, ax = divmod(a, width)
    by, bx = divmod(b, width)
    return (ax - bx) ** 2 + (ay - by) ** 2 <= radius * (radius + 1)
