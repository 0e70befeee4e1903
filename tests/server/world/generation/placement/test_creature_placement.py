"""Population: who lives on a level, where, and how much stronger each depth makes them."""

from collections import Counter

import pytest

from gloam_server.world.generation import difficulty, generate_round, scatter_creatures
from gloam_shared.appearance import Terrain
from support.content.shipped_files import campaign, variant
from support.world.generated_levels import parsed


@pytest.mark.rule("J14.14")
def test_each_depth_gives_exactly_one_level_more() -> None:
    assert [difficulty(campaign(), 1, depth) for depth in range(1, 7)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.rule("J14.14")
def test_the_levels_of_a_depth_are_the_campaigns() -> None:
    steep = variant("levels_per_depth = 1", "levels_per_depth = 3", "levels.toml")
    assert [difficulty(steep, 1, depth) for depth in range(1, 5)] == [0, 3, 6, 9]


@pytest.mark.rule("J14.14", "J7.9")
@pytest.mark.parametrize("seed", range(5))
def test_fifteen_monsters_stand_plain_floor(seed: int) -> None:
    """Fifteen monsters stand each on plain floor of its own."""
    for level in generate_round(campaign(), seed)[:6]:
        spawns = scatter_creatures(
            campaign(), seed, level.depth, level.terrain, monsters=15, difficulty=level.depth - 1
        )
        assert len({spawn.cell for spawn in spawns}) == len(spawns) == 15
        assert all(level.terrain[spawn.cell] == Terrain.FLOOR for spawn in spawns)
        assert {spawn.levels for spawn in spawns} == {level.depth - 1}


@pytest.mark.rule("J14.14")
def test_all_kinds_that_spawn_are_about_equally_common() -> None:
    floor = bytes([Terrain.FLOOR]) * 4_000
    spawns = scatter_creatures(campaign(), 3, 1, floor, monsters=4_000, difficulty=0)
    counted = Counter(spawn.kind for spawn in spawns)
    assert sorted(counted) == ["bat", "fungus", "kobold", "newt", "slime"]
    assert all(700 < times < 900 for times in counted.values())


@pytest.mark.rule("J7.12")
def test_scarce_room_places_one_each_without_retry() -> None:
    """With too little room each cell gets one creature, and nothing is tried again."""
    cave = bytes(parsed("#.<.>.#"))
    spawns = scatter_creatures(campaign(), 3, 1, cave, monsters=15, difficulty=0)
    assert sorted(spawn.cell for spawn in spawns) == [1, 3, 5]
    assert scatter_creatures(campaign(), 3, 1, bytes(parsed("##<>")), monsters=15, difficulty=0) == ()


def test_no_spawn_in_view_of_a_player() -> None:
    cave = bytes(parsed("......"))
    spawns = scatter_creatures(
        campaign(), 3, 1, cave, monsters=15, difficulty=0, avoid=bytes([1, 1, 0, 1, 0, 1])
    )
    assert sorted(spawn.cell for spawn in spawns) == [2, 4]


def test_seed_depth_input_give_another_population() -> None:
    """Seed depth and input each give another population."""
    floor = bytes([Terrain.FLOOR]) * 400
    keys = [(1, 1, 0), (2, 1, 0), (1, 2, 0), (1, 1, 5)]
    found = [
        scatter_creatures(campaign(), seed, depth, floor, monsters=15, difficulty=0, number=number)
        for seed, depth, number in keys
    ]
    assert len(set(found)) == 4
    assert scatter_creatures(campaign(), 1, 1, floor, monsters=15, difficulty=0) == found[0]
