"""The law of ways over levels of every manner and size, doors, holes and the boss's cavern: F02, F06, JG.1, JG.2."""

import pytest
from msgspec.structs import replace

from gloam_server.content.shipped import SHIPPED
from gloam_server.world.generation import arrival_cell, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import ORTHOGONAL
from support.content.level_kinds_campaign import grounds, levels_of_grounds
from support.content.shipped_files import campaign
from support.run.effort import effort
from support.world.generated_levels import generated, walk, walkable

GROUNDS = effort(1, 4)
SHARE = effort(1, 4)
"""This many seeds a share: 10 and 5 in all while one works, 50 and 20 with CI=true."""
CAVERNS = range(effort(6, 20))


@pytest.mark.rule("F02")
@pytest.mark.parametrize("chunk", range(10))
def test_walkable_cell_manner_reached_foot(chunk: int) -> None:
    """Every walkable cell of every manner is reached on foot."""
    for seed in range(chunk * GROUNDS, (chunk + 1) * GROUNDS):
        levels = levels_of_grounds(seed)
        start = arrival_cell(grounds(), seed, levels[0])
        assert walk(levels, start, grounds().directions) == walkable(levels), f"seed {seed}"
        assert all(Terrain.FLOOR in level.terrain for level in levels), f"seed {seed}"


@pytest.mark.rule("F02")
@pytest.mark.parametrize("seed", range(5))
def test_where_bodies_step_four_ways_too(seed: int) -> None:
    classic = replace(grounds(), movement="four")
    levels = generate_round(classic, seed)
    assert classic.directions == ORTHOGONAL
    assert walk(levels, arrival_cell(classic, seed, levels[0]), ORTHOGONAL) == walkable(levels)


@pytest.mark.rule("F02", "TG.2")
@pytest.mark.parametrize("chunk", range(5))
@pytest.mark.parametrize("key", sorted(set(SHIPPED) - {"jsrogue"}))
def test_cell_other_campaigns_reached(key: str, chunk: int) -> None:
    """Every cell of the other campaigns is reached too."""
    for seed in range(chunk * SHARE, (chunk + 1) * SHARE):
        levels = generated(seed, key)
        start = arrival_cell(campaign(key), seed, levels[0])
        assert walk(levels, start, campaign(key).directions) == walkable(levels), f"seed {seed}"


@pytest.mark.rule("JG.2")
@pytest.mark.parametrize("seed", CAVERNS)
def test_cavern_round_cave_lakes_solid_rock(seed: int) -> None:
    """The cavern is a round cave with lakes in solid rock."""
    cavern = generated(seed)[-1]
    assert (cavern.kind, cavern.width, cavern.height) == ("cavern", 80, 24)
    for cell, what in enumerate(cavern.terrain):
        x, y = cell % 80, cell // 80
        if (x - 40) ** 2 + (y - 12) ** 2 > 11 * 11:
            assert what == Terrain.WALL
    lakes = cavern.terrain.count(Terrain.WATER)
    assert 3 <= lakes <= 6 * 13
    assert cavern.terrain.count(Terrain.FLOOR) > 200


@pytest.mark.rule("JG.2", "F06")
@pytest.mark.parametrize("seed", CAVERNS)
def test_hole_last_cave_leads_and_stairs_lead(seed: int) -> None:
    """One hole in the last cave leads in and stairs lead out."""
    maps = generated(seed)
    assert [level.terrain.count(Terrain.HOLE) for level in maps] == [0] * 5 + [1, 0]
    cave, cavern = maps[-2:]
    hole = cave.terrain.index(Terrain.HOLE)
    landing = dict(cave.links)[hole]
    assert cavern.terrain[landing] == Terrain.STAIRS_UP
    assert dict(cavern.links) == {landing: hole}
    assert cavern.terrain.count(Terrain.STAIRS_UP) == 1
    assert len(find_regions(cavern.terrain, cavern.grid, campaign().directions).cells) == 1


@pytest.mark.rule("JG.1")
def test_the_tiles_of_the_cave_are_those_of_its_table() -> None:
    found = {what for level in generated(1) for what in level.terrain}
    assert found == {
        Terrain.FLOOR, Terrain.WALL, Terrain.STAIRS_UP, Terrain.STAIRS_DOWN, Terrain.HOLE, Terrain.WATER,
    }  # fmt: skip


@pytest.mark.rule("JG.2")
def test_giant_zombies_live_in_caverns_only() -> None:
    """The giant zombie is in the cavern and no one else."""
    cavern = generated(1)[-1]
    assert [(drawn.kind, drawn.levels, drawn.count) for drawn in cavern.creatures] == [("giant_zombie", 0, 1)]
    assert cavern.goods == ()
