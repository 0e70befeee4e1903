"""Stairs: one for each pair of regions that lie above each other."""

from collections import Counter

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import Regions, find_regions
from gloam_server.world.generation.connectivity.stair_building import connect
from gloam_server.world.generation.terrain.caves import cave_terrain
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS, Grid
from support.content.shipped_files import campaign
from support.world.generated_levels import parsed


def regions(*levels: bytearray, width: int) -> tuple[Regions, Regions]:
    above, below = (find_regions(level, Grid(width, len(level) // width), DIRECTIONS) for level in levels)
    return above, below


@pytest.mark.rule("J7.7")
@pytest.mark.parametrize("seed", range(5))
def test_overlapping_regions_share_one_staircase(seed: int) -> None:
    """Each pair of regions that overlap gets exactly one staircase."""
    above, below = (bytearray(cave_terrain(campaign().levels["caves"], seed, depth)) for depth in (1, 2))
    upper, lower = regions(above, below, width=100)
    pairs = {
        (upper.of[cell], lower.of[cell])
        for cell in range(len(above))
        if above[cell] == below[cell] == Terrain.FLOOR
    }
    connect(Dice(seed, 1, 0), above, below, (upper, lower))
    down = [cell for cell, what in enumerate(above) if what == Terrain.STAIRS_DOWN]
    assert [cell for cell, what in enumerate(below) if what == Terrain.STAIRS_UP] == down
    assert Counter((upper.of[cell], lower.of[cell]) for cell in down) == Counter(pairs)


@pytest.mark.rule("J7.7")
def test_a_cell_has_one_staircase() -> None:
    """A cell with stairs is no floor and gets no second staircase."""
    above, below = parsed("##.##", "<#<##"), parsed(".#.##", ".#.##")
    connect(Dice(1, 1, 0), above, below, regions(above, below, width=5))
    assert above == parsed("##>##", "<#<##")
    assert below == parsed(".#<##", ".#.##")


@pytest.mark.rule("J7.7")
def test_each_common_cell_may_become_the_staircase() -> None:
    found = set()
    for seed in range(60):
        above, below = parsed("...", "###"), parsed("...", "...")
        connect(Dice(seed, 1, 0), above, below, regions(above, below, width=3))
        found.add(above.index(Terrain.STAIRS_DOWN))
    assert found == {0, 1, 2}


def test_levels_that_share_no_floor_get_no_stairs() -> None:
    above, below = parsed("..##"), parsed("##..")
    connect(Dice(1, 1, 0), above, below, regions(above, below, width=4))
    assert (above, below) == (parsed("..##"), parsed("##.."))
