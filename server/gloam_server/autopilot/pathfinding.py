"""Ways over known ground, as a plan or a bot sees them: pure functions of a view. Goals are sets of cells, as bits."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from gloam_shared import bitboard
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.narration.rendering import capital, is_own_name, with_article
from gloam_shared.protocol.commands import Move
from gloam_shared.view.place import Place
from gloam_shared.view.surfaces import avoided_cells
from gloam_shared.view.view import Creature, CreatureFlag, View

PASSABLE: Final = WALKABLE | {Terrain.DOOR_CLOSED}
"""Terrain that a way may cross: walking into a closed door opens it."""

_TRAPS: Final = frozenset({Terrain.TRAP})
_FRIENDS: Final = int(CreatureFlag.PLAYER | CreatureFlag.ALLY)
_STAYS: Final = int(CreatureFlag.DOWN | CreatureFlag.HOSTILE)
"""A friend who makes room has none of these marks."""
_UNKNOWN: Final = frozenset({Terrain.UNKNOWN})


def first_step(
    view: View, goals: int, through: int = -1, *, over_traps: bool = True, barred: int = 0
) -> Move | None:
    """Return the first step of a shortest known way to the nearest goal, around creatures, traps and `barred` cells.

    Only if there is no other way does it cross traps and surfaces that harm, if that is allowed, and then friends, who may
    make room.
    """
    own = view.cell
    others = foes = barred & ~(1 << own)
    for other in view.creatures:
        cell = other.cell
        if cell not in (own, through):
            bit = 1 << cell
            others |= bit
            if not other.marks & _FRIENDS or other.marks & _STAYS:
                foes |= bit
    traps = terrain(view, _TRAPS) & ~goals
    if view.surfaces:
        traps |= avoided_cells(view.surface_looks, view.surfaces) & ~goals
    wary = (others | traps, foes | traps)
    for blocked in dict.fromkeys((wary[0], others, wary[1], foes) if over_traps else wary):
        way = shortest(view, goals, blocked)
        if way is not None:
            return way[0]
    return None


def barrier(view: View, goals: int) -> str:
    """Return the sentence about the creature in sight that makes the way to the nearest goal longer; "" without one.

    Of several in one corridor it is the nearest.
    """
    others = [other for other in view.creatures if other.cell != view.cell]
    if not others:
        return ""
    others.sort(
        key=lambda each: (
            not each.marks & CreatureFlag.HOSTILE,
            view.place.grid.distance(view.cell, each.cell),
            each.handle,
        )
    )
    blocked = bitboard.bits_of(other.cell for other in others)
    known = shortest(view, goals, blocked)

    def opens(way: int) -> bool:
        found = shortest(view, goals, way)
        return found is not None and (known is None or found[1] < known[1])

    for other in others:
        if opens(blocked & ~(1 << other.cell)):
            return _bars(other)
    if len(others) < 2 or not opens(0):
        return ""
    return next((_bars(other) for other in others if not opens(1 << other.cell)), _bars(others[0]))


def _bars(other: Creature) -> str:
    """Return the message about a creature that blocks the only way."""
    name = capital(with_article(other.name))
    if other.marks & CreatureFlag.HOSTILE and not is_own_name(other.name):
        return f"{name} bars the only way: walk into it to fight."
    return f"{name} stands in the only way."


def shortest(view: View, goals: int, blocked: int) -> tuple[Move, int] | None:
    """Return the first step of a shortest known way to the nearest goal past what is blocked, and its length in steps."""
    steps, length = first_steps(view, terrain(view, PASSABLE) & ~blocked, goals)
    return (steps[0], length) if steps else None


def first_steps(view: View, ground: int, goals: int) -> tuple[list[Move], int]:
    """Return the first steps of all shortest ways to the nearest goal, clockwise from north, and the length.

    Without a way there are no steps.
    """
    own, place = view.cell, view.place
    found = bitboard.flood_fill_rings(own, ground, goals & ground, place.grid, orthogonal=place.orthogonal)
    if not found:
        return [], 0
    firsts = bitboard.nearest_cells(found, goals & ground, place.grid, orthogonal=place.orthogonal)
    beside = ((way, place.grid.step(own, *way)) for way in place.directions)
    return [Move(*way) for way, cell in beside if cell is not None and firsts >> cell & 1], len(found) - 1


def one_step(view: View, cell: int) -> Move | None:
    """Return the step from the player's own cell to this one, which attacks a foe there."""
    if view.place.grid.distance(view.cell, cell) != 1:
        return None
    way = view.place.grid.towards(view.cell, cell)
    return Move(*way) if way in view.place.directions else None


def nearest(view: View, goals: int) -> int | None:
    """Return the nearest known cell that is a goal, by known ways; the player's own cell does not count."""
    place = view.place
    found = bitboard.flood_fill_rings(
        view.cell, terrain(view, PASSABLE), goals, place.grid, orthogonal=place.orthogonal
    )
    return bitboard.lowest(found[-1] & goals) if found else None


def frontier(view: View) -> int:
    """Return the known walkable cells next to an unknown cell."""
    return _frontier(view.terrain, view.place)


def terrain(view: View, kinds: frozenset[int]) -> int:
    """Return the cells that are remembered as one of these terrains."""
    return cells_with(view.terrain, kinds)


def cells(ground: bytes, kind: int) -> Iterator[int]:
    """Yield the cells that are of one terrain."""
    cell = ground.find(kind)
    while cell >= 0:
        yield cell
        cell = ground.find(kind, cell + 1)


@lru_cache(maxsize=32)
def cells_with(cells: bytes, kinds: frozenset[int]) -> int:
    """Return the cells, one byte each, that have one of these kinds."""
    return bitboard.cells_where(cells, kinds)


@lru_cache(maxsize=8)
def _frontier(cells: bytes, place: Place) -> int:
    beside = bitboard.neighbor_bits(cells_with(cells, _UNKNOWN), place.grid, orthogonal=place.orthogonal)
    return beside & cells_with(cells, PASSABLE)
