"""The changes of levels as time passes: rules F04, F05 and F07, R10 and F03 in play."""

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Arrive, EnterPlay, PlayerAction, Turn
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.appearance import Terrain
from gloam_shared.level_numbers import depth_of_level, level_number, round_of_level
from gloam_shared.protocol.commands import Climb, Wait
from support.content.level_kinds_campaign import grounds, rugged
from support.scenarios.scenario import E, Scenario


def entered(seed: int = 3) -> Dungeon:
    """Return a realm of levels of many sizes, with one player on its first."""
    dungeon = new_dungeon(grounds(), seed)
    dungeon.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    return dungeon


def put_on(dungeon: Dungeon, partition: int, terrain: Terrain) -> int:
    """Move the player onto the first cell of a terrain; return the cell."""
    level = dungeon.levels[partition]
    body = next(body for body in level.creatures.values() if body.account)
    cell = level.terrain.index(terrain)
    level.move(body, cell)
    return cell


def act(dungeon: Dungeon, partition: int, command: Climb | Wait) -> None:
    number = dungeon.realm.lives[1].number
    dungeon.apply_input(partition, Turn((PlayerAction(number, 0, command),)))


@pytest.mark.rule("F03")
def test_stairs_join_levels_of_different_sizes() -> None:
    """Stairs lead to their own cell on a level of another size, and back."""
    dungeon = entered()
    cell = put_on(dungeon, 1, Terrain.STAIRS_DOWN)
    act(dungeon, 1, Climb(down=True))
    below = dungeon.levels[2]
    body = next(iter(below.creatures.values()))
    assert body.cell == dungeon.levels[1].state.links[cell]
    assert below.terrain[body.cell] == Terrain.STAIRS_UP
    act(dungeon, 2, Climb(down=False))
    assert next(iter(dungeon.levels[1].creatures.values())).cell == cell


@pytest.mark.rule("F03")
def test_an_arrival_takes_the_nearest_free_cell() -> None:
    """A player who arrives on an occupied cell takes the nearest free one."""
    dungeon = entered()
    cell = put_on(dungeon, 1, Terrain.STAIRS_DOWN)
    landing = dungeon.levels[1].state.links[cell]
    beast = new_creature(grounds().creatures["beast1"], 77)
    dungeon.apply_input(2, Arrive(beast, landing, (9, 1, 0)))
    act(dungeon, 1, Climb(down=True))
    below = dungeon.levels[2]
    body = next(body for body in below.creatures.values() if body.account)
    assert below.creatures[77].cell == landing
    assert body.cell != landing
    check_invariants(below)


@pytest.mark.rule("F04")
def test_a_level_sleeps_without_players() -> None:
    dungeon = entered()
    populate(dungeon)
    before = {
        partition: serialize_level(level) for partition, level in dungeon.levels.items() if partition != 1
    }
    for _ in range(20):
        act(dungeon, 1, Wait())
    assert {
        partition: serialize_level(level) for partition, level in dungeon.levels.items() if partition != 1
    } == before


@pytest.mark.rule("F05")
def test_what_is_dug_stays_dug_for_everybody() -> None:
    scenario = Scenario("#####\n#1#.#\n#####")
    scenario.go("1", E)
    assert scenario.level.terrain[7] == Terrain.FLOOR
    thawed = deserialize_level(serialize_level(scenario.level), scenario.level.campaign, 1)
    assert thawed.terrain[7] == Terrain.FLOOR


@pytest.mark.rule("F07")
def test_rolls_of_one_creature_are_shifted_by_no_other() -> None:
    alone, crowded = Dice(5, 1, 9), Dice(5, 1, 9)
    for other in range(20):
        crowded.roll("melee", other, 6)
    assert [alone.roll("melee", 99, 1_000) for _ in range(5)] == [
        crowded.roll("melee", 99, 1_000) for _ in range(5)
    ]


@pytest.mark.rule("R10", "F08")
def test_kills_change_no_difficulty() -> None:
    """Kills of players, and their consequences, change no depth's difficulty."""
    dungeon = new_dungeon(rugged(), 4)
    populate(dungeon)
    before = {partition: level.state.difficulty for partition, level in dungeon.levels.items()}
    for level in dungeon.levels.values():
        for creature in list(level.creatures.values()):
            level.remove(creature)
    assert {partition: level.state.difficulty for partition, level in dungeon.levels.items()} == before
    assert {floor.partition: floor.difficulty for floor in dungeon.maps.values()} == before


def test_places_further_rounds_follow_first() -> None:
    """Places of further rounds follow the places of the first."""
    assert [level_number(round_, 7) for round_ in (1, 2, 3)] == [7, 107, 207]
    assert [(round_of_level(partition), depth_of_level(partition)) for partition in (7, 100, 101, 207)] == [
        (1, 7),
        (1, 100),
        (2, 1),
        (3, 7),
    ]
