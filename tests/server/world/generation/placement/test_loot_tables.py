"""The items that are to lie on a level: rules TG.14, TG.15, RG.10, RG.12-RG.15, R13, R14, F43 and F44."""

from collections import Counter

import pytest
from msgspec.structs import replace

from gloam_server.content.levels import Quota
from gloam_server.rules.dice import Dice
from gloam_server.world.generation import generate_round, place_items, unique_things
from gloam_server.world.generation.draft import LevelDraft, PlannedItem, Room
from gloam_server.world.generation.placement.loot_schemes import choose_items
from gloam_server.world.generation.placement.loot_tables import (
    choose_item,
    gear_kinds,
    is_gear_depth,
)
from gloam_server.world.model.inputs import Respawn
from gloam_server.world.population.new_levels import initial_population, make_levels
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.appearance import Terrain
from support.content.level_kinds_campaign import grounds, levels_of_grounds, levels_of_rugged, rugged
from support.content.shipped_files import campaign
from support.world.generated_levels import parsed

ROOMS = tuple(Room(2 + 10 * at, 2, 6, 6) for at in range(7))
TRYSTAN = (
    Quota(kind="apple", base=57),
    Quota(group="armour", base=1),
    Quota(group="weapon", base=2),
    Quota(group="potion", base=1, per_depth=1),
    Quota(group="scroll", base=1, per_depth=1),
)


def chosen(depth: int, seed: int, difficulty: int = 100, wins: int = 0, base: int = 0) -> list[PlannedItem]:
    """Return the things of a level of seven rooms."""
    kind = rugged().levels["rooms"]
    level = LevelDraft(
        kind, depth, depth, bytearray([Terrain.FLOOR]) * (kind.width * kind.height), ROOMS, difficulty
    )
    choose_items(rugged(), Dice(seed, depth, 0), level, seed, wins=wins, base=base)
    return level.goods


def group(good: PlannedItem) -> str:
    return rugged().items[good.kind].group


@pytest.mark.rule("TG.14")
@pytest.mark.parametrize(("depth", "of_depth"), [(1, 1), (3, 3), (5, 5)])
def test_each_depth_has_its_number_of_items(depth: int, of_depth: int) -> None:
    """Each depth has its number of items, and one more potion and book."""
    kind = replace(grounds().levels["cavern"], goods="counts", things=TRYSTAN)
    level = LevelDraft(kind, depth, depth, bytearray([Terrain.FLOOR]) * (kind.width * kind.height))
    choose_items(grounds(), Dice(1, depth, 0), level, 1)
    counted = Counter(grounds().items[good.kind].group for good in level.goods)
    assert counted == {"food": 57, "armour": 1, "weapon": 2, "potion": of_depth, "scroll": of_depth}


@pytest.mark.rule("TG.15")
def test_each_item_of_a_group_is_drawn_by_weight() -> None:
    kind = replace(grounds().levels["cavern"], goods="counts", things=(Quota(group="scroll", base=500),))
    level = LevelDraft(kind, 1, 1, bytearray([Terrain.FLOOR]) * (kind.width * kind.height))
    choose_items(grounds(), Dice(1, 1, 0), level, 1)
    counted = Counter(good.kind for good in level.goods)
    assert sorted(counted) == ["blaze", "bolt", "slumber"]
    assert 180 < counted["bolt"] < 250


@pytest.mark.rule("RG.10")
def test_quarter_rooms_but_first_hold_thing() -> None:
    """A quarter of the rooms but the first hold a thing."""
    found_in = Counter[Room | None]()
    for seed in range(400):
        # Depth 3 is never one that surely holds gear, so all but the ration are a room's own.
        found_in.update(good.room for good in chosen(3, seed) if group(good) != "food")
    assert ROOMS[0] not in found_in
    assert 520 < found_in.total() < 680


@pytest.mark.rule("RG.10")
def test_each_round_that_was_won_may_add_one() -> None:
    most = 0
    for seed in range(200):
        goods = [good.room for good in chosen(3, seed, wins=2) if group(good) != "food"]
        most = max([most, *Counter(goods).values()])
    assert most == 3


@pytest.mark.rule("RG.12")
def test_one_of_eleven_items_is_gear() -> None:
    """One of eleven items is gear with a bonus, and the others go by weight."""
    goods = [good for seed in range(1_500) for good in chosen(3, seed) if group(good) != "food"]
    counted = Counter(group(good) if group(good) in ("weapon", "armour") else good.kind for good in goods)
    total = len(goods)
    for key, elevenths in (("draught", 3), ("bolt", 3), ("blaze", 2), ("slumber", 2)):
        assert abs(counted[key] * 11 - elevenths * total) < total // 2
    pieces = [good for good in goods if good.bonus]
    assert len(pieces) == counted["weapon"] + counted["armour"]
    assert {good.bonus for good in pieces} == {1, 2, 3}
    assert abs(len(pieces) * 11 - total) < total // 3


@pytest.mark.rule("RG.13")
@pytest.mark.parametrize("seed", range(8))
def test_rations_and_gear_come_in_their_periods(seed: int) -> None:
    """One ration is made a level, and a weapon and an armor in each four depths."""
    for depth in range(1, 13):
        assert [good.kind for good in chosen(depth, seed) if group(good) == "food"] == ["apple"]
    for piece in ("weapon", "armour"):
        depths = [depth for depth in range(1, 81) if is_gear_depth(seed, piece, depth)]
        assert all(depth % 4 != 3 for depth in depths)
        for depth in depths[:5]:
            sure = [good for good in chosen(depth, seed) if group(good) == piece and not good.bonus]
            assert len(sure) == 1


@pytest.mark.rule("RG.13")
def test_the_ration_lies_in_any_room_the_first_too() -> None:
    rooms = {good.room for seed in range(80) for good in chosen(3, seed) if group(good) == "food"}
    assert rooms == set(ROOMS)


@pytest.mark.rule("RG.13")
def test_the_seed_draws_each_groups_depth() -> None:
    """Each four depths that belong together hold one; two in a row are possible, and no phase goes through a game."""
    offsets: set[tuple[int, ...]] = set()
    for seed in range(60):
        depths = [depth for depth in range(1, 101) if is_gear_depth(seed, "weapon", depth)]
        fits = [
            offset
            for offset in range(4)
            if all(
                sum(is_gear_depth(seed, "weapon", depth) for depth in range(first, first + 4)) == 1
                for first in range(4 - offset, 96, 4)
            )
        ]
        assert fits, seed
        offsets.add(tuple(fits))
        assert {depth % 4 for depth in depths} == {0, 1, 2}
    assert offsets == {(0, 1), (2,), (3,)}, "where rest 3 ends a four or begins one makes no difference"
    assert any(
        is_gear_depth(seed, "weapon", depth) and is_gear_depth(seed, "weapon", depth + 1)
        for seed in range(20)
        for depth in range(1, 40)
    )


@pytest.mark.rule("RG.13")
def test_gear_sure_lies_any_room_first() -> None:
    """Gear that is sure lies in any room the first too."""
    found_in = {
        good.room
        for seed in range(120)
        for good in chosen(4, seed)
        if group(good) in ("weapon", "armour") and not good.bonus
    }
    assert found_in == set(ROOMS)


@pytest.mark.rule("RG.14", "RG.15", "R13")
@pytest.mark.parametrize(("level", "index"), [(1, {1}), (25, {10}), (40, {10}), (13, {5, 6}), (5, {2, 3})])
def test_the_lists_are_walked_over_25_levels(level: int, index: set[int]) -> None:
    for piece in ("weapon", "armour"):
        drawn = [gear_kinds(rugged(), Dice(seed, 1, 1), "weapon", level * 100) for seed in range(60)]
        assert {int(key[-2:]) for key, _ in (each for each in drawn if each)} == index, piece
        assert {power for _, power in (each for each in drawn if each)} == {level}


@pytest.mark.rule("R13", "F43")
def test_gear_depths_difficulty_and_bonus_counts() -> None:
    """Gear is of the depths difficulty and the bonus counts."""
    pieces = [good for seed in range(300) for good in chosen(3, seed, 1_250) if good.bonus]
    assert pieces
    assert {good.power - good.bonus for good in pieces} == {12, 13}


@pytest.mark.rule("RG.32")
def test_gear_of_a_later_round_is_of_higher_level() -> None:
    pieces = [good for seed in range(300) for good in chosen(3, seed, 100, base=2_400) if good.bonus]
    assert {good.power - good.bonus for good in pieces} == {25}
    assert {good.kind[-2:] for good in pieces} == {"01"}, (
        "what it looks is the difficulty's, without the rounds' bonus"
    )


@pytest.mark.thorough
@pytest.mark.rule("R14", "TG.14")
@pytest.mark.parametrize("seed", range(5))
def test_the_prize_lies_on_the_last_depth(seed: int) -> None:
    """The prize lies on the last depth of the realm and nowhere else."""
    depths = len(levels_of_rugged(seed))
    on = [depth for depth in range(1, depths + 1) if "crown" in unique_things(rugged(), seed, depth, depths)]
    assert on == [depths]


@pytest.mark.rule("R14")
def test_founded_realm_holds_prize_deepest_level() -> None:
    """A founded realm holds one prize on its deepest level."""
    dungeon = new_dungeon(rugged(), 2)
    populate(dungeon)
    deepest = max(dungeon.levels)
    crowns = [
        partition
        for partition, level in dungeon.levels.items()
        for _, item in level.items_at()
        if item.kind == "crown"
    ]
    assert crowns == [deepest]


@pytest.mark.rule("R14")
@pytest.mark.parametrize("seed", range(3))
def test_the_present_lies_at_the_stairs_down(
    seed: int,
) -> None:
    """The present lies where the stairs down would be, and there again after a victory."""
    dungeon = new_dungeon(rugged(3), seed)
    populate(dungeon)
    level = dungeon.levels[max(dungeon.levels)]
    x, y = generate_round(rugged(3), seed)[-1].rooms[-1].centre
    [(cell, crown)] = [(cell, item) for cell, item in level.items_at() if item.kind == "crown"]
    assert cell == y * level.grid.width + x
    level.take_item(crown, cell)
    thawed = deserialize_level(serialize_level(level), rugged(3), seed)
    assert thawed.state.prize == cell
    dungeon.apply_input(level.partition, Respawn("crown", (1, 1, 0)))
    assert [cell for cell, item in level.items_at() if item.kind == "crown"] == [y * level.grid.width + x]


@pytest.mark.rule("R14")
def test_without_rooms_a_prize_lies_anywhere() -> None:
    dungeon = new_dungeon(campaign("rltut"), 1)
    populate(dungeon)
    assert {level.state.prize for level in dungeon.levels.values()} == {-1}


@pytest.mark.thorough
@pytest.mark.rule("RG.34")
def test_final_depths_are_those_of_the_source() -> None:
    """2,000 games of the source end on depths 19 to 30, in the mean on 23.8 (rule R14)."""
    depths = [len(generate_round(campaign("ruggrogue"), seed)) for seed in range(8)]
    assert all(19 <= depth <= 30 for depth in depths)
    assert 22.8 < sum(depths) / len(depths) < 24.8


def test_levelled_things_fit_the_difficulty() -> None:
    kinds = Counter[str]()
    for seed in range(300):
        good = choose_item(grounds(), Dice(seed, 1, 1), "weapon", 400)
        assert good is not None
        assert good.power == 4
        kinds[good.kind] += 1
    assert set(kinds) == {"weapon04"}


@pytest.mark.parametrize("seed", range(4))
def test_levelled_levels_hold_food_for_their_creatures(seed: int) -> None:
    for level in levels_of_grounds(seed)[:-1]:
        food = sum(grounds().items[good.kind].group == "food" for good in level.goods)
        assert food >= max(1, sum(drawn.count for drawn in level.creatures) // 4)


def test_goods_lie_room_anywhere_floor() -> None:
    """Goods lie in their room else anywhere on floor."""
    cave = bytes(parsed("..#..", "..#..", "#####"))
    goods = (
        PlannedItem("apple", Room(3, 0, 2, 2)),
        PlannedItem("apple", Room(0, 2, 5, 1)),
        PlannedItem("apple"),
    )
    cells = [[find.cell for find in place_items(seed, 1, 5, cave, goods)] for seed in range(60)]
    assert {each[0] for each in cells} == {3, 4, 8, 9}
    assert {each[1] for each in cells} == {0, 1, 3, 4, 5, 6, 8, 9}
    assert place_items(1, 1, 2, bytes(parsed("##")), goods[2:]) == ()


@pytest.mark.rule("RG.32")
def test_each_round_has_its_own_prize() -> None:
    """Each round has its own prize on its own last depth, and harder levels."""
    first, second = (generate_round(rugged(), 2, round_) for round_ in (1, 2))
    levels = make_levels(rugged(), 2, second)
    names = {
        floor.depth: initial_population(levels[floor.partition], floor, len(second)).finds for floor in second
    }
    crowned = {depth for depth, finds in names.items() for find in finds if find.kind == "crown"}
    assert crowned == {len(second)}
    assert [floor.partition for floor in second] == [100 + floor.depth for floor in second]
    assert second[0].terrain != first[0].terrain
    assert second[0].difficulty == 100
    crowd = [sum(len(level.creatures) for level in maps) / len(maps) for maps in (first, second)]
    assert crowd[1] > crowd[0]


@pytest.mark.rule("TG.13", "TG.14")
@pytest.mark.parametrize("seed", range(3))
def test_the_caves_of_rltut_hold_what_their_table_says(seed: int) -> None:
    dungeon = new_dungeon(campaign("rltut"), seed)
    populate(dungeon)
    for partition, level in dungeon.levels.items():
        z = partition - 1
        bodies = Counter(body.kind for body in level.creatures.values())
        assert bodies == {"fungus": 4, "bat": 10, "zombie": 2 * z + 1, "goblin": 2 * z + 1}
        lying = Counter(item.kind for _, item in level.items_at())
        groups = Counter(level.campaign.items[item.kind].group for _, item in level.items_at())
        assert lying["rock"] == level.grid.size // 50 == 57
        assert (groups["armour"], groups["potion"], groups["book"]) == (1, z + 1, z + 1)
        assert lying["teddy_bear"] == (partition == 5)
