"""Places in the view that a player may want to go to: stairs, open doors, distances and directions. Pure."""

from gloam_client.state.model import Model
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import DIRECTIONS, Direction
from gloam_shared.view.downed import turns_down
from gloam_shared.view.view import Creature, Friend, View

WAYS_DOWN = frozenset({Terrain.STAIRS_DOWN, Terrain.HOLE})
WAYS_UP = frozenset({Terrain.STAIRS_UP, Terrain.EXIT})
"""The stairs that `>` and `<` take, or lead to."""
PLACES = (WAYS_DOWN, WAYS_UP, frozenset({Terrain.SHRINE}))
"""Terrain to which players return."""


def nearest_first(model: Model, cells: list[int]) -> list[int]:
    """Return cells by their distance from the player's own body."""
    view = model.view
    return sorted(cells, key=lambda cell: (view.place.grid.distance(view.cell, cell), cell))


def known_landmarks(model: Model, kinds: frozenset[Terrain]) -> list[int]:
    """Return the cells that are remembered as one of these terrains, the nearest first."""
    return nearest_first(model, [cell for cell, terrain in enumerate(model.view.terrain) if terrain in kinds])


def ways(model: Model, terrain: Terrain) -> list[Direction]:
    """Return the directions of adjacent cells with a terrain."""
    if terrain not in model.view.terrain:  # most levels have few kinds, and this is asked for each input
        return []
    cells = ((way, model.view.step(way)) for way in DIRECTIONS)
    return [way for way, cell in cells if cell is not None and model.view.terrain[cell] == terrain]


def open_doors(model: Model) -> list[Direction]:
    """Return the directions of adjacent open doors."""
    return ways(model, Terrain.DOOR_OPEN)


def free_ways(model: Model) -> list[Direction]:
    """Return the directions of adjacent cells that can be entered, with no creature in sight on them."""
    view = model.view
    cells = ((way, view.step(way)) for way in view.place.directions)
    return [
        way
        for way, cell in cells
        if cell is not None and view.terrain[cell] in WALKABLE and view.at(cell) is None
    ]


def downed_beside(model: Model) -> list[Creature]:
    """Return the adjacent players who are down, those with the fewest turns left first."""
    view = model.view
    near = [
        one
        for one in view.creatures
        if turns_down(one.marks) and view.place.grid.distance(view.cell, one.cell) == 1
    ]
    return sorted(near, key=lambda one: (turns_down(one.marks), one.handle))


def downed_apart(model: Model) -> Friend | None:
    """Return the friend on this level who is down, not beside, with the fewest turns left; None without one."""
    view, beside = model.view, {one.name for one in downed_beside(model)}
    apart = [
        one
        for one in model.friends
        if turns_down(one.marks) and one.depth == view.place.depth and one.name not in beside
    ]
    return min(apart, key=lambda one: (turns_down(one.marks), one.name), default=None)


def where(view: View, cell: int) -> str:
    """Return the distance and direction of a cell in words."""
    distance = view.place.grid.distance(view.cell, cell)
    if not distance:
        return "Here."
    return f"{distance} step{'s' if distance > 1 else ''} {view.place.grid.compass(view.cell, cell)}."
