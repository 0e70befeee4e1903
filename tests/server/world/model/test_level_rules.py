"""The ground rules of levels: J7.1, J7.2, J7.8, J7.10, J7.11 and J7.13."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import new_creature
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import Grid
from support.content.campaigns import arena
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario


@pytest.mark.rule("J7.1")
def test_stairs_are_white_and_can_be_walked_on() -> None:
    up, down = TERRAIN_LOOKS[Terrain.STAIRS_UP], TERRAIN_LOOKS[Terrain.STAIRS_DOWN]
    assert (up.ascii, up.colour, down.ascii, down.colour) == ("<", "white", ">", "white")
    assert {Terrain.STAIRS_UP, Terrain.STAIRS_DOWN} <= WALKABLE


@pytest.mark.rule("J7.2")
def test_a_cell_has_eight_neighbours_and_not_itself() -> None:
    around = list(Grid(5, 5).neighbors(12))
    assert sorted(around) == [6, 7, 8, 11, 13, 16, 17, 18]
    assert sorted(Grid(5, 5).neighbors(0)) == [1, 5, 6]


@pytest.mark.rule("J7.2")
def test_who_asks_for_a_random_one_favours_none() -> None:
    firsts = {Dice(seed, 1, 1).shuffle("around", 0, list(Grid(5, 5).neighbors(12)))[0] for seed in range(200)}
    assert len(firsts) == 8


@pytest.mark.rule("J7.8")
def test_body_reported_stands_and_nowhere() -> None:
    """A moved body occupies its new cell, and no other."""
    scenario = Scenario("1..")
    scenario.level.move(scenario["1"], 2)
    assert scenario["1"].cell == 2
    assert scenario.level.occupied == {2: scenario["1"].number}


@pytest.mark.rule("J7.10")
def test_distances_are_of_the_square_and_of_one_level() -> None:
    assert [Grid(10, 10).distance(0, cell) for cell in (5, 50, 55, 33)] == [5, 5, 5, 3]


@pytest.mark.rule("J7.11")
@pytest.mark.parametrize("cell", [0, 2, 3])
def test_no_creature_is_added_to_a_blocked_cell(cell: int) -> None:
    scenario = Scenario("#1#")
    with pytest.raises((ValueError, IndexError)):
        scenario.level.add(new_creature(arena().creatures["rat"], 9), cell, Dice(1, 1, 1))


@pytest.mark.thorough
@pytest.mark.rule("J7.13")
def test_lives_begin_random_floor_first_level() -> None:
    """Lives begin on random floor of the first level."""
    cells = set()
    for seed in range(12):
        dungeon = new_dungeon(campaign(), seed)
        assert dungeon.levels[1].terrain[dungeon.realm.arrival] == Terrain.FLOOR
        assert dungeon.levels[1].state.arrival == dungeon.realm.arrival
        cells.add(dungeon.realm.arrival)
    assert len(cells) == 12
