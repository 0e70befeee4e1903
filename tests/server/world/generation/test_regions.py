"""Regions: what hangs together on foot."""

import pytest

from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Grid
from support.world.generated_levels import parsed

CAVE = parsed(
    "..#.",
    "##.#",
    "...<",
    "####",
    ".#.~",
)


@pytest.mark.rule("J7.5")
def test_regions_hang_together_eight_ways() -> None:
    regions = find_regions(CAVE, Grid(4, 5), DIRECTIONS)
    assert regions.cells == ((0, 1, 3, 6, 8, 9, 10, 11), (16,), (18,))
    assert regions.of == (0, 0, -1, 0, -1, -1, 0, -1, 0, 0, 0, 0, -1, -1, -1, -1, 1, -1, 2, -1)
    assert regions.largest == 0


def test_four_ways_a_corner_does_not_join() -> None:
    regions = find_regions(CAVE, Grid(4, 5), ORTHOGONAL)
    assert regions.cells == ((0, 1), (3,), (6, 8, 9, 10, 11), (16,), (18,))
    assert regions.largest == 2


def test_the_edge_of_a_row_does_not_join_the_next() -> None:
    assert len(find_regions(parsed("#.", ".#", "##"), Grid(2, 3), ORTHOGONAL).cells) == 2
    assert find_regions(parsed("##.", "###", ".##"), Grid(3, 3), DIRECTIONS).cells == ((2,), (6,))


def test_equally_large_regions_first_largest() -> None:
    """Of equally large regions the first is the largest."""
    assert find_regions(parsed(".#.", ".#."), Grid(3, 2), DIRECTIONS).largest == 0


def test_solid_rock_has_no_region() -> None:
    assert find_regions(parsed("##", "##"), Grid(2, 2), DIRECTIONS).cells == ()
