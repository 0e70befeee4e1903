"""Drawn rooms: levels have them as they are drawn, with their contents, and nothing is cut off."""

from collections import Counter

import pytest
from msgspec.structs import replace

from gloam_server.content.loader import load
from gloam_server.world.generation import LevelMap, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import StampedRoom
from gloam_server.world.generation.room_sites import TURNINGS
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_shared.appearance import Terrain
from support.content.rooms_campaign import drawn_campaign, room_files
from support.run.effort import effort

SEEDS = range(effort(3, 14))


def stamped_rooms(seed: int) -> list[tuple[LevelMap, StampedRoom]]:
    return [(level, stamped) for level in generate_round(drawn_campaign(), seed) for stamped in level.stamped]


def signs_of(level: LevelMap, stamped: StampedRoom) -> dict[int, str]:
    """Return the signs of a drawn room by their cells on a level, turned as its terrain is; nothing if no way fits."""
    drawn = drawn_campaign().rooms[stamped.key]
    x, y, across, down = stamped.room
    width, height = drawn.grid.width, drawn.grid.height
    for turning in TURNINGS:
        if ((height, width) if turning.crosswise else (width, height)) != (across, down):
            continue
        signs, fits = {}, True
        for cell in drawn.cells:
            column, row = turning.place(cell.x, cell.y, width, height)
            at = (y + row) * level.width + x + column
            signs[at] = cell.sign
            fits = fits and level.terrain[at] == cell.terrain
        if fits:
            return signs
    return {}


def populated(seed: int) -> Dungeon:
    dungeon = new_dungeon(drawn_campaign(), seed)
    populate(dungeon)
    return dungeon


@pytest.mark.rule("F160")
@pytest.mark.parametrize("seed", SEEDS)
def test_each_level_has_two_or_three(seed: int) -> None:
    for level in generate_round(drawn_campaign(), seed):
        keys = [stamped.key for stamped in level.stamped]
        assert len(keys) == len(set(keys))
        assert 2 <= len(keys) <= 3 or level.kind == "caves", (level.kind, keys)


@pytest.mark.rule("F160")
@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_stand_as_they_are_drawn(seed: int) -> None:
    """The terrain of each is one of the ways to turn and mirror its drawing: no corridor cuts through its walls."""
    for level, stamped in stamped_rooms(seed):
        assert sorted(signs_of(level, stamped)) == list(stamped.cells), stamped.key


@pytest.mark.rule("F160")
@pytest.mark.parametrize("seed", SEEDS)
def test_levels_with_rooms_are_one_region(seed: int) -> None:
    campaign = drawn_campaign()
    for level in generate_round(campaign, seed):
        assert len(find_regions(level.terrain, level.grid, campaign.directions).cells) == 1, level.kind


@pytest.mark.rule("F160")
@pytest.mark.parametrize("seed", SEEDS)
def test_levels_of_straight_steps_are_one_region(seed: int) -> None:
    """Ways to the rooms have no diagonal step for bodies that take straight steps only."""
    files = room_files()
    files["campaign.toml"] = files["campaign.toml"].replace(
        b"[experience]", b'movement = "four"\n[experience]'
    )
    campaign = load(files)
    assert len(campaign.directions) == 4
    for level in generate_round(campaign, seed):
        assert len(find_regions(level.terrain, level.grid, campaign.directions).cells) == 1, level.kind


@pytest.mark.rule("F160")
@pytest.mark.parametrize("seed", SEEDS)
def test_contents_stand_on_their_letters(seed: int) -> None:
    dungeon = populated(seed)
    seen = Counter[str]()
    for partition, floor in dungeon.maps.items():
        level = dungeon.levels[partition]
        bodies = {body.cell: body for body in level.creatures.values()}
        lying: dict[int, list[str]] = {}
        for cell, item in level.items_at():
            lying.setdefault(cell, []).append(item.name)
        for stamped in floor.stamped:
            at = {sign: cell for cell, sign in signs_of(floor, stamped).items()}
            seen[stamped.key] += 1
            if floor.depth == 1:
                continue  # there nothing lives in sight of where players begin
            if stamped.key == "pool":
                assert bodies[at["e"]].kind == "eel"
                assert "grave of Odo, who read a stone" in lying[at["g"]]
                assert any("axe" in name for name in lying[at["w"]])
            if stamped.key == "cell":
                assert bodies[at["c"]].bond == "captive"
                assert {bodies[at[sign]].kind for sign in "rh"} == {"rat"}
                assert level.traps[at["t"]] == "spike"
                assert "apple" in lying[at["a"]]
    assert seen["pool"] >= 2
    assert seen["cell"] >= 2


@pytest.mark.rule("F160")
def test_choice_is_one_for_a_room() -> None:
    chosen = [good for level in generate_round(drawn_campaign(), 1) for good in level.goods if good.choice]
    by_level = Counter(
        (level.partition, good.choice)
        for level in generate_round(drawn_campaign(), 1)
        for good in level.goods
        if good.choice
    )
    assert chosen
    assert all(count <= 2 for count in by_level.values())


@pytest.mark.rule("F160")
def test_items_of_a_choice_differ() -> None:
    files = room_files()
    files["rooms.toml"] = files["rooms.toml"].replace(b'{ item = "apple", choice', b'{ item = "any", choice')
    for seed in range(1, 13):
        for level in generate_round(load(files), seed):
            offered = Counter((good.choice, good.kind) for good in level.goods if good.choice)
            assert set(offered.values()) <= {1}, (seed, offered)


@pytest.mark.rule("F160")
@pytest.mark.parametrize("seed", SEEDS)
def test_stairs_and_arrival_stay_outside(seed: int) -> None:
    dungeon = new_dungeon(drawn_campaign(), seed)
    for level in dungeon.maps.values():
        inside = [level.terrain[cell] for cell in sorted(level.kept)]
        assert not {Terrain.STAIRS_DOWN, Terrain.STAIRS_UP, Terrain.HOLE, Terrain.EXIT} & set(inside)
    assert dungeon.levels[1].state.arrival not in dungeon.maps[1].kept


@pytest.mark.rule("F160")
def test_light_of_a_room_is_its_own() -> None:
    files = room_files()
    files["levels.toml"] = files["levels.toml"].replace(b"drawn_rooms", b"lit_percent = 0\ndrawn_rooms")
    for level in generate_round(load(files), 1):
        for stamped in level.stamped:
            assert {level.dark[cell] for cell in stamped.cells} == {0 if stamped.key == "pool" else 1}


@pytest.mark.rule("F160")
def test_what_stands_in_rooms_counts_for_the_level() -> None:
    """A level has as many creatures with rooms as without, and up to half of them stand in the rooms."""
    for level in generate_round(drawn_campaign(), 2):
        housed = sum(drawn.cell is not None and not drawn.captive for drawn in level.creatures)
        others = sum(drawn.count for drawn in level.creatures if drawn.cell is None)
        assert others == 6 - min(housed, 3)


@pytest.mark.rule("F160")
def test_same_seed_makes_the_same_rooms() -> None:
    assert generate_round(drawn_campaign(), 7) == generate_round(drawn_campaign(), 7)
    assert generate_round(drawn_campaign(), 7) != generate_round(drawn_campaign(), 8)


@pytest.mark.rule("F160")
def test_rarest_rooms_come_first() -> None:
    """Of two rooms for five levels with one each, none is used a third time before the other is used twice."""
    campaign = drawn_campaign()
    levels = {key: replace(kind, drawn_rooms=(1, 1)) for key, kind in campaign.levels.items()}
    rooms = {key: room for key, room in campaign.rooms.items() if key != "hall"}
    maps = generate_round(replace(campaign, levels=levels, rooms=rooms), 3)
    used = Counter(stamped.key for level in maps for stamped in level.stamped)
    assert sum(used.values()) == 5
    assert max(used.values()) - min(used.values()) <= 1
