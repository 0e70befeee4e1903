"""Running: along a corridor, along one wall, or across the open, until the ground changes (rule RG.23). Pure.

Small patterns of walls around the runner, rotated to the heading, decide how a run continues. Unseen terrain
counts as a wall.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import Direction
from gloam_shared.narration.rendering import with_article
from gloam_shared.view.surfaces import SurfaceFlag, surface_at
from gloam_shared.view.view import View

RunMode: TypeAlias = Literal["", "step", "corridor", "left", "right", "open"]
"""The state of a run: not begun, one step made, along a corridor, with a wall to the left or right, or with
none.
"""

_PLAIN: Final = frozenset(
    {Terrain.UNKNOWN, Terrain.FLOOR, Terrain.GRASS, Terrain.SHALLOWS, Terrain.WALL, Terrain.WATER}
)
"""Features that do not end a run."""

# The cells around a runner that faces right: U is up, D down, L left, R right; the first letters name the farther way.
_AROUND: Final[dict[str, Direction]] = {
    "UL": (-1, 1), "U": (0, 1), "UR": (1, 1), "L": (-1, 0), "R": (1, 0),
    "DL": (-1, -1), "D": (0, -1), "DR": (1, -1),
    "UUL": (-1, 2), "UU": (0, 2), "UUR": (1, 2), "URR": (2, 1), "RR": (2, 0), "DRR": (2, -1),
    "DDL": (-1, -2), "DD": (0, -2),
}  # fmt: skip


class WallPattern(NamedTuple):
    """A corridor continues at `way`, if these cells are open and those are walls."""

    way: str
    open: str
    walls: str


_STRAIGHT: Final = (
    WallPattern("U", "U", "UL UR R D DR"),
    WallPattern("UR", "UR", "U R D DR"),
    WallPattern("R", "R", "U UR D DR"),
    WallPattern("DR", "DR", "U UR R D"),
    WallPattern("D", "D", "U UR R DR DL"),
    WallPattern("U", "U UR", "UUL UU UL R D DR"),
    WallPattern("R", "UR R", "U RR D DR DRR"),
    WallPattern("R", "R DR", "U UR URR RR D"),
    WallPattern("D", "D DR", "U UR R DL DDL DD"),
)
"""After a step to the right: one way on, ahead or to a side; or the corner of a corridor, one step ahead."""

_DIAGONAL: Final = (
    WallPattern("UL", "UL", "U UR R DR L"),
    WallPattern("U", "U", "UL UR R DR"),
    WallPattern("UR", "UR", "UL U R DR"),
    WallPattern("R", "R", "UL U UR DR"),
    WallPattern("DR", "DR", "UL U UR R D"),
    WallPattern("U", "UL U", "UU UUR UR L R"),
    WallPattern("U", "U UR", "UUL UU UL R"),
    WallPattern("R", "UR R", "U RR DR DRR"),
    WallPattern("R", "R DR", "U UR URR RR D"),
)
"""The same after a step up and to the right."""


@dataclass(frozen=True, slots=True)
class RunStep:
    """A run under way: its heading, and how it continues."""

    heading: Direction
    gait: RunMode = ""


def continue_run(view: View, stride: RunStep) -> RunStep | str:
    """Return the next step of a run, or why it ends; "" for no message."""
    if stride.gait == "":
        return RunStep(stride.heading, "step") if _may_begin(view, stride.heading) else ""
    found = _reaches_feature(view, stride.heading)
    if found:
        return f"You stop at {found}."
    following = _follow(view, stride)
    if following is None:
        return ""
    ahead = view.step(following.heading)
    if ahead is None or view.terrain[ahead] not in WALKABLE or view.at(ahead) is not None:
        return ""
    surface = surface_at(view.surface_looks, view.surfaces, ahead)
    stops = surface is not None and (surface.harm or surface.marks & SurfaceFlag.SINKS)
    return f"You stop at {surface.name}." if surface is not None and stops else following


def _may_begin(view: View, heading: Direction) -> bool:
    """Return whether the first step may be made: onto free ground, or against a closed door, to open it."""
    ahead = view.step(heading)
    if ahead is None or view.at(ahead) is not None:
        return False
    return view.terrain[ahead] in WALKABLE or view.terrain[ahead] == Terrain.DOOR_CLOSED


def _follow(view: View, stride: RunStep) -> RunStep | None:
    """Return how a run continues: the ground decides at the first step; a change of it ends the run."""
    if stride.gait in ("step", "corridor"):
        way = _along_corridor(view, stride.heading)
        if way is not None:
            return RunStep(way, "corridor")
        if stride.gait == "corridor":
            return None
    side = _side_of_wall(view, stride.heading)
    if side is None or stride.gait not in ("step", side):
        return None
    return RunStep(stride.heading, side)


def _along_corridor(view: View, heading: Direction) -> Direction | None:
    """Return the next direction of the corridor, None without one."""
    patterns = _DIAGONAL if all(heading) else _STRAIGHT
    wall = {name: _is_unseen_or_wall(view, _rotate(offset, heading)) for name, offset in _AROUND.items()}
    for way, open_cells, walls in patterns:
        if _rotate(_AROUND[way], heading) not in view.place.directions:
            continue
        if all(wall[name] for name in walls.split()) and not any(wall[name] for name in open_cells.split()):
            return _rotate(_AROUND[way], heading)
    return None


def _side_of_wall(view: View, heading: Direction) -> Literal["left", "right", "open"] | None:
    """Return on which side a wall runs along; None where it does so on both, or only in part."""
    names = ("UL", "U", "R", "DR") if all(heading) else ("U", "UR", "D", "DR")
    left, left_on, right, right_on = (_is_wall(view, _rotate(_AROUND[name], heading)) for name in names)
    if left != left_on or right != right_on or (left and right):
        return None
    return "left" if left else "right" if right else "open"


def _reaches_feature(view: View, heading: Direction) -> str:
    """Return the reason to stop, underfoot or newly next to the runner, in words; "" for none."""
    names = ("UL", "U", "UR", "R", "DR") if all(heading) else ("UR", "R", "DR")
    offsets = [(0, 0), *(_rotate(_AROUND[name], heading) for name in names)]
    cells = [cell for offset in offsets if (cell := _at(view, offset)) is not None]
    lying = {item.cell: item.name for item in view.items}
    for cell in cells:
        if cell in lying:
            return with_article(lying[cell])
        if view.terrain[cell] not in _PLAIN:
            return TERRAIN_LOOKS[Terrain(view.terrain[cell])].words
    return ""


def _rotate(offset: Direction, heading: Direction) -> Direction:
    """Return an offset for a runner that faces right (or up and right), rotated to another heading."""
    dx, dy = heading
    ahead = heading if not all(heading) else ((dx, 0) if dx == dy else (0, dy))
    aside = (-ahead[1], ahead[0])
    x, y = offset
    return x * ahead[0] + y * aside[0], x * ahead[1] + y * aside[1]


def _at(view: View, offset: Direction) -> int | None:
    return view.place.grid.step(view.cell, *offset)


def _is_wall(view: View, offset: Direction) -> bool:
    cell = _at(view, offset)
    return cell is None or view.terrain[cell] not in WALKABLE


def _is_unseen_or_wall(view: View, offset: Direction) -> bool:
    cell = _at(view, offset)
    return cell is None or not view.sight[cell] or view.terrain[cell] not in WALKABLE
