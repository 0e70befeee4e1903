"""Caves: the cellular automaton against a plain one, and the removal of small regions."""

import pytest

from gloam_server.rules.dice import stream
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.terrain.caves import cave_terrain
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS, Grid
from support.content.shipped_files import campaign, variant

WIDTH, HEIGHT = 100, 48
GRID = Grid(WIDTH, HEIGHT)


def automaton(seed: int, depth: int, attempt: int) -> bytes:
    """Return jsrogue's cave before small regions go, by the rule's own words: the plain reference."""
    noise = stream("caves", seed, depth, attempt, size=WIDTH * HEIGHT)
    alive = [byte < 128 for byte in noise]
    for _ in range(3):
        around = [sum(alive[n] for n in GRID.neighbors(cell)) for cell in range(WIDTH * HEIGHT)]
        alive = [count >= 4 if lives else count >= 5 for lives, count in zip(alive, around, strict=True)]
    return bytes(Terrain.FLOOR if lives else Terrain.WALL for lives in alive)


@pytest.mark.rule("J7.4", "J7.5", "J7.6")
@pytest.mark.parametrize(("seed", "depth", "attempt"), [(1, 1, 0), (1, 2, 0), (2**63, 6, 3)])
def test_a_cave_is_three_passes_less_its_small_regions(seed: int, depth: int, attempt: int) -> None:
    expected = bytearray(automaton(seed, depth, attempt))
    small = [region for region in find_regions(expected, GRID, DIRECTIONS).cells if len(region) <= 20]
    for region in small:
        for cell in region:
            expected[cell] = Terrain.WALL
    assert small, "this seed proves nothing about small regions"
    assert cave_terrain(campaign().levels["caves"], seed, depth, attempt) == bytes(expected)


@pytest.mark.rule("J7.4")
@pytest.mark.parametrize("percent", [40, 60, 80])
def test_the_first_filling_is_the_campaigns_percentage(percent: int) -> None:
    bare = variant(
        "fill_percent = 50\npasses = 3\nregion_min = 21",
        f"fill_percent = {percent}\npasses = 0\nregion_min = 1",
        "levels.toml",
    )
    floor = sum(cave_terrain(bare.levels["caves"], seed, 1).count(Terrain.FLOOR) for seed in range(5))
    assert abs(floor * 100 - percent * WIDTH * HEIGHT * 5) < WIDTH * HEIGHT * 5


@pytest.mark.rule("J7.6")
@pytest.mark.parametrize("seed", range(20))
def test_no_region_of_20_cells_or_fewer_is_left(seed: int) -> None:
    cave = cave_terrain(campaign().levels["caves"], seed, 1)
    assert len(cave) == WIDTH * HEIGHT
    assert set(cave) == {Terrain.FLOOR, Terrain.WALL}
    assert min(len(region) for region in find_regions(cave, GRID, DIRECTIONS).cells) > 20


def test_seed_depth_and_attempt_each_give_another_cave() -> None:
    caves = [
        cave_terrain(campaign().levels["caves"], *key) for key in ((1, 1, 0), (2, 1, 0), (1, 2, 0), (1, 1, 1))
    ]
    assert len(set(caves)) == 4
    assert cave_terrain(campaign().levels["caves"], 1, 1) == caves[0]
