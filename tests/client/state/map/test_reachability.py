"""Reachable cells: what a search from cell to cell reaches, also on views that a broken server may send."""

from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from gloam_client.state.map import reachability
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.bitboard import bits_of
from gloam_shared.search import reachable
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Creature, CreatureFlag, Item, ItemFlag, Stat, View

WIDTH, HEIGHT = 7, 5
CELL = some.integers(0, WIDTH * HEIGHT - 1)
GROUND = (
    Terrain.UNKNOWN,
    Terrain.WALL,
    Terrain.FLOOR,
    Terrain.FLOOR,
    Terrain.TRAP,
    Terrain.DOOR_CLOSED,
    Terrain.STAIRS_DOWN,
)
DOWN = frozenset({Terrain.STAIRS_DOWN})


@some.composite
def views(draw: some.DrawFn) -> View:
    """Return a small level with the player, other players and foes on it."""
    terrain = draw(some.lists(some.sampled_from(GROUND), min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT))
    own, *others = draw(some.lists(CELL, min_size=1, max_size=5, unique=True))
    terrain[own] = Terrain.FLOOR
    marks = (CreatureFlag.PLAYER, CreatureFlag.HOSTILE)
    bodies = [Creature(1, own, 9, 9, 1, CreatureFlag.PLAYER | CreatureFlag.SELF, "@", "white", "Ann")]
    bodies += [
        Creature(handle, cell, 9, 9, 1, marks[handle % 2], "o", "red", "o")
        for handle, cell in enumerate(others, 2)
    ]
    items = [
        Item(20, cell, 1, "%", "red", "apple", ItemFlag.WORTH) for cell in draw(some.sets(CELL, max_size=2))
    ]
    sheet = [0] * len(Stat)
    sheet[Stat.HANDLE] = 1
    return replace(
        NOWHERE,
        place=Place(1, WIDTH, HEIGHT, "a level", draw(some.booleans())),
        terrain=bytes(terrain),
        sight=bytes(len(terrain)),
        creatures=tuple(bodies),
        items=tuple(items),
        sheet=tuple(sheet),
    )


def searched(
    view: View, *, friends_yield: bool, traps: bool = False, all_yield: bool = False
) -> dict[int, int]:
    """Return the steps to every cell that a search from cell to cell reaches."""
    barred = {
        one.cell
        for one in view.creatures
        if not all_yield and not (friends_yield and one.marks & CreatureFlag.PLAYER)
    }
    passable = WALKABLE - {Terrain.TRAP} | {Terrain.DOOR_CLOSED} | ({Terrain.TRAP} if traps else set())

    def enters(cell: int) -> bool:
        return view.terrain[cell] in passable and cell not in barred

    return dict(reachable(view.cell, enters, view.place.grid, view.place.directions))


@given(views(), CELL)
def test_what_is_reached_is_what_a_search_reaches(view: View, goal: int) -> None:
    past_friends, past_all = searched(view, friends_yield=True), searched(view, friends_yield=False)
    assert reachability.steps_to(view) == past_friends
    assert list(reachability.steps_to(view).values()) == sorted(past_friends.values())
    assert reachability.steps_to(view, past_friends=False) == past_all
    assert reachability.reaches(view, bits_of([goal])) == (goal in past_all)
    assert reachability.reaches(view, bits_of([goal]), past_friends=True) == (goal in past_friends)
    beside = view.place.grid.neighbors(goal, view.place.directions)
    assert reachability.within_reach(view, goal) == any(cell in past_all for cell in beside)


@given(views())
def test_the_nearest_is_the_first_of_a_search(view: View) -> None:
    def nearest(steps: dict[int, int]) -> int | None:
        found = [cell for cell in steps if view.terrain[cell] in DOWN]
        return min(found, key=lambda cell: (steps[cell], cell), default=None)

    stairs = bits_of(cell for cell, terrain in enumerate(view.terrain) if terrain in DOWN)
    assert reachability.nearest_of(view, stairs) == nearest(searched(view, friends_yield=True))
    by_ground = searched(view, friends_yield=False, traps=True, all_yield=True)
    assert reachability.nearest_by_ground(view, DOWN) == nearest(by_ground)


@given(views())
def test_exploring_begins_where_a_goal_is_free(view: View) -> None:
    """Items worth picking up are first, then the edge of the known map.

    A friend before all of either bars the way where a foe is awake; elsewhere friends make room.
    """
    awake = any(one.marks & CreatureFlag.HOSTILE for one in view.creatures)
    past_all, past_friends = searched(view, friends_yield=False), searched(view, friends_yield=True)
    edge = {
        cell
        for cell in past_friends
        if any(view.terrain[near] == Terrain.UNKNOWN for near in view.place.grid.neighbors(cell))
    }
    expected = True
    for goals in ({item.cell for item in view.items}, edge):
        if goals & set(past_friends):
            expected = not awake or bool(goals & set(past_all))
            break
    assert reachability.may_explore(view) == expected


def test_nothing_is_reached_where_there_is_no_level() -> None:
    assert reachability.steps_to(NOWHERE) == {}
    assert not reachability.within_reach(NOWHERE, 0)
    assert reachability.nearest_by_ground(NOWHERE, frozenset({Terrain.STAIRS_DOWN})) is None
    assert reachability.may_explore(NOWHERE)


@given(views(), some.lists(some.sets(CELL), min_size=1, max_size=3))
def test_a_flood_goes_as_far_as_asked(view: View, questions: list[set[int]]) -> None:
    """After any earlier questions, the nearest goal is the one that a whole flood finds."""
    answers = [reachability.nearest_of(view, bits_of(goals)) for goals in questions]
    steps = reachability.steps_to(view)
    assert answers == [next((cell for cell in steps if cell in goals), None) for goals in questions]
