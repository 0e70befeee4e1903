"""Straight lines: where they begin and end, that they have no gap, and that they are the same both ways."""

from itertools import pairwise

import pytest

from gloam_shared.geometry import chebyshev
from gloam_shared.straight_line import straight_line

WIDTH = 21
HERE = 10 * WIDTH + 10


def test_a_line_leaves_out_where_it_begins_and_ends_at_its_goal() -> None:
    assert straight_line(HERE, HERE + 3, WIDTH) == [HERE + 1, HERE + 2, HERE + 3]
    assert straight_line(HERE, HERE - 2 * WIDTH - 2, WIDTH) == [HERE - WIDTH - 1, HERE - 2 * WIDTH - 2]
    assert straight_line(HERE, HERE, WIDTH) == []


@pytest.mark.parametrize("goal", range(0, WIDTH * WIDTH, 7))
def test_a_line_has_no_gap_and_as_many_cells_as_steps(goal: int) -> None:
    cells = [HERE, *straight_line(HERE, goal, WIDTH)]

    assert len(cells) == chebyshev(HERE, goal, WIDTH) + 1
    assert all(chebyshev(a, b, WIDTH) == 1 for a, b in pairwise(cells))


@pytest.mark.rule("F25")
@pytest.mark.parametrize("goal", range(WIDTH * WIDTH))
def test_who_can_hit_can_be_hit_over_the_same_cells(goal: int) -> None:
    there = [HERE, *straight_line(HERE, goal, WIDTH)]
    back = [goal, *straight_line(goal, HERE, WIDTH)]

    assert there == back[::-1]
