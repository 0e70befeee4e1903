"""Rooms and what joins them: rules RG.1 and RG.33, F01 and F03; halls, warrens and mixtures."""

from itertools import pairwise

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.generation import LevelMap, arrival_cell, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import LevelDraft, Room
from gloam_server.world.generation.terrain.corridors import pairs_to_join
from gloam_server.world.generation.terrain.rooms import ROOMS, place_rooms
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL
from support.content.campaigns import shipped
from support.content.level_kinds_campaign import MANNERS, grounds, levels_of_grounds, levels_of_rugged, rugged

SEEDS = range(6)


def cell_of(level: LevelMap, room: Room) -> int:
    x, y = room.centre
    return y * level.grid.width + x


@pytest.mark.rule("RG.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_keep_sizes_border_and_margin(seed: int) -> None:
    """Rooms keep their sizes their border and their margin."""
    for level in levels_of_rugged(seed):
        assert 1 <= len(level.rooms) <= 30
        for at, room in enumerate(level.rooms):
            assert 6 <= room.width <= 14
            assert 6 <= room.height <= 10
            assert 1 <= room.x <= level.grid.width - room.width - 2
            assert 1 <= room.y <= level.grid.height - room.height - 2
            assert not any(room.near(other, 1) for other in level.rooms[at + 1 :])
            assert all(level.terrain[cell] != Terrain.WALL for cell in room.cells(level.grid.width))


@pytest.mark.rule("RG.1")
def test_rooms_touch_borders_and_count_source() -> None:
    """The source places 11.73 rooms on 80 by 50 cells in the mean."""
    kind = shipped("ruggrogue").levels["rooms"]
    draft = LevelDraft(kind, 1, 1, bytearray(kind.width * kind.height))
    placed = [place_rooms(draft, Dice(seed, 1, 0), ROOMS) for seed in range(300)]
    rooms = [room for level in placed for room in level]
    assert (min(room.x for room in rooms), max(room.x + room.width for room in rooms)) == (1, 78)
    assert (min(room.y for room in rooms), max(room.y + room.height for room in rooms)) == (1, 48)
    assert 11.6 < len(rooms) / len(placed) < 11.9


@pytest.mark.rule("RG.1")
def test_the_centre_of_a_room_is_the_sources() -> None:
    assert Room(10, 20, 6, 7).centre == (12, 23)
    assert Room(10, 20, 7, 6).centre == (13, 22)


@pytest.mark.rule("RG.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_are_joined_inside_a_wall(seed: int) -> None:
    """The border of the level is wall, and all rooms are joined, even four ways."""
    for level in levels_of_rugged(seed):
        rows = [
            level.terrain[at : at + level.grid.width] for at in range(0, len(level.terrain), level.grid.width)
        ]
        edge = rows[0] + rows[-1] + bytes(row[0] for row in rows) + bytes(row[-1] for row in rows)
        assert set(edge) == {Terrain.WALL}
        assert len(find_regions(level.terrain, level.grid, ORTHOGONAL).cells) == 1


@pytest.mark.rule("RG.1")
def test_the_nearest_room_is_joined_next() -> None:
    """The nearest unjoined room is joined next, and at most three pairs are added."""
    rooms = tuple(Room(x, 1, 6, 6) for x in (1, 60, 10, 30))
    pairs = pairs_to_join(Dice(1, 1, 1), rooms, 3)
    assert [(a.x, b.x) for a, b in pairs[:3]] == [(1, 10), (10, 30), (30, 60)]
    assert len(pairs) == 3 + 2, "four rooms make two pairs"


@pytest.mark.rule("RG.1")
def test_further_corridors_join_six_different() -> None:
    """The further corridors join six different rooms."""
    rooms = tuple(Room(x, 1, 6, 6) for x in range(1, 64, 8))
    for seed in range(60):
        further = pairs_to_join(Dice(seed, 1, 1), rooms, 3)[len(rooms) - 1 :]
        assert len({room for pair in further for room in pair}) == 6


@pytest.mark.rule("RG.1", "F03")
@pytest.mark.parametrize("seed", SEEDS)
def test_stairs_lie_in_the_first_and_last_room(seed: int) -> None:
    """Stairs down are in the last room, stairs up and the arrival in the first."""
    maps = levels_of_rugged(seed)
    assert arrival_cell(rugged(), seed, maps[0]) == cell_of(maps[0], maps[0].rooms[0])
    for above, below in pairwise(maps):
        down, up = cell_of(above, above.rooms[-1]), cell_of(below, below.rooms[0])
        assert above.terrain[down] == Terrain.STAIRS_DOWN
        assert below.terrain[up] == Terrain.STAIRS_UP
        assert (dict(above.links)[down], dict(below.links)[up]) == (up, down)


@pytest.mark.rule("RG.33")
@pytest.mark.parametrize("seed", SEEDS)
def test_level_but_last_exactly_way_down(seed: int) -> None:
    """Each level but the last has exactly one way down."""
    maps = levels_of_rugged(seed)
    assert [level.terrain.count(Terrain.STAIRS_DOWN) for level in maps] == [1] * (len(maps) - 1) + [0]


@pytest.mark.rule("RG.2")
def test_seed_promise_and_use_dice() -> None:
    """A seed is a promise and each use has its own dice."""
    assert generate_round(rugged(), 3) == generate_round(rugged(), 3)
    one, other = levels_of_rugged(3), levels_of_rugged(4)
    assert one[0].terrain != other[0].terrain
    assert one[0].terrain != one[1].terrain


@pytest.mark.rule("F01")
def test_levels_realm_different_manners_and_sizes() -> None:
    """Levels of one realm have different manners and sizes."""
    maps = levels_of_grounds(1)
    manners = [grounds().levels[level.kind].generator for level in maps]
    assert manners == [*MANNERS, "cavern"]
    assert len({(level.grid.width, level.grid.height) for level in maps}) == len(maps)


@pytest.mark.rule("F01")
@pytest.mark.parametrize("manner", ["rooms", "halls", "warren", "mixed"])
def test_levels_rooms_hang_together_whatever(manner: str) -> None:
    """Levels with rooms hang together in any manner."""
    looked = 0
    for seed in range(4):
        for level in levels_of_grounds(seed):
            if grounds().levels[level.kind].generator == manner:
                looked += 1
                assert len(find_regions(level.terrain, level.grid, DIRECTIONS).cells) == 1
                assert len(level.rooms) >= 2
    assert looked >= 4


def test_halls_pillars_warrens_many_small_rooms() -> None:
    """Halls have pillars and warrens many small rooms."""
    halls, warren = (
        next(level for level in levels_of_grounds(1) if grounds().levels[level.kind].generator == manner)
        for manner in ("halls", "warren")
    )
    inside = [halls.terrain[cell] for room in halls.rooms for cell in room.cells(halls.width)]
    assert inside.count(Terrain.WALL) >= 5
    assert len(warren.rooms) > 1.5 * len(halls.rooms)
    assert max(room.width * room.height for room in warren.rooms) <= 24
