"""Packed moves: where many creatures in sight move, a byte for each of them is shorter than the handle and step of each.

A crowd moves as a whole between two updates, so nearly each creature has one. The bytes follow the order of the handles,
which both sides know.
"""

from typing import Final

from msgspec.structs import replace

from gloam_shared.geometry import DIRECTIONS
from gloam_shared.view.changes import AnyChange, Creatures, Entered, Moves, Patch, Steps
from gloam_shared.view.view import Stat, View

_FAR: Final = 7
"""The longest move along one axis that a byte can hold."""
_SIDE: Final = 2 * _FAR + 1
_STEP_BYTES: Final = 4
"""A handle and a heading; a cell takes two bytes more."""
_MOVED_BYTES: Final = 6
_HEAD_BYTES: Final = 5
_NO_CREATURES: Final = Creatures()


def pack_moves(patch: Patch, before: View, view: View) -> Patch:
    """Return the patch between two views with the moves of others packed, where that is shorter; else the same patch."""
    steps: tuple[int, ...] = ()
    creatures = _NO_CREATURES
    for change in patch:
        match change:
            case Steps(pairs):
                steps = pairs
            case Creatures():
                creatures = change
            case Entered():
                return patch
    spared = (_STEP_BYTES * len(steps) + _MOVED_BYTES * len(creatures.moved)) // 2 - _HEAD_BYTES
    if spared <= 0:
        return patch
    offsets, far = _offsets(before, view, steps, creatures.moved)
    if len(offsets) >= spared - _MOVED_BYTES * len(far) // 2:
        return patch
    rest = replace(creatures, moved=far)
    packed: list[AnyChange] = [] if rest == _NO_CREATURES else [rest]
    return (*packed, *[each for each in patch if not isinstance(each, Creatures | Steps)], Moves(offsets))


def apply_moves(view: View, offsets: bytes) -> View:
    """Return the view after packed moves. Raises ValueError if one does not fit the view."""
    creatures = list(view.creatures)
    if len(offsets) > len(creatures):
        raise ValueError("a patch moves more creatures than this view holds")
    for at, code in enumerate(offsets):
        if code:
            creatures[at] = replace(creatures[at], cell=_moved(view, creatures[at].cell, code))
    return replace(view, creatures=tuple(creatures))


def _offsets(
    before: View, view: View, steps: tuple[int, ...], moved: tuple[int, ...]
) -> tuple[bytes, tuple[int, ...]]:
    """Return a byte for each creature up to the last that moved, and the handle and cell of each that no byte can tell."""
    places = {creature.handle: at for at, creature in enumerate(view.creatures)}
    offsets, far = bytearray(len(places)), list[int]()
    for handle, way in zip(steps[::2], steps[1::2], strict=True):
        offsets[places[handle]] = _STEP_CODES[way]
    if moved:
        former = {creature.handle: creature.cell for creature in before.creatures}
        own, width = view.fact(Stat.HANDLE), view.place.width
        for handle, cell in zip(moved[::2], moved[1::2], strict=True):
            was = former[handle]
            dx, dy = cell % width - was % width, cell // width - was // width
            if handle != own and -_FAR <= dx <= _FAR and -_FAR <= dy <= _FAR:
                offsets[places[handle]] = _code(dx, dy)
            else:
                far += (handle, cell)
    return bytes(offsets.rstrip(b"\0")), tuple(far)


def _code(dx: int, dy: int) -> int:
    return 1 + (dy + _FAR) * _SIDE + dx + _FAR


_STEP_CODES: Final = [_code(dx, dy) for dx, dy in DIRECTIONS]
"""The bytes of single steps, by heading."""


def _moved(view: View, cell: int, code: int) -> int:
    dy, dx = divmod(code - 1, _SIDE)
    goal = view.place.grid.step(cell, dx - _FAR, dy - _FAR) if dy < _SIDE else None
    if goal is None:
        raise ValueError(f"a patch moves a creature by {code}, which leads nowhere")
    return goal
