"""The stains on the floor, level by level: blood where a corpse lay, soot where fire burned. Only the look of the map has them. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_shared.view.surfaces import SurfaceFlag
from gloam_shared.view.view import View

CORPSE_TURNS: Final = 100
"""The turns of the player after which a corpse in sight is a stain, too."""
STAINS_MAX: Final = 60
LEVELS_MAX: Final = 32
"""The most stains on a level, the newest ones, and the most levels."""
_CORPSE: Final = "corpse"
_SHINES: Final = int(SurfaceFlag.SHINES)

Kind: TypeAlias = Literal["blood", "soot"]


class Stain(NamedTuple):
    """A stain, and the turn from which on it is there."""

    kind: Kind
    since: int


StainMemory: TypeAlias = Mapping[int, Mapping[int, Stain]]
"""The stains by depth and cell; the level that changed last is last."""

NO_STAINS: Final[Mapping[int, Kind]] = MappingProxyType({})


def update_stains(before: StainMemory, views: tuple[View, View], turn: int) -> StainMemory:
    """Return the memory after a view, the second of these two: the same object if nothing in it is new."""
    old, view = views
    depth = view.place.depth
    known = before.get(depth, {})
    new = _blood(known, view, turn) | dict.fromkeys(_burned(old, view), Stain("soot", turn))
    if not new:
        return before
    here = {**known, **new}
    others = [(level, stains) for level, stains in before.items() if level != depth]
    newest = sorted(here.items(), key=lambda entry: (entry[1].since, entry[0]))[-STAINS_MAX:]
    return dict([*others, (depth, dict(newest))][-LEVELS_MAX:])


def stains_of(memory: StainMemory, depth: int, turn: int) -> Mapping[int, Kind]:
    """Return the stains of a level that are there in this turn, by cell."""
    known = memory.get(depth)
    if not known:
        return NO_STAINS
    return {cell: stain.kind for cell, stain in known.items() if stain.since <= turn}


def _blood(known: Mapping[int, Stain], view: View, turn: int) -> dict[int, Stain]:
    """Return what is new of blood: corpses, which are stains later, and those that are gone, which are stains now."""
    corpses = {item.cell for item in view.items if item.name.endswith(_CORPSE)}
    if any(item.name.endswith(_CORPSE) for item in view.pile):
        corpses.add(view.cell)
    found = {cell: Stain("blood", turn + CORPSE_TURNS) for cell in corpses if not _is_blood(known.get(cell))}
    gone = {
        cell: Stain("blood", turn)
        for cell, stain in known.items()
        if stain.kind == "blood" and stain.since > turn and cell not in corpses and _is_seen(view, cell)
    }
    return found | gone


def _is_blood(stain: Stain | None) -> bool:
    return stain is not None and stain.kind == "blood"


def _is_seen(view: View, cell: int) -> bool:
    return cell < len(view.sight) and bool(view.sight[cell] & 1)


def _burned(old: View, view: View) -> list[int]:
    """Return the cells in sight where fire has ended since the view before."""
    if old.surfaces is view.surfaces or not old.surfaces or old.place != view.place:
        return []
    before = _burning(old)
    now = _burning(view) if before else set()
    return [cell for cell in sorted(before - now) if _is_seen(view, cell)]


def _burning(view: View) -> set[int]:
    numbers = {
        at for at, look in enumerate(view.surface_looks, start=1) if look.harm and look.marks & _SHINES
    }
    return {cell for cell, number in enumerate(view.surfaces) if number in numbers} if numbers else set()
