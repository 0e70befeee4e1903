"""The grid: steps, squares and circles; straight lines have no gap, and are the same both ways."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from gloam_shared.geometry import DIRECTIONS, Grid

WIDTH = 21
GRID = Grid(WIDTH, WIDTH)
HERE = 10 * WIDTH + 10


def line(start: int, goal: int, is_open: Callable[[int], bool] = lambda _: True) -> list[int]:
    return GRID.line(start, goal, is_open)


def test_line_leaves_begins_and_ends_goal() -> None:
    """A line leaves out where it begins and ends at its goal."""
    assert line(HERE, HERE + 3) == [HERE + 1, HERE + 2, HERE + 3]
    assert line(HERE, HERE - 2 * WIDTH - 2) == [HERE - WIDTH - 1, HERE - 2 * WIDTH - 2]
    assert line(HERE, HERE) == []


def test_a_line_has_no_gap_and_as_many_cells_as_steps() -> None:
    for goal in range(WIDTH * WIDTH):
        cells = [HERE, *line(HERE, goal)]
        assert len(cells) == GRID.distance(HERE, goal) + 1, goal
        assert all(GRID.distance(a, b) == 1 for a, b in pairwise(cells)), goal


@pytest.mark.rule("F25")
def test_who_can_hit_can_be_hit_over_the_same_cells() -> None:
    for goal in range(WIDTH * WIDTH):
        there = [HERE, *line(HERE, goal)]
        back = [goal, *line(goal, HERE)]
        assert there == back[::-1], goal


@pytest.mark.rule("F25")
def test_a_line_between_two_cells_takes_the_open_one() -> None:
    """A knight's move runs between two cells: over the one towards the south-east, over the other where that is a wall."""
    middle = HERE + 1
    assert line(HERE, HERE + 2 + WIDTH) == [middle + WIDTH, HERE + 2 + WIDTH]
    assert line(HERE, HERE + 2 + WIDTH, lambda cell: cell != middle + WIDTH) == [middle, HERE + 2 + WIDTH]
    assert line(HERE, HERE + 2 - WIDTH) == [middle, HERE + 2 - WIDTH]
    assert line(HERE, HERE + 2 - WIDTH, lambda cell: cell != middle) == [middle - WIDTH, HERE + 2 - WIDTH]


def test_a_step_ends_at_the_edge() -> None:
    grid = Grid(3, 2)
    assert [grid.step(0, *way) for way in DIRECTIONS] == [None, None, 1, 4, 3, None, None, None]
    assert grid.neighbors(0) == [1, 4, 3]
    assert [cell for cell in range(grid.size) if not grid.is_on_border(cell)] == []
    assert [cell for cell in range(25) if not Grid(5, 5).is_on_border(cell)] == [
        6,
        7,
        8,
        11,
        12,
        13,
        16,
        17,
        18,
    ]


@pytest.mark.parametrize("radius", range(5))
@pytest.mark.parametrize("cell", [0, 8, 30, 53])
def test_squares_and_circles_distances_tell(cell: int, radius: int) -> None:
    """Squares and circles are what their distances tell."""
    grid = Grid(9, 6)
    x, y = grid.point(cell)
    square = [at for at in range(grid.size) if grid.distance(cell, at) <= radius]
    circle = [at for at in square if (at % 9 - x) ** 2 + (at // 9 - y) ** 2 <= radius * (radius + 1)]
    assert grid.square(cell, radius) == square
    assert [at for at in range(grid.size) if grid.is_within(radius, cell, at)] == circle
