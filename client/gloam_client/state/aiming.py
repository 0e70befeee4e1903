"""Aims: the targets in order, where aiming begins, whether a cell is a valid target, the path, and the blast.

Pure. Only uses the player's own view; the server decides.
"""

from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from gloam_shared.appearance import TRANSPARENT, WALKABLE
from gloam_shared.narration.rendering import list_names
from gloam_shared.protocol.commands import AnyCommand, Cast, Fire, Read, Throw, Zap
from gloam_shared.text import clean
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, Spell, Stat, View

Shot: TypeAlias = Throw | Fire | Read | Zap | Cast
_NOBODY: Final = "There's no one there to fire at."
_FLYING: Final = (Throw, Fire)
"""The shots that something in their way stops; to make a union of types takes longer than the question."""


class Aim(NamedTuple):
    """An action to aim: its title, the command with any cell, and its reach.

    `name` identifies the item or spell; `at` is its kind of target, "creature" or "cell", or "" if unknown.
    The target is within `range` cells, and everything within `radius` cells of it is affected. `harms` is
    false for what is known to be no attack.
    """

    title: str
    name: str
    shot: Shot
    at: str
    range: int
    radius: int = 0
    harms: bool = True

    @property
    def helps(self) -> bool:
        """Whether the action is meant for the player's own side."""
        if self.harms:
            return False
        return self.at == "creature" or self.radius > 0 or isinstance(self.shot, Throw)

    def at_cell(self, cell: int) -> Shot:
        """Return the command with a target cell."""
        return replace(self.shot, cell=cell)


def aim_is_valid(aim: Aim, view: View) -> bool:
    """Return whether the action is still possible: item carried, spell known, or weapon wielded."""
    match aim.shot:
        case Throw(slot) | Read(slot) | Zap(slot):
            return any(item.slot == slot and item.name == aim.name for item in view.inventory)
        case Cast(key):
            return any(spell.key == key for spell in view.spells)
        case Fire():
            return view.fact(Stat.REACH) > 0


def targets(aim: Aim, view: View) -> list[int]:
    """Return the cells worth aiming at, within range and in sight.

    For harm: foes, the nearest first, then others, then the player; no friends for magic against one
    creature. For help: the player and friends, the most hurt first, then foes.
    """
    missile = isinstance(aim.shot, _FLYING)
    spared = aim.harms and aim.at in ("creature", "") and not missile
    seen = [
        one for one in view.creatures if _in_range(aim, view, one.cell) and not (spared and _is_friend(one))
    ]
    grid = view.place.grid

    def order(one: Creature) -> tuple[bool, int, int, int]:
        hostile, away = bool(one.marks & CreatureFlag.HOSTILE), grid.distance(view.cell, one.cell)
        if aim.helps:
            return hostile, one.hp * 100 // max(one.hp_max, 1), away, one.handle
        return not hostile, one.marks & CreatureFlag.SELF, away, one.handle

    wanted = [one for one in sorted(seen, key=order) if not (missile and one.marks & CreatureFlag.SELF)]
    return [one.cell for one in wanted]


def first_target(aim: Aim, view: View, last: AnyCommand | None) -> int:
    """Return the cell on which aiming begins.

    Help begins at the first of its targets that is no foe. All else begins at a foe, the nearest that nothing shields,
    or where the `last` command was aimed at, or on a free cell beside the player; never at a friend.
    """
    there = [(one, cell) for cell in targets(aim, view) if (one := view.at(cell)) is not None]
    if aim.helps:
        cells = [cell for one, cell in there if not one.marks & CreatureFlag.HOSTILE]
    else:
        foes = [cell for one, cell in there if one.marks & CreatureFlag.HOSTILE]
        cells = [
            *(cell for cell in foes if not aim_fault(aim, view, cell)),
            *foes,
            *_last_cell(aim, view, last),
        ]
    if not aim.at:
        return [*cells, view.cell][0]  # what an unknown item does, it does mostly to its user
    return [*cells, *_free_beside(view), view.cell][0]


def _last_cell(aim: Aim, view: View, last: AnyCommand | None) -> list[int]:
    """Return the cell at which the last command was aimed, if it can be aimed at and is neither a friend's nor the player's."""
    if not isinstance(last, Shot) or last.cell is None or last.cell >= len(view.terrain):
        return []
    one = view.at(last.cell)
    friendly = one is not None and bool(one.marks & CreatureFlag.SELF or _is_friend(one))
    return [] if friendly or aim_fault(aim, view, last.cell) else [last.cell]


def _free_beside(view: View) -> list[int]:
    beside = [view.step(way) for way in view.place.directions]
    return [
        cell
        for cell in beside
        if cell is not None and view.terrain[cell] in WALKABLE and view.at(cell) is None
    ]


def reaches_foe(magic: InventoryItem | Spell, view: View) -> bool:
    """Return whether magic needs no foe in reach, or has one; unidentified magic is tried on any foe in sight."""
    if magic.target == "self":
        return True
    grid, own = view.place.grid, view.cell
    return any(
        one.marks & CreatureFlag.HOSTILE
        and view.sight[one.cell]
        and (not magic.target or grid.is_within(magic.range, own, one.cell))
        for one in view.creatures
    )


def aim_fault(aim: Aim, view: View, cell: int) -> str:
    """Return why a cell cannot be aimed at, as a sentence, or ""."""
    if not view.sight[cell]:
        return "You do not see that place."
    if not _in_reach(aim, view, cell):
        return "Out of range."
    if isinstance(aim.shot, _FLYING):
        if cell == view.cell:
            return _NOBODY if isinstance(aim.shot, Fire) else "You stand there yourself."
        if first_blocked_cell(view, view.cell, cell) is not None:
            return "There is something in the way."
    if aim.at != "creature":
        return ""
    one = view.at(cell)
    if one is None:
        return _NOBODY if isinstance(aim.shot, Fire) else "You point and mumble at nothing."
    if aim.harms and _is_friend(one):
        return _NOBODY if isinstance(aim.shot, Fire) else "You will not do that to a friend."
    return ""


def path_to(view: View, cell: int) -> list[int]:
    """Return the cells of the straight line to a cell, the nearest first."""
    return _line(view, view.cell, cell)


def first_blocked_cell(view: View, start: int, cell: int) -> int | None:
    """Return the first cell between two others that nothing flies through, or None."""
    between = _line(view, start, cell)[:-1]
    return next((at for at in between if view.terrain[at] not in TRANSPARENT), None)


def _line(view: View, start: int, cell: int) -> list[int]:
    return view.place.grid.line(start, cell, lambda at: view.terrain[at] in TRANSPARENT)


def cells_in_blast(aim: Aim, view: View, cell: int) -> list[int]:
    """Return the cells of the blast around the target; walls stop it."""
    grid, radius = view.place.grid, aim.radius
    return [
        at
        for at in grid.square(cell, radius)
        if at == cell
        or (
            grid.is_within(radius, cell, at)
            and view.terrain[at] in TRANSPARENT
            and first_blocked_cell(view, cell, at) is None
        )
    ]


def creatures_in_blast(aim: Aim, view: View, cell: int) -> list[Creature]:
    """Return the affected creatures: the one on the cell, and those in the blast."""
    cells = set(cells_in_blast(aim, view, cell))
    return [one for one in view.creatures if one.cell in cells]


def question(aim: Aim, view: View, cell: int) -> str:
    """Return the question before an aim that would harm the player (rule RG.26) or is meant for foes, or ""."""
    if aim.helps:
        return ""
    if aim.harms and (there := view.at(cell)) is not None and _is_friend(there):
        return f"Really target {clean(there.name)}?"
    if cell == view.cell and aim.at:
        return "Really target yourself?"
    if aim.radius and any(one.marks & CreatureFlag.SELF for one in creatures_in_blast(aim, view, cell)):
        return "Really include yourself?"
    return ""


def names(reached: list[Creature]) -> str:
    """Return the names of the friends among some creatures: "Bert and Cleo", "" for none."""
    return list_names([clean(one.name) for one in reached if _is_friend(one)])


def _is_friend(one: Creature) -> bool:
    return bool(one.marks & CreatureFlag.PLAYER) and not one.marks & (
        CreatureFlag.SELF | CreatureFlag.HOSTILE
    )


def _in_range(aim: Aim, view: View, cell: int) -> bool:
    return bool(view.sight[cell]) and _in_reach(aim, view, cell)


def _in_reach(aim: Aim, view: View, cell: int) -> bool:
    """Return whether a cell is within range: magic reaches in a circle, missiles fly as far diagonally as straight."""
    grid = view.place.grid
    if isinstance(aim.shot, _FLYING):
        return grid.distance(view.cell, cell) <= aim.range
    return grid.is_within(aim.range, view.cell, cell)
