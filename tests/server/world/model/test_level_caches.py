"""The cells around a cell, kept: the same as a fresh search finds, for each caller and after a change of the terrain."""

from itertools import islice

import pytest

from gloam_server.world.model.level_caches import NearestCells
from gloam_shared.geometry import Grid
from gloam_shared.search import reachable

GRID = Grid(7, 5)
WALLS = {9, 10, 16, 24, 31}


@pytest.fixture
def walls() -> set[int]:
    return set(WALLS)


def found_fresh(start: int, walls: set[int]) -> list[int]:
    return [cell for cell, _ in reachable(start, lambda cell: cell not in walls, GRID)]


def test_cells_come_in_the_order_of_a_fresh_search(walls: set[int]) -> None:
    nearest = NearestCells(GRID, lambda cell: cell not in walls)
    first = list(islice(nearest.around(8), 4))
    both = zip(nearest.around(8), nearest.around(8), strict=True)  # two callers at the same time
    fresh = found_fresh(8, walls)
    assert first == fresh[:4]
    assert list(both) == [(cell, cell) for cell in fresh]


def test_a_change_of_the_terrain_is_followed(walls: set[int]) -> None:
    nearest = NearestCells(GRID, lambda cell: cell not in walls)
    list(islice(nearest.around(8), 3))
    walls.discard(9)
    nearest.clear()
    assert list(nearest.around(8)) == found_fresh(8, walls)


def test_many_starts_are_searched(walls: set[int]) -> None:
    nearest = NearestCells(GRID, lambda cell: cell not in walls)
    for start in range(GRID.size):
        assert list(nearest.around(start)) == found_fresh(start, walls)
