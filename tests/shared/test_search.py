"""Search: everything that can be reached, the nearest first."""

from gloam_shared.geometry import Grid
from gloam_shared.search import reachable

GRID = Grid(5, 3)
WALLS = {2, 7}
"""
01#34
56#89
.....
"""


def test_cells_come_nearest_first() -> None:
    """Cells are yielded nearest first and in the order of directions."""
    straight = ((0, -1), (1, 0), (0, 1), (-1, 0))
    found = list(reachable(0, lambda cell: cell not in WALLS, GRID, straight))
    assert found[:6] == [(0, 0), (1, 1), (5, 1), (6, 2), (10, 2), (11, 3)]
    assert [steps for _, steps in found] == sorted(steps for _, steps in found)
    assert {cell for cell, _ in found} == set(range(GRID.size)) - WALLS


def test_start_need_not_enterable_and_search_stop() -> None:
    """The start need not be enterable and a search may stop."""
    assert list(reachable(7, lambda _: False, GRID)) == [(7, 0)]
    assert next(reachable(7, lambda _: True, GRID)) == (7, 0)


def test_search_ends_goal_cannot_entered() -> None:
    """A search ends with its goal even where that cannot be entered."""
    found = list(reachable(0, lambda cell: cell not in WALLS, GRID, goal=7))
    assert found[-1] == (7, 2)
    assert max(steps for _, steps in found) == 2


def test_search_looks_around_no_more_cells_limit() -> None:
    """A search looks around no more cells than its limit."""
    asked: list[int] = []

    def enters(cell: int) -> bool:
        asked.append(cell)
        return cell not in WALLS

    assert list(reachable(0, enters, GRID, limit=2)) == [(0, 0), (1, 1), (6, 1), (5, 1)]
    assert asked == [1, 6, 5, 2, 7]
