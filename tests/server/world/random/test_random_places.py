"""Laws of doors, traps, water and light over random walks of players and monsters through a house that has them all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_lab.invariants import check_invariants
from gloam_server.world.model.inputs import PlayerAction, Turn, UnattendedTurn
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.apply import apply as run
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import ActionCommand, Close, Move, Wait
from support.scenarios.scenario import Scenario, kinds, narrations

HOUSE = """
    #################
    #1.+..!#~~~..^..#
    #..#...#~~e..!..#
    #..'.g.+...!..w.#
    ####!###.!.###+##
    #2.,,..&..."..k.#
    #.!"_..#'##..!..#
    #......#...!..r.#
    #################
"""
DARK = """
    .................
    .......xxxxxxxxx.
    .......xxxxxxxxx.
    .......xxxxxxxxx.
    xxxxxxxxxxxxxxxxx
    xxxxxxxx.........
    xxxxxxxx.........
    xxxxxxxx.........
    .................
"""
COMMANDS: tuple[ActionCommand, ...] = (
    *(Move(*way) for way in DIRECTIONS),
    *(Close(*way) for way in DIRECTIONS),
    Wait(),
)

courses = st.lists(st.tuples(st.integers(0, 16), st.integers(0, 16)), min_size=1, max_size=40)


def house() -> Level:
    """Return a house in which two players and creatures of five kinds live; no one dies of a dart."""
    scenario = Scenario(HOUSE, dark=DARK, e="eel", g="goblin", k="kobold", r="rat", w="glowworm")
    for body in scenario.level.creatures.values():
        body.hp = body.hp_max = 1_000
    for name in "12":
        scenario.give(name, "torch")
        scenario.wield(name, scenario[name].carried[0].number)
    return scenario.level


def walk(level: Level, course: list[tuple[int, int]]) -> list[Result]:
    """Let both players do what a course says, and the wild its part."""
    results = []
    for number, commands in enumerate(course, start=1):
        for player, command in zip(level.players(), commands, strict=True):
            results.append(run(level, Turn((PlayerAction(player.number, number, COMMANDS[command]),))))
        results.append(run(level, UnattendedTurn()))
    return results


@given(courses)
def test_house_stays_whole_and_same_after_waking(course: list[tuple[int, int]]) -> None:
    """A house stays whole and is the same after waking."""
    level, twin = house(), house()
    for at in range(len(course)):
        twin = deserialize_level(serialize_level(twin), twin.campaign, twin.realm_seed)
        assert walk(level, course[at : at + 1]) == walk(twin, course[at : at + 1])
        check_invariants(level)
    assert serialize_level(level) == serialize_level(twin)


@given(courses)
def test_traps_go_sprung_and_terrain_changes(course: list[tuple[int, int]]) -> None:
    """Traps go only by being sprung and terrain changes only by doors and traps and digging."""
    level = house()
    before, traps = bytes(level.terrain), set(level.traps)
    events = [event for result in walk(level, course) for event in narrations(result.events)]
    sprung = [event.cell for event in events if event.kind == "springs"]
    assert traps - set(level.traps) == set(sprung)
    assert len(sprung) == len(set(sprung))
    doors = (Terrain.DOOR_OPEN, Terrain.DOOR_CLOSED)
    for cell, (was, now) in enumerate(zip(before, level.terrain, strict=True)):
        if was == now:
            continue
        by_door = was in doors and now in doors
        by_trap = cell in traps and {was, now} <= {Terrain.FLOOR, Terrain.TRAP}
        by_digging = (was, now) == (Terrain.WALL, Terrain.FLOOR) and not level.grid.is_on_border(cell)
        assert by_door or by_trap or by_digging


@pytest.mark.thorough
def test_the_walks_are_not_idle() -> None:
    names: set[str] = set()
    for seed in range(12):
        course = [((seed * 7 + n * n) % 17, (seed * 11 + n * 5) % 17) for n in range(80)]
        names |= {kind for result in walk(house(), course) for kind in kinds(result.events)}
    assert names >= {"opens", "closes", "springs", "finds_trap"}
