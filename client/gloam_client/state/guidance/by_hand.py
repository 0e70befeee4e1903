"""The step that helps a badly hurt player among foes, when no plan fights for them: away from them, or into one. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_client.input.keymap import DIRECTION_OF
from gloam_client.state.aiming import first_blocked_cell
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Direction
from gloam_shared.view.view import Creature, CreatureFlag, Stat, View

_STANDING: Final = WALKABLE - {Terrain.TRAP}
_HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
_STEPS: Final = {way: intent for intent, way in DIRECTION_OF.items() if intent.startswith("step")}


def step_by_hand(view: View) -> str | None:
    """Return the intent of the step that is best now: out of the reach of foes that are no faster, else into the weakest.

    A player who steps away from a foe that has to follow is not struck, and heals on the way. Under fire from farther
    off, the step leads out of the line of fire, else towards the nearest foe: to stand there is worse.
    """
    hunters = [one for one in view.creatures if one.marks & _HOLDS_YOU]
    away = step_away(view)
    if away is not None or not hunters:
        return away
    way = _strike(view, hunters)
    if way is None and any(_hurts_from_afar(one) for one in hunters):
        way = _to_cover(view, hunters) or _nearer(view, hunters)
    return None if way is None else _STEPS[way]


def step_to(view: View, cell: int) -> str | None:
    """Return the intent of the step to a cell beside the player; None if it is not beside."""
    return next((_STEPS[way] for way in view.place.directions if view.step(way) == cell), None)


def step_away(view: View) -> str | None:
    """Return the intent of the step out of the reach of all hunters; None if one of them is faster or hurts from afar."""
    hunters = [one for one in view.creatures if one.marks & _HOLDS_YOU]
    if not hunters or any(_catches(one, view) for one in hunters):
        return None
    way = _away(view, hunters)
    return None if way is None else _STEPS[way]


def _catches(foe: Creature, view: View) -> bool:
    """Return whether stepping away from a foe is no use: it is faster, or hurts from afar."""
    return _hurts_from_afar(foe) or (foe.menace is not None and foe.menace.speed > view.fact(Stat.SPEED))


def _hurts_from_afar(foe: Creature) -> bool:
    """Return whether a foe shoots, throws or casts; the blow of a long weapon is no shot."""
    menace = foe.menace
    return menace is not None and ((menace.reach > 1 and menace.ranged > 0) or menace.spell_range > 1)


def _strikes_within(foe: Creature) -> int:
    """Return the cells that the blows of a foe reach."""
    return max(1, foe.menace.reach) if foe.menace is not None and not foe.menace.ranged else 1


def _free_steps(view: View) -> Iterator[tuple[Direction, int]]:
    """Yield the steps to cells beside the player that are free of creatures and traps."""
    taken = {one.cell for one in view.creatures}
    for way in view.place.directions:
        cell = view.step(way)
        if cell is not None and cell not in taken and view.terrain[cell] in _STANDING:
            yield way, cell


def _to_cover(view: View, hunters: list[Creature]) -> Direction | None:
    """Return the step to a cell that no hunter sees, the one farthest from the nearest; None without one."""
    covered = [
        (way, cell)
        for way, cell in _free_steps(view)
        if all(first_blocked_cell(view, one.cell, cell) is not None for one in hunters)
    ]
    return max(covered, key=lambda step: (_gap(view, hunters, step[1]), -step[1]), default=(None, 0))[0]


def _nearer(view: View, hunters: list[Creature]) -> Direction | None:
    """Return the step that brings the player nearer to the nearest hunter; None without one."""
    here = _gap(view, hunters, view.cell)
    nearer = [(way, cell) for way, cell in _free_steps(view) if _gap(view, hunters, cell) < here]
    return min(nearer, key=lambda step: (_gap(view, hunters, step[1]), step[1]), default=(None, 0))[0]


def _gap(view: View, hunters: list[Creature], cell: int) -> int:
    return min(view.place.grid.distance(cell, one.cell) for one in hunters)


def _away(view: View, hunters: list[Creature]) -> Direction | None:
    """Return the step to the free cell farthest from the nearest hunter, the one with most ways on; None if all are beside."""
    grid = view.place.grid
    best: tuple[int, int, int] | None = None
    found = None
    reach = max(map(_strikes_within, hunters))
    for way, cell in _free_steps(view):
        gap = _gap(view, hunters, cell)
        free = sum(view.terrain[on] in _STANDING for on in grid.neighbors(cell, view.place.directions))
        score = gap, free, -cell
        if gap > reach and (best is None or score > best):
            best, found = score, way
    return found


def _strike(view: View, hunters: list[Creature]) -> Direction | None:
    """Return the step into the weakest hunter beside the player; None without one."""
    beside = {view.step(way): way for way in view.place.directions}
    weakest = min(
        (one for one in hunters if one.cell in beside), key=lambda one: (one.hp, one.handle), default=None
    )
    return None if weakest is None else beside[weakest.cell]
