"""The law of ways down in the flagship: from each cell of a level a way on foot leads to stairs down, without digging.
A sealed room is left by devices inside it or by the force that opened it (F175-F180), so its gates count as open.

After any way to a level (stairs both ways, a fall, a new life, magic), the player stands on one of these
cells. A thousand seeds: `SEEDS=1000 python -m pytest tests/server/world/generation/test_ways_down.py`.
"""

import os

import pytest

from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_shared.appearance import Terrain
from support.content.shipped_files import campaign
from support.run.effort import effort
from support.world.generated_levels import generated, opened

CHUNKS = 4
WAYS_DOWN = {Terrain.STAIRS_DOWN, Terrain.HOLE}
SEEDS = int(os.environ.get("SEEDS", effort(4, 14)))


@pytest.mark.thorough
@pytest.mark.rule("F02")
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_flagship_level_is_one_region(chunk: int) -> None:
    """Each level of the flagship is one region with a way down, once its gates are open."""
    flagship = campaign("gloam")
    for seed in range(chunk, SEEDS, CHUNKS):
        levels = generated(seed, "gloam")
        for level in levels:
            regions = find_regions(opened(level), level.grid, flagship.directions)
            assert len(regions.cells) == 1, f"seed {seed}, depth {level.depth}: {len(regions.cells)} regions"
        for level in levels[:-1]:
            assert WAYS_DOWN & set(level.terrain), f"seed {seed}, depth {level.depth}: no way down"
