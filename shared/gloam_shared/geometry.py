"""Cells, directions and distances on a level: integer arithmetic only.

A *cell* is one number, `y * width + x`, counted from the top left corner. Distances are Chebyshev: a diagonal
step is as long as a straight one.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from msgspec import Struct

Direction = tuple[int, int]

DIRECTIONS: Final[tuple[Direction, ...]] = (
    (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1),
)  # fmt: skip
"""The eight steps (dx, dy), clockwise from north."""

ORTHOGONAL: Final[tuple[Direction, ...]] = DIRECTIONS[::2]
"""The four straight steps."""


@cache
def headings(width: int) -> dict[int, int]:
    """Return the place among `DIRECTIONS` of each step, by the difference of its cells on a level of this width.

    A difference is no step where it leads around the edge, from one row to the next. On a level with fewer than three columns two
    steps have one difference, so there is none.
    """
    return {dy * width + dx: at for at, (dx, dy) in enumerate(DIRECTIONS)} if width > 2 else {}


_COMPASS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


class Grid(Struct, frozen=True):
    """The cells of a level as rows and columns."""

    width: int
    height: int

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.width * self.height

    def point(self, cell: int) -> tuple[int, int]:
        """Return a cell as (column, row)."""
        y, x = divmod(cell, self.width)
        return x, y

    def is_on_border(self, cell: int) -> bool:
        """Return whether a cell is in the first or last row or column."""
        y, x = divmod(cell, self.width)
        return x in (0, self.width - 1) or y in (0, self.height - 1)

    def square(self, cell: int, radius: int) -> list[int]:
        """Return the cells at most `radius` steps from a cell, itself included, row by row."""
        y, x = divmod(cell, self.width)
        columns = range(max(0, x - radius), min(self.width, x + radius + 1))
        rows = range(max(0, y - radius), min(self.height, y + radius + 1))
        return [row * self.width + column for row in rows for column in columns]

    def distance(self, a: int, b: int) -> int:
        """Return the distance in steps between two cells."""
        # This is the most frequent call of all: comparisons take half the time of abs and max.
        width = self.width
        dx = a % width - b % width
        dy = a // width - b // width
        if dx < 0:
            dx = -dx
        if dy < 0:
            dy = -dy
        return dx if dx > dy else dy  # noqa: FURB136

    def squared_distance(self, a: int, b: int) -> int:
        """Return the square of the straight distance between two cells."""
        ay, ax = divmod(a, self.width)
        by, bx = divmod(b, self.width)
        return (ax - bx) ** 2 + (ay - by) ** 2

    def is_within(self, radius: int, a: int, b: int) -> bool:
        """Return whether two cells are within a radius of each other: a circle, dx^2 + dy^2 <= radius (radius + 1)."""
        return self.squared_distance(a, b) <= radius * (radius + 1)

    def step(self, cell: int, dx: int, dy: int) -> int | None:
        """Return the cell one step away, or None beyond the edge."""
        y, x = divmod(cell, self.width)
        x, y = x + dx, y + dy
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else None

    def neighbors(self, cell: int, directions: tuple[Direction, ...] = DIRECTIONS) -> list[int]:
        """Return the cells one step away, in the order of `directions`."""
        width, height = self.width, self.height
        y, x = divmod(cell, width)
        return [
            (y + dy) * width + x + dx for dx, dy in directions if 0 <= x + dx < width and 0 <= y + dy < height
        ]

    def towards(self, a: int, b: int) -> Direction:
        """Return the step (dx, dy) from cell `a` in the direction of cell `b`; (0, 0) if they are equal."""
        ay, ax = divmod(a, self.width)
        by, bx = divmod(b, self.width)
        return (bx > ax) - (bx < ax), (by > ay) - (by < ay)

    def compass(self, a: int, b: int) -> str:
        """Return the word for the direction from cell `a` to cell `b`, such as "north-east"; "here" if they are equal.

        The result is the nearest of eight directions. A direction is straight if one distance is more than twice the other.
        """
        width = self.width
        dx, dy = b % width - a % width, b // width - a // width
        straight_x, straight_y = 2 * abs(dy) < abs(dx), 2 * abs(dx) < abs(dy)
        x, y = self.towards(a, b)
        way = (0 if straight_y else x, 0 if straight_x else y)
        return _COMPASS[DIRECTIONS.index(way)] if way in DIRECTIONS else "here"

    def line(self, start: int, goal: int, is_open: Callable[[int], bool]) -> list[int]:
        """Return the cells of the straight line from `start` (not included) to `goal`, nearest first.

        Where the line runs between two cells, it goes over the one towards the south-east, or if that is not open over the
        other, as sight does: so each cell in sight has an open line. The way back uses the same cells, so that a target can
        always shoot back. From a cell to itself the line is empty.
        """
        y, x = divmod(start, self.width)
        goal_y, goal_x = divmod(goal, self.width)
        across, down = goal_x - x, goal_y - y
        steps = max(abs(across), abs(down))
        cells = []
        for at in range(1, steps + 1):
            cell = (y + _round_up(down, at, steps)) * self.width + x + _round_up(across, at, steps)
            if not is_open(cell):
                cell = (y + _round_down(down, at, steps)) * self.width + x + _round_down(across, at, steps)
            cells.append(cell)
        return cells


def _round_up(whole: int, at: int, steps: int) -> int:
    """Return `at` of `steps` parts of a distance, rounded to the nearest cell, halves towards the south-east."""
    return (2 * whole * at + steps) // (2 * steps)


def _round_down(whole: int, at: int, steps: int) -> int:
    """Return the same, halves towards the north-west."""
    return -((steps - 2 * whole * at) // (2 * steps))
