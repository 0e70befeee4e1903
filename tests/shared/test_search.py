"""Search: everything that can be reached, the nearest first."""

from gloam_shared.search import reachable

WIDTH, HEIGHT = 5, 3
WALLS = {2, 7}
"""
01#34
56#89
.....
"""


def test_cells_come_nearest_first_and_in_the_order_of_directions() -> None:
    straight = ((0, -1), (1, 0), (0, 1), (-1, 0))
    found = list(reachable(0, lambda cell: cell not in WALLS, WIDTH, HEIGHT, straight))
    assert found[:6] == [(0, 0), (1, 1), (5, 1), (6, 2), (10, 2), (11, 3)]
    assert [steps for _, steps in found] == sorted(steps for _, steps in found)
    assert {cell for cell, _ in found} == set(range(WIDTH * HEIGHT)) - WALLS


def test_the_start_need_not_be_enterable_and_a_search_may_stop() -> None:
    assert list(reachable(7, lambda _: False, WIDTH, HEIGHT)) == [(7, 0)]
    assert next(reachable(7, lambda _: True, WIDTH, HEIGHT)) == (7, 0)
