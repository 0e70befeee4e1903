"""The step that helps a badly hurt player among foes, when no plan fights for them: away from them, or into one. Pure."""

from typing import Final

from gloam_client.input.keymap import DIRECTION_OF
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Direction
from gloam_shared.view.view import Creature, CreatureFlag, Stat, View

_STANDING: Final = WALKABLE - {Terrain.TRAP}
_HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
_STEPS: Final = {way: intent for intent, way in DIRECTION_OF.items() if intent.startswith("step")}


def step_by_hand(view: View) -> str | None:
    """Return the intent of the step that is best now: out of the reach of foes that are no faster, else into the weakest.

    Who steps away from a foe that has to follow is not struck, and heals on the way.
    """
    hunters = [one for one in view.creatures if one.marks & _HOLDS_YOU]
    way = _strike(view, hunters)
    return step_away(view) or (None if way is None else _STEPS[way])


def step_away(view: View) -> str | None:
    """Return the intent of the step out of the reach of all hunters; None if one of them is faster or hurts from afar."""
    hunters = [one for one in view.creatures if one.marks & _HOLDS_YOU]
    if not hunters or any(_catches(one, view) for one in hunters):
        return None
    way = _away(view, hunters)
    return None if way is None else _STEPS[way]


def _catches(foe: Creature, view: View) -> bool:
    """Return whether stepping away from a foe is no use: it is faster, or hurts from afar."""
    menace = foe.menace
    return menace is not None and (
        menace.speed > view.fact(Stat.SPEED) or menace.reach > 1 or menace.spell_range > 1
    )


def _away(view: View, hunters: list[Creature]) -> Direction | None:
    """Return the step to the free cell farthest from the nearest hunter, the one with most ways on; None if all are beside."""
    grid = view.place.grid
    taken = {one.cell for one in view.creatures}
    best: tuple[int, int, int] | None = None
    found = None
    for way in view.place.directions:
        cell = view.step(way)
        if cell is None or cell in taken or view.terrain[cell] not in _STANDING:
            continue
        gap = min(grid.distance(cell, one.cell) for one in hunters)
        free = sum(view.terrain[on] in _STANDING for on in grid.neighbors(cell, view.place.directions))
        score = gap, free, -cell
        if gap > 1 and (best is None or score > best):
            best, found = score, way
    return found


def _strike(view: View, hunters: list[Creature]) -> Direction | None:
    """Return the step into the weakest hunter beside the player; None without one."""
    beside = {view.step(way): way for way in view.place.directions}
    weakest = min(
        (one for one in hunters if one.cell in beside), key=lambda one: (one.hp, one.handle), default=None
    )
    return None if weakest is None else beside[weakest.cell]
