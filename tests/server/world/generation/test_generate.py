"""All levels of a realm: their number and size, that everything can be reached, and that a seed is a promise."""

import os
import subprocess
import sys
from hashlib import sha256
from itertools import pairwise

import msgspec
import pytest

from gloam_server.world.generation import NoDungeon, arrival_cell, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_shared.appearance import Terrain
from support.content.shipped_files import campaign, variant
from support.run.effort import effort
from support.world.generated_levels import generated, walk, walkable

CHUNK = effort(6, 14)
"""Sixty seeds in all while one works, 200 with CI=true."""

_HASH_PROGRAM = """
from hashlib import sha256
from gloam_server.world.generation import arrival_cell, generate_round, scatter_creatures
from support.content.shipped_files import campaign
levels = generate_round(campaign(), 11)
whole = sha256(b"".join(level.terrain for level in levels))
whole.update(repr(arrival_cell(campaign(), 11, levels[0])).encode())
for level in levels:
    whole.update(repr(scatter_creatures(campaign(), 11, level.depth, level.terrain, monsters=15, difficulty=1)).encode())
print(whole.hexdigest())
"""


@pytest.mark.thorough
@pytest.mark.parametrize("chunk", range(10))
def test_walkable_cell_reached_foot_arrival_place(chunk: int) -> None:
    """Every walkable cell can be reached on foot from the arrival place."""
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        levels = generated(seed)
        start = arrival_cell(campaign(), seed, levels[0])
        assert levels[0].terrain[start] == Terrain.FLOOR, f"seed {seed}"
        assert walk(levels, start, campaign().directions) == walkable(levels), f"seed {seed}"
        assert all(Terrain.FLOOR in level.terrain for level in levels), f"seed {seed}"


@pytest.mark.parametrize("seed", range(effort(5, 14)))
def test_bodies_step_four_ways_everything_reached(seed: int) -> None:
    """A level where bodies step four ways is reached four ways everywhere."""
    classic = variant('movement = "eight"', 'movement = "four"')
    levels = generate_round(classic, seed)
    assert walk(levels, arrival_cell(classic, seed, levels[0]), classic.directions) == walkable(levels)


@pytest.mark.rule("J7.3")
def test_the_whole_realm_is_made_at_once() -> None:
    levels = generated(5)
    assert [(level.depth, level.grid.width, level.grid.height) for level in levels] == [
        *((at, 100, 48) for at in range(1, 7)),
        (7, 80, 24),
    ]
    assert [len(level.terrain) for level in levels] == [4_800] * 6 + [1_920]


@pytest.mark.rule("J7.7")
@pytest.mark.parametrize("seed", range(10))
def test_stairs_come_in_pairs_at_the_same_cell(seed: int) -> None:
    levels = generated(seed)[:6]
    for above, below in pairwise(levels):
        down = [cell for cell, what in enumerate(above.terrain) if what == Terrain.STAIRS_DOWN]
        assert down == [cell for cell, what in enumerate(below.terrain) if what == Terrain.STAIRS_UP]
        assert down
    assert Terrain.STAIRS_UP not in levels[0].terrain
    assert Terrain.STAIRS_DOWN not in levels[-1].terrain


@pytest.mark.parametrize("seed", range(10))
def test_new_lives_begin_in_the_largest_region(seed: int) -> None:
    first = generated(seed)[0]
    regions = find_regions(first.terrain, first.grid, campaign().directions)
    assert regions.of[arrival_cell(campaign(), seed, first)] == regions.largest


def test_same_seed_gives_same_levels() -> None:
    """The same seed gives the same levels and another seed others."""
    assert generate_round(campaign(), 9) == generate_round(campaign(), 9)
    assert generate_round(campaign(), 9) != generate_round(campaign(), 10)


def test_a_dungeon_without_floor_is_tried_again() -> None:
    sparse = variant(
        'depths = [1, 6]\ngenerator = "caves"\nwidth = 100\nheight = 48\nlit_percent = 100\nfill_percent = 50',
        'depths = [1, 6]\ngenerator = "caves"\nwidth = 20\nheight = 10\nlit_percent = 100\nfill_percent = 52',
        "levels.toml",
    )
    made = 0
    for seed in range(30):
        levels = generate_round(sparse, seed)
        made += len(levels)
        assert all(Terrain.FLOOR in level.terrain for level in levels)
        assert walk(levels, arrival_cell(sparse, seed, levels[0]), sparse.directions) == walkable(levels)
    assert made == 210


def test_numbers_leave_no_floor_refused() -> None:
    """Numbers that leave no floor are refused after a bounded number of attempts."""
    caves = msgspec.structs.replace(
        campaign().levels["caves"], width=20, height=10, region_min=200, fill_percent=40
    )
    with pytest.raises(
        NoDungeon, match=r"jsrogue leaves a level without floor, .* raise the level's fill_percent"
    ):
        generate_round(msgspec.structs.replace(campaign(), levels={"caves": caves}), 1)


@pytest.mark.thorough
def test_seed_kept_whatever_hash_seed_python() -> None:
    """A seed is kept with any hash seed of Python."""
    found = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        ran = subprocess.run(
            [sys.executable, "-c", _HASH_PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        found.add(ran.stdout.strip())
    assert len(found) == 1
    assert len(found.pop()) == len(sha256().hexdigest())
