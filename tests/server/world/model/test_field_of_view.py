"""Light by itself: what is kept of sight from one look to the next is always what a fresh look would give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.rules.dice import Dice
from gloam_server.rules.line_of_sight import disc_around, field_of_view
from gloam_server.world.actions.inventory_use import PutOn
from gloam_server.world.effects.status_effects import add_status, remove_status
from gloam_server.world.items.equipment import take_from_slot
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Grid
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario
from support.world.random_level import Step, cave, play, seeds, steps

HALL = """
    ###################
    #1..+......#......#
    #...#..2...'...w..#
    #...#......#......#
    ##+######.####+####
    #......k......~~..#
    #..&......#...~~3.#
    ###################
    """
DARK = """
    ...................
    ....xxxxxxxx.......
    ....xxxxxxxx.......
    ....xxxxxxxx.......
    xxxxxxxxxxxxxxxxxxx
    xxxxxxxxxxxxxxxxxxx
    xxxxxxxxxxxxxxxxxxx
    ...................
    """
GROUNDS = (
    Terrain.FLOOR,
    Terrain.WALL,
    Terrain.DOOR_OPEN,
    Terrain.DOOR_CLOSED,
    Terrain.BRAZIER,
    Terrain.WATER,
)

changes = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1, max_size=25
)


def hall() -> Scenario:
    """Return a house with lit and dark rooms, in which everybody carries a torch."""
    scenario = Scenario(HALL, dark=DARK, w="glowworm", k="kobold")
    for name in "123k":
        scenario.give(name, "torch")
    return scenario


def change_effects(scenario: Scenario, what: int, who: int) -> None:
    """Begin or end an effect on a player's sight: a ring, or a status effect. Or let the player take a step."""
    level, body = scenario.level, scenario["12"[who % 2]]
    context = TurnContext(level, Dice(1, 1, 1))
    match what:
        case 0 if body.slots[0] is not None:
            PutOn(0).execute(context, body)
        case 1 if body.ring:
            PutOn(None).execute(context, body)
        case 2 if body.slots[0] is not None:
            take_from_slot(level, body, 0)
        case 3:
            add_status(context, body, level.campaign.spells["sharp_eyes"], 0, 0)
        case 4 if body.lasting:
            remove_status(context, body, body.lasting[0])
        case _:
            free = [cell for cell in level.grid.neighbors(body.cell) if level.is_free(cell)]
            level.move(body, free[who % len(free)])


def light_of(campaign: Campaign, body: Creature) -> int:
    """Return the radius that a body lights up: by itself, or by what it carries; 0 for none."""
    carried = (campaign.items[item.kind].light for item in body.carried)
    return max(campaign.creatures[body.kind].light, max(carried, default=0))


def change(level: Level, what: int, one: int, other: int) -> None:
    """Change something that bears on sight: a place, a light, a door, a wall, or the dark itself."""
    bodies = [level.creatures[number] for number in sorted(level.creatures)]
    body = bodies[one % len(bodies)]
    free = [cell for cell in range(len(level.terrain)) if level.is_free(cell)]
    match what:
        case 0:
            level.move(body, free[other % len(free)])
        case 1:
            body.wielded = 0 if body.wielded or not body.carried else body.carried[0].number
        case 2:
            cell = other % len(level.terrain)
            if cell not in level.occupied:
                level.dig(cell, GROUNDS[one % len(GROUNDS)])
        case 3:
            level.make_bright([other % len(level.terrain)])
        case _:
            level.remove(body)
            level.add(body, free[other % len(free)], Dice(1, 1, other))


def fresh(level: Level) -> Level:
    return deserialize_level(serialize_level(level), level.campaign, level.realm_seed)


def sights(level: Level) -> dict[int, bytes]:
    return {number: level.field_of_view(body) for number, body in level.creatures.items()}


@pytest.mark.parametrize("lit", [False, True])
@given(course=changes)
def test_kept_sight_fresh_look_gives(lit: bool, course: list[tuple[int, int, int]]) -> None:
    """The kept sight is the same as a fresh look."""
    level = hall().level
    if lit:
        level.make_bright(range(len(level.terrain)))
    for step in course:
        change(level, *step)
        assert sights(level) == sights(fresh(level))
        assert level.players_sight() == fresh(level).players_sight()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), min_size=1, max_size=25))
def test_players_sight_follows_effects(course: list[tuple[int, int]]) -> None:
    """An effect on sight ends without a note. What changed since an earlier look is found without a look at all."""
    scenario = Scenario("\n".join(["." * 40] * 3 + ["." * 15 + "1..2" + "." * 21]), campaign=shipped("gloam"))
    level = scenario.level
    for name in "12":
        scenario.give(name, "ring_bat")
    looks = [level.players_sight()]
    for step in course:
        change_effects(scenario, *step)
        now = level.players_sight()
        assert now == fresh(level).players_sight()
        for before in looks:
            places = [at for at in range(len(now)) if now[at] is not before[at]]
            assert level.sight.renewed_since(before) == places
        looks.append(now)


@given(changes)
def test_terrain_in_sight_makes_new_fields_of_view(course: list[tuple[int, int, int]]) -> None:
    """A map is written again for each viewer of a cell that changed: their field of view is another object."""
    level = hall().level
    level.make_bright(range(len(level.terrain)))
    for step in course:
        before, terrain = level.players_sight(), bytes(level.terrain)
        change(level, 2, *step[1:])
        changed = [at for at, kind in enumerate(level.terrain) if kind != terrain[at]]
        for old, new in zip(before, level.players_sight(), strict=True):
            assert old is not new or not any(old[at] for at in changed)


@pytest.mark.thorough
@given(seeds, steps)
def test_random_play_dark_woken_level_sees_same(seed: int, course: list[Step]) -> None:
    """In random play in the dark a woken level sees the same."""
    level = cave(seed)
    level.state.dark = bytes(cell % 7 != 0 for cell in range(len(level.terrain)))
    floor = [cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell)]
    for at, cell in enumerate(floor[::9]):
        level.dig(cell, (Terrain.DOOR_CLOSED, Terrain.BRAZIER, Terrain.SHALLOWS)[at % 3])
    level = fresh(level)

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        assert sights(level) == sights(fresh(level))

    play(level, course, look)


@given(changes)
def test_the_rule_of_light_reported_cell_by_cell(course: list[tuple[int, int, int]]) -> None:
    """The rule, once more in plain words, against the result computed for all cells together."""
    level = hall().level
    for step in course:
        change(level, *step)
    everything = level.transparent()
    fields = {
        number: field_of_view(everything, body.cell, light_of(level.campaign, body))
        for number, body in level.creatures.items()
        if light_of(level.campaign, body)
    }
    lights = list(fields.values()) + [
        field_of_view(everything, cell, 4)
        for cell, terrain in enumerate(level.terrain)
        if terrain == Terrain.BRAZIER
    ]
    for body in level.creatures.values():
        line = field_of_view(everything, body.cell, SIGHT_MAX)
        near = field_of_view(everything, body.cell, body.sight)
        for cell, sees in enumerate(level.field_of_view(body)):
            lit = not level.dark[cell] and near[cell]
            shone_on = level.dark[cell] and line[cell] and any(light[cell] for light in lights)
            beside = line[cell] and level.grid.distance(cell, body.cell) <= 1
            assert bool(sees) == bool(lit or shone_on or beside), (body.name, cell)


def test_where_all_is_lit_no_light_is_computed() -> None:
    scenario = Scenario("1....w..&", w="glowworm")
    scenario.level.field_of_view(scenario["1"])
    assert scenario.level.sight._light is None


@pytest.mark.rule("JG.3", "TG.5", "RG.3")
def test_the_range_of_light_and_sight_is_one_circle() -> None:
    """All campaigns see by the circle of rule RG.3, where jsrogue had a diamond and rltut a list of lines."""
    disc = disc_around(12, 2, Grid(5, 5))
    assert disc.astype(int).tolist() == [
        [0, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [0, 1, 1, 1, 0],
    ]


@given(seeds, steps)
def test_no_creature_sees_beyond_its_reach(seed: int, course: list[Step]) -> None:
    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.creatures.values():
            reach, seen = level.sight.reach(body), level.field_of_view(body)
            far = [cell for cell in range(len(seen)) if level.grid.distance(body.cell, cell) > reach]
            assert not any(seen[cell] for cell in far)

    play(cave(seed % 20), course[:10], look)
