"""Stairs, items and devices in a view: those that exploring stops for, and those that plans keep off. Pure."""

from typing import Final, TypeAlias

from gloam_server.autopilot import pathfinding
from gloam_shared.appearance import Terrain
from gloam_shared.bitboard import lowest
from gloam_shared.narration.rendering import list_names, with_article
from gloam_shared.protocol.commands import Move
from gloam_shared.view.surfaces import DEVICES, avoided_cells, passing_cells, surface_at
from gloam_shared.view.view import View

PointOfInterest: TypeAlias = tuple[int, int, str]
"""A depth, a cell there, and the words for what is there."""

_WORTH_STOPPING: Final = {
    Terrain.STAIRS_DOWN: "stairs down",
    Terrain.STAIRS_UP: "stairs up",
    Terrain.HOLE: "a great dark hole",
    Terrain.EXIT: "the way out",
}


def points_of_interest(view: View) -> frozenset[PointOfInterest]:
    """Return the items and stairs in a view that are worth a stop, by place."""
    depth = view.place.depth
    items = {(depth, item.cell, with_article(item.name)) for item in view.items}
    return stairs_in(view) | items


def stairs_in(view: View) -> frozenset[PointOfInterest]:
    """Return the stairs and the kinds of devices that a view shows or remembers, by place."""
    return frozenset(
        (view.place.depth, cell, word)
        for terrain, word in _WORTH_STOPPING.items()
        for cell in pathfinding.cells(view.terrain, terrain)
    ) | devices_in(view)


def devices_in(view: View) -> frozenset[PointOfInterest]:
    """Return the kinds of devices that a view shows: one for each kind on a level is worth a stop."""
    seen = set(view.surfaces)
    return frozenset(
        (view.place.depth, -1, with_article(look.name))
        for number, look in enumerate(view.surface_looks, start=1)
        if number in seen and look.marks & DEVICES
    )


def explored_words(view: View) -> str:
    """Return the end of exploring, which names the kinds of devices that stay to be tried."""
    devices = sorted({name for *_, name in devices_in(view)})
    seen = f"; it has {list_names(devices)}" if devices else ""
    return f"There is nothing left to explore on this level{seen}."


def step_up_to_avoided(view: View, goals: int) -> Move | str:
    """Return the first step of a way over what plans avoid, up to it; beside it, how the way leads on; "" without a way.

    A plan goes up to what stays where it is. Fire and gas spread, so no plan leads beside them.
    """
    avoided = avoided_cells(view.surface_looks, view.surfaces)
    spreading = avoided & passing_cells(view.surface_looks, view.surfaces)
    step = pathfinding.first_step(view, goals, barred=spreading)
    if step is None:
        return "" if pathfinding.first_step(view, goals) is None else _past(view, spreading)
    ahead = view.place.grid.step(view.cell, step.dx, step.dy)
    if ahead is None:
        return step
    return "over a trap" if view.terrain[ahead] == Terrain.TRAP else _past(view, avoided & 1 << ahead) or step


def _past(view: View, cells: int) -> str:
    """Return how a way leads past the surface or device of the lowest of some cells; "" without one."""
    look = surface_at(view.surface_looks, view.surfaces, lowest(cells)) if cells else None
    if look is None:
        return ""
    return f"through {look.name}" if look.harm else f"over {with_article(look.name)}"
