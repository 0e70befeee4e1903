"""Which known cells can be reached on foot over remembered terrain. Pure; the server finds the way."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.search import reachable
from gloam_shared.view.view import CreatureFlag, ItemFlag, Place, View

_PASSABLE: Final = WALKABLE - {Terrain.TRAP} | {Terrain.DOOR_CLOSED}
"""The terrain that the server's plans walk through: no trap except as the goal."""


def steps_to(view: View, *, past_friends: bool = True) -> dict[int, int]:
    """Return the steps to each known and reachable cell, the nearest first.

    Foes block their cells, as they do for a plan; friends swap places while no foe holds them.
    """
    barred = frozenset(
        one.cell for one in view.creatures if not (past_friends and one.marks & CreatureFlag.PLAYER)
    ) - {view.cell}
    return _steps(view.terrain, view.place, view.cell, barred)


def within_reach(view: View, goal: int) -> bool:
    """Return whether a known way past all creatures leads to a cell next to the goal."""
    place = view.place
    reached = steps_to(view, past_friends=False)
    return bool(reached) and any(cell in reached for cell in place.grid.neighbors(goal, place.directions))


def nearest_by_ground(view: View, kinds: frozenset[Terrain]) -> int | None:
    """Return the nearest cell of some terrain, ignoring creatures, as the server does for stairs."""
    steps = _steps(view.terrain, view.place, view.cell, frozenset(), over_traps=True)
    cells = [cell for cell in steps if view.terrain[cell] in kinds]
    return min(cells, key=lambda cell: (steps[cell], cell), default=None)


def may_explore(view: View) -> bool:
    """Return whether exploring can begin: friends, who may stay in place, do not block all its goals."""
    past_all, past_friends = steps_to(view, past_friends=False), steps_to(view)
    worth = {item.cell for item in view.items if item.traits & ItemFlag.WORTH}
    for goals in (worth, _edge(view, past_friends)):
        if not goals.isdisjoint(past_all):
            return True
        if not goals.isdisjoint(past_friends):
            return False
    return True


def _edge(view: View, cells: Iterable[int]) -> set[int]:
    """Return those of some cells that are next to an unknown cell."""
    place = view.place
    return {
        cell
        for cell in cells
        if any(view.terrain[near] == Terrain.UNKNOWN for near in place.grid.neighbors(cell))
    }


@lru_cache(maxsize=4)  # the bottom line needs it in every frame
def _steps(
    terrain: bytes, place: Place, start: int, barred: frozenset[int], *, over_traps: bool = False
) -> dict[int, int]:
    if not place.width:  # a view without a level
        return {}
    passable = _PASSABLE | {Terrain.TRAP} if over_traps else _PASSABLE

    def enters(cell: int) -> bool:
        return terrain[cell] in passable and cell not in barred

    return dict(reachable(start, enters, place.grid, place.directions))
