"""Items on the floor: rules JG.17 and JG.18."""

from collections import Counter

import pytest

from gloam_server.world.generation import PlacedItem, generate_round, scatter_items, unique_things
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.appearance import Terrain
from support.content.shipped_files import campaign, variant
from support.world.generated_levels import parsed

UNIQUE = ["chainmail", "dagger", "platemail", "staff", "sword", "tunic"]


@pytest.mark.rule("JG.18")
@pytest.mark.parametrize("seed", range(5))
def test_fifteen_common_things_lie_plain_floor(seed: int) -> None:
    """Fifteen common things lie on plain floor of each level."""
    for level in generate_round(campaign(), seed):
        finds = scatter_items(campaign(), seed, level.depth, level.terrain, items=15)
        assert len(finds) == 15
        assert all(level.terrain[find.cell] == Terrain.FLOOR for find in finds)


@pytest.mark.rule("JG.18")
def test_the_four_common_kinds_are_equally_likely() -> None:
    floor = bytes([Terrain.FLOOR]) * 100
    counted = Counter(find.kind for find in scatter_items(campaign(), 3, 1, floor, items=4_000))
    assert sorted(counted) == ["apple", "melon", "pumpkin", "rock"]
    assert all(900 < times < 1_100 for times in counted.values())


@pytest.mark.rule("JG.17")
@pytest.mark.parametrize("seed", range(20))
def test_weapon_and_armour_exactly_depth(seed: int) -> None:
    """Each weapon and armor is on exactly one depth."""
    found_on = [key for depth in range(1, 7) for key in unique_things(campaign(), seed, depth)]
    assert sorted(found_on) == UNIQUE


@pytest.mark.rule("JG.17")
def test_all_depths_are_about_equally_likely() -> None:
    counted = Counter(
        depth for seed in range(600) for depth in range(1, 7) for _ in unique_things(campaign(), seed, depth)
    )
    assert all(500 < counted[depth] < 700 for depth in range(1, 7))


@pytest.mark.rule("JG.17", "JG.18")
def test_a_dungeon_holds_15_items_a_level() -> None:
    """A whole dungeon holds 15 items a level, and each unique one once."""
    dungeon = new_dungeon(campaign(), 7)
    populate(dungeon)
    counted = Counter(item.kind for level in dungeon.levels.values() for _, item in level.items_at())
    assert [counted[kind] for kind in UNIQUE] == [1] * 6
    assert sum(counted[kind] for kind in ("apple", "melon", "pumpkin", "rock")) == 6 * 15
    assert sum(counted.values()) == 96


def test_more_of_one_thing_moves_no_unique_one() -> None:
    cave = generate_round(campaign(), 3)[0].terrain
    few, many = (scatter_items(campaign(), 3, 1, cave, items=n, unique=("sword",)) for n in (2, 30))
    assert few[-1] == many[-1]


def test_without_floor_nothing() -> None:
    """Without floor there is nothing and without common kinds only what is unique."""
    assert scatter_items(campaign(), 3, 1, bytes(parsed("##<>")), items=9, unique=("sword",)) == ()
    bare = variant("items = 15", "items = 0", "levels.toml")
    assert scatter_items(bare, 3, 1, bytes(parsed("#.#")), items=0, unique=("sword",)) == (
        PlacedItem("sword", 1),
    )
