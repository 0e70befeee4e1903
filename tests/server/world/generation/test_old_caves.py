"""Old caves: rules TG.1 to TG.3, against a plain reading of them."""

import pytest
from msgspec.structs import replace

from gloam_server.rules.dice import Dice, stream
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.connectivity.stair_building import connect
from gloam_server.world.generation.terrain.old_caves import old_cave_terrain
from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import DIRECTIONS, Grid
from support.content.level_kinds_campaign import grounds, levels_of_grounds
from support.world.generated_levels import parsed

WIDTH, HEIGHT = 90, 32
RULES = replace(
    grounds().levels["level2"], width=WIDTH, height=HEIGHT, passes=8, fill_percent=50, region_min=25
)


def smoothed(seed: int) -> list[list[bool]]:
    """Return the cave before small regions go, column by column, by the rule's own words: the plain reference."""
    noise = stream("caves", seed, 1, 0, size=WIDTH * HEIGHT)
    before = [[noise[y * WIDTH + x] < 128 for y in range(HEIGHT)] for x in range(WIDTH)]
    after = [[False] * HEIGHT for _ in range(WIDTH)]
    for _ in range(8):
        for x in range(WIDTH):
            for y in range(HEIGHT):
                around = [
                    before[x + dx][y + dy]
                    for dx in (-1, 0, 1)
                    for dy in (-1, 0, 1)
                    if 0 <= x + dx < WIDTH and 0 <= y + dy < HEIGHT
                ]
                after[x][y] = around.count(True) >= around.count(False)
        before = after  # the shared buffer: from here on a pass reads what it has just written
    return after


@pytest.mark.rule("TG.1", "TG.2")
@pytest.mark.parametrize("seed", [1, 2**63])
def test_eight_passes_share_a_buffer(seed: int) -> None:
    """Eight passes run over a shared buffer, and regions below 25 cells are filled."""
    columns = smoothed(seed)
    expected = bytearray(
        Terrain.FLOOR if columns[x][y] else Terrain.WALL for y in range(HEIGHT) for x in range(WIDTH)
    )
    for region in find_regions(expected, RULES.grid, DIRECTIONS).cells:
        if len(region) < 25:
            for cell in region:
                expected[cell] = Terrain.WALL
    assert old_cave_terrain(RULES, seed, 1) == bytes(expected)


@pytest.mark.rule("TG.2")
@pytest.mark.parametrize("seed", range(20))
def test_no_region_of_fewer_than_25_cells_is_left(seed: int) -> None:
    cave = old_cave_terrain(RULES, seed, 1)
    assert min(len(region) for region in find_regions(cave, RULES.grid, DIRECTIONS).cells) >= 25


@pytest.mark.rule("TG.2")
@pytest.mark.parametrize(
    ("cells", "stairs"), [(1, 1), (250, 1), (251, 2), (500, 2), (502, 3), (753, 4), (2_000, 8)]
)
def test_stairs_are_placed_by_overlap(cells: int, stairs: int) -> None:
    """Stairs are placed while the overlap divided by the stairs is more than 250."""
    above, below = bytearray([Terrain.FLOOR]) * cells, bytearray([Terrain.FLOOR]) * cells
    regions = find_regions(above, Grid(cells, 1), DIRECTIONS)
    connect(Dice(1, 1, 0), above, below, (regions, regions), share=250)
    down = [cell for cell, what in enumerate(above) if what == Terrain.STAIRS_DOWN]
    assert down == [cell for cell, what in enumerate(below) if what == Terrain.STAIRS_UP]
    made = 1
    while cells // made > 250:
        made += 1
    assert len(down) == made == stairs


@pytest.mark.rule("TG.2")
@pytest.mark.parametrize("seed", range(10))
def test_one_way_out_lies_on_the_first_level_alone(seed: int) -> None:
    maps = levels_of_grounds(seed)
    assert [level.terrain.count(Terrain.EXIT) for level in maps] == [1] + [0] * (len(maps) - 1)


@pytest.mark.rule("TG.3")
def test_tiles_differ_and_walls_alone_block() -> None:
    """Floor, wall, stairs and the exit differ, and only walls block."""
    tiles = (Terrain.FLOOR, Terrain.WALL, Terrain.STAIRS_DOWN, Terrain.STAIRS_UP, Terrain.EXIT)
    assert len({TERRAIN_LOOKS[tile].words for tile in tiles}) == len(tiles)
    assert [tile in WALKABLE for tile in tiles] == [True, False, True, True, True]
    assert parsed("#.") == bytearray([Terrain.WALL, Terrain.FLOOR])
