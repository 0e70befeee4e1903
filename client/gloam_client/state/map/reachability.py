"""The known cells that can be reached on foot over remembered terrain. Pure; the server finds the way."""

from collections.abc import Iterator
from itertools import count
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_client.state.map.landmarks import WAYS_DOWN
from gloam_client.terminal.own_cache import own_cache
from gloam_shared import bitboard
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.view.place import Place
from gloam_shared.view.surfaces import avoided_cells, passing_cells, surface_at
from gloam_shared.view.view import CreatureFlag, ItemFlag, View

_PASSABLE: Final = WALKABLE - {Terrain.TRAP} | {Terrain.DOOR_CLOSED}
"""The terrain that the server's plans walk through: no trap except as the goal."""
_WORTH: Final = int(ItemFlag.WORTH)
_GOAL: Final = int(ItemFlag.WORTH | ItemFlag.NO_ROOM)
_FRIENDS: Final = int(CreatureFlag.PLAYER | CreatureFlag.ALLY)
_STAYS: Final = int(CreatureFlag.DOWN | CreatureFlag.HOSTILE)
"""A friend who makes room has none of these marks."""
_PLAYER: Final = int(CreatureFlag.PLAYER)
_AWAKE_FOE: Final = int(CreatureFlag.HOSTILE | CreatureFlag.ASLEEP)
"""Plain numbers: a flag itself is slow to compare, and these are compared in every frame."""
_UNKNOWN: Final = frozenset({Terrain.UNKNOWN})


def steps_to(view: View, *, past_friends: bool = True) -> dict[int, int]:
    """Return the steps to each known and reachable cell, the nearest first; cells equally near rise.

    Foes block their cells, as they do for a plan; friends swap places while no foe holds them.
    """
    return {
        cell: steps
        for steps, ring in enumerate(_rings(view, past_friends=past_friends))
        for cell in bitboard.cells_of(ring)
    }


def nearest_of(view: View, goals: int) -> int | None:
    """Return the nearest of a set of cells to which a known way leads, the lowest of those equally near."""
    return _first(_rings(view, past_friends=True), goals)


def first_step_to(view: View, goal: int) -> int | None:
    """Return the first cell of a shortest known way to a cell past all creatures; None without a way."""
    return _first_cell(view, 1 << goal, _barred(view, past_friends=False), over_traps=False)


def reaches(view: View, goals: int, *, past_friends: bool = False) -> bool:
    """Return whether a known way leads to one of a set of cells."""
    return _first(_rings(view, past_friends=past_friends), goals) is not None


def plan_reaches(view: View, goals: int) -> bool:
    """Return whether a plan gets to one of a set of cells: friends make room while no foe is awake that could hold them."""
    awake = any(one.marks & _AWAKE_FOE == CreatureFlag.HOSTILE for one in view.creatures)
    return reaches(view, goals, past_friends=not awake)


def within_reach(view: View, goal: int) -> bool:
    """Return whether a known way past all creatures leads to a cell next to the goal."""
    place = view.place
    return place.width > 0 and reaches(view, bitboard.bits_of(place.grid.neighbors(goal, place.directions)))


def surface_in_way(view: View, goals: int) -> str:
    """Return the name of a surface that no plan steps on, where the ground alone would lead to the goals; "" without one."""
    avoided = avoided_cells(view.surface_looks, view.surfaces)
    if not avoided or _first(_flood(view.terrain, view.place, view.cell, 0, over_traps=True), goals) is None:
        return ""
    look = surface_at(view.surface_looks, view.surfaces, bitboard.lowest(avoided))
    return "" if look is None else look.name


def nearest_by_ground(view: View, kinds: frozenset[Terrain]) -> int | None:
    """Return the nearest cell of some terrain, ignoring creatures, as the server does for stairs."""
    rings = _flood(view.terrain, view.place, view.cell, 0, over_traps=True)
    return _first(rings, bitboard.cells_where(view.terrain, kinds))


def may_explore(view: View) -> bool:
    """Return whether exploring can begin: friends who may be held where they are do not block all its goals."""
    worth = bitboard.bits_of(item.cell for item in view.items if item.traits & _WORTH)
    for goals in (worth, _edge(view.terrain, view.place)):
        if plan_reaches(view, goals):
            return True
        if reaches(view, goals, past_friends=True):
            return False
    return True


ObstacleKind: TypeAlias = Literal["fire", "hazard", "foe", "trap"]
"""A "fire" passes by itself, as all surfaces that harm and end do; a "hazard" harms or works something for as long as it lies there."""


class Obstacle(NamedTuple):
    """The obstacle in the only known way on, and the first cell of that way."""

    kind: ObstacleKind
    step: int


def obstacle_to_exploring(view: View) -> Obstacle | None:
    """Return the obstacle to exploring, or to the way down where all is explored; None if a way is free, or none is known."""
    if not view.place.width:
        return None
    worth = bitboard.bits_of(item.cell for item in view.items if item.traits & _GOAL == _WORTH)
    hazards = avoided_cells(view.surface_looks, view.surfaces)
    edge = _edge(view.terrain, view.place) & bitboard.cells_where(view.terrain, _PASSABLE) & ~hazards
    goals = worth | edge or bitboard.cells_where(view.terrain, WAYS_DOWN)
    if not goals or reaches(view, goals, past_friends=True):
        return None
    friends = bitboard.bits_of(one.cell for one in view.creatures if one.marks & _PLAYER)
    foes = bitboard.bits_of(one.cell for one in view.creatures) & ~friends
    lasting = hazards & ~passing_cells(view.surface_looks, view.surfaces)
    ways: tuple[tuple[ObstacleKind, int, bool], ...] = (
        ("fire", foes | lasting, False),
        ("foe", hazards, False),
        ("trap", foes | hazards, True),
        ("hazard", foes, True),
        ("foe", 0, True),
    )
    for kind, barred, over_traps in ways:
        step = _first_cell(view, goals, barred, over_traps=over_traps)
        if step is not None:
            return Obstacle(kind, step)
    return None


def _first_cell(view: View, goals: int, barred: int, *, over_traps: bool) -> int | None:
    """Return the first cell of a shortest way to the nearest goal, the lowest of those equally good."""
    goal = _first(_flood(view.terrain, view.place, view.cell, barred, over_traps=over_traps), goals)
    if goal is None or goal == view.cell:
        return None
    beside = bitboard.bits_of(view.place.grid.neighbors(view.cell, view.place.directions))
    return _first(_flood(view.terrain, view.place, goal, barred, over_traps=over_traps), beside)


class _Flood:
    """The reachable cells in sets, each one step further, computed as far as a question needs.

    Most questions are about near cells, and a flood of a whole level takes longer than all else in a frame.
    """

    def __init__(self, rings: Iterator[int]) -> None:
        self._found: list[int] = []
        self._further = rings

    def __iter__(self) -> Iterator[int]:
        for at in count():
            if at == len(self._found):
                ring = next(self._further, 0)
                if not ring:
                    return
                self._found.append(ring)
            yield self._found[at]


def _rings(view: View, *, past_friends: bool) -> _Flood:
    """Return the reachable cells in sets, each one step further."""
    return _flood(view.terrain, view.place, view.cell, _barred(view, past_friends=past_friends))


def _barred(view: View, *, past_friends: bool) -> int:
    """Return the cells that a plan keeps off."""
    barred = bitboard.bits_of(
        one.cell
        for one in view.creatures
        if not (past_friends and one.marks & _FRIENDS and not one.marks & _STAYS)
    )
    if view.surfaces:  # no plan goes through what harms
        barred |= avoided_cells(view.surface_looks, view.surfaces)
    return barred


def _first(rings: _Flood, goals: int) -> int | None:
    """Return the lowest goal in the first ring that has any; None if none has."""
    if not goals:  # no need to flood a level for that
        return None
    for ring in rings:
        if found := ring & goals:
            return bitboard.lowest(found)
    return None


@own_cache(maxsize=4)  # the bottom line needs them in every frame
def _flood(terrain: bytes, place: Place, start: int, barred: int, *, over_traps: bool = False) -> _Flood:
    if not place.width:  # a view without a level
        return _Flood(iter(()))
    passable = _PASSABLE | {Terrain.TRAP} if over_traps else _PASSABLE
    ground = bitboard.cells_where(terrain, passable) & ~barred
    return _Flood(bitboard.rings(start, ground, place.grid, orthogonal=place.orthogonal))


@own_cache(maxsize=1)
def _edge(terrain: bytes, place: Place) -> int:
    """Return the cells next to an unknown cell."""
    return bitboard.neighbor_bits(bitboard.cells_where(terrain, _UNKNOWN), place.grid) if place.width else 0
