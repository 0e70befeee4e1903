"""Packed moves: in a crowd, a byte for each creature is shorter than a handle and a cell for each that moves.

A crowd moves as a whole between two updates, and part of it leaves sight or returns. The bytes follow the order of the
handles, which both sides know. A reader unpacks them before anything else reads the patch.
"""

from collections.abc import Callable, Collection
from itertools import accumulate, chain, pairwise, repeat
from operator import attrgetter
from typing import Final, TypeAlias

from msgspec.structs import replace

from gloam_shared.geometry import DIRECTIONS, Grid
from gloam_shared.view.changes import AnyChange, Creatures, Entered, Moves, Patch, Returned, Steps
from gloam_shared.view.patch import pairs_of
from gloam_shared.view.view import Stat, View

LastSeen: TypeAlias = Callable[[int], int | None]
"""The cell at which a creature, by handle, was last seen before it left sight; None for one that is not remembered."""

_HANDLE: Final = attrgetter("handle")
_CELL: Final = attrgetter("cell")
_FAR: Final = 7
"""The longest move along one axis that a byte can hold."""
_SIDE: Final = 2 * _FAR + 1
_GONE: Final = _SIDE * _SIDE + 1
"""The byte of a creature that left sight."""
_STEP_BYTES: Final = 4
"""The bytes of a handle and a heading; a cell takes two more."""
_MOVED_BYTES: Final = 6
_GONE_BYTES: Final = 3
_HEAD_BYTES: Final = 6
_NO_CREATURES: Final = Creatures()
_NO_RETURNED: Final = Returned()


def pack_moves(patch: Patch, before: View, last_seen: LastSeen) -> Patch:
    """Return a patch of the view before with the moves of others packed, where that is shorter; else the same patch."""
    steps, creatures, returned, others = _parts(patch)
    spared = _bytes(returned.creatures, creatures.gone, creatures.moved) + _STEP_BYTES * len(steps) // 2
    if spared <= _HEAD_BYTES or any(isinstance(each, Entered) for each in others):  # most updates
        return patch
    # A server does this for each update, and most moves are steps: so these are coded without a loop.
    codes = dict(zip(steps[::2], map(_STEP_CODES.__getitem__, steps[1::2]), strict=True))
    codes |= dict.fromkeys(creatures.gone, _GONE)
    handles, width = list(map(_HANDLE, before.creatures)), before.place.width
    far, far_back, back = creatures.moved, returned.creatures, dict[int, int]()
    if far:
        cells = dict(zip(handles, map(_CELL, before.creatures), strict=True))
        cells.pop(before.fact(Stat.HANDLE), None)
        moved, far = _codes(far, cells.get, width)
        codes |= moved
    if far_back:
        back, far_back = _codes(far_back, last_seen, width)
        codes |= back
    order = sorted([*handles, *back]) if back else handles  # rising as they are
    offsets = bytes(map(codes.get, order, repeat(0))).rstrip(b"\0")
    moves = Moves(offsets, _differences(back))
    if len(offsets) + 2 * len(back) + _HEAD_BYTES >= spared - _bytes(far_back, (), far):
        return patch
    rest = (replace(returned, creatures=far_back), replace(creatures, gone=(), moved=far))
    return (*[each for each in rest if each not in (_NO_RETURNED, _NO_CREATURES)], *others, moves)


def unpack_moves(patch: Patch, before: View, last_seen: LastSeen) -> Patch:
    """Return a patch of the view before without packed moves. Raises ValueError if these do not fit the view."""
    if not (patch and isinstance(patch[-1], Moves)):
        return patch
    moves = patch[-1]
    cells = {creature.handle: creature.cell for creature in before.creatures}
    back = dict.fromkeys(accumulate(moves.returned), 0)
    for handle in back:
        cell = last_seen(handle)
        if cell is None or handle in cells:
            raise ValueError(f"a patch moves creature {handle}, which did not leave the view")
        back[handle] = cell
    order = sorted(cells.keys() | back.keys())
    if len(moves.offsets) > len(order):
        raise ValueError("a patch moves more creatures than this view holds")
    gone, moved, grid = list[int](), list[int](), before.place.grid
    for handle, code in zip(order, moves.offsets, strict=False):  # the others stay
        if handle in back:
            back[handle] = _moved(grid, back[handle], code)
        elif code == _GONE:
            gone.append(handle)
        elif code:
            moved += (handle, _moved(grid, cells[handle], code))
    return _merge(patch[:-1], tuple(gone), tuple(moved), tuple(chain.from_iterable(back.items())))


def _merge(patch: Patch, gone: tuple[int, ...], moved: tuple[int, ...], back: tuple[int, ...]) -> Patch:
    """Return a patch with further moves: creatures that return come first, since other changes may speak of them."""
    steps, creatures, returned, others = _parts(patch)
    if steps:
        raise ValueError("a patch has both steps and packed moves, which hold all steps")
    returned = replace(returned, creatures=(*returned.creatures, *back))
    creatures = replace(creatures, gone=(*creatures.gone, *gone), moved=(*creatures.moved, *moved))
    return (returned, creatures, *others)


def _parts(patch: Patch) -> tuple[tuple[int, ...], Creatures, Returned, list[AnyChange]]:
    """Return the steps, creatures, returned creatures and other changes of a patch."""
    steps: tuple[int, ...] = ()
    creatures, returned, others = _NO_CREATURES, _NO_RETURNED, list[AnyChange]()
    for change in patch:
        match change:
            case Steps(steps):
                pass
            case Creatures():
                creatures = change
            case Returned():
                returned = change
            case _:
                others.append(change)
    return steps, creatures, returned, others


def _bytes(returned: tuple[int, ...], gone: tuple[int, ...], moved: tuple[int, ...]) -> int:
    """Return how many bytes these take unpacked, where handles and cells have two bytes."""
    return _MOVED_BYTES * (len(returned) + len(moved)) // 2 + _GONE_BYTES * len(gone)


def _codes(pairs: tuple[int, ...], was: LastSeen, width: int) -> tuple[dict[int, int], tuple[int, ...]]:
    """Return a byte by handle for each move, and the handle and cell of each move that no byte can tell."""
    codes, far = dict[int, int](), list[int]()
    for handle, cell in pairs_of(pairs):
        former = was(handle)
        if former is not None:
            dx, dy = cell % width - former % width, cell // width - former // width
            if -_FAR <= dx <= _FAR and -_FAR <= dy <= _FAR:
                codes[handle] = _code(dx, dy)
                continue
        far += (handle, cell)
    return codes, tuple(far)


def _differences(handles: Collection[int]) -> tuple[int, ...]:
    """Return rising handles, each as the difference to the one before: most fit a byte."""
    return tuple([handle - before for before, handle in pairwise((0, *sorted(handles)))])


def _code(dx: int, dy: int) -> int:
    return 1 + (dy + _FAR) * _SIDE + dx + _FAR


_STEP_CODES: Final = [_code(dx, dy) for dx, dy in DIRECTIONS]
"""The bytes of single steps, by heading."""


def _moved(grid: Grid, cell: int, code: int) -> int:
    if not code:
        return cell
    dy, dx = divmod(code - 1, _SIDE)
    goal = grid.step(cell, dx - _FAR, dy - _FAR) if dy < _SIDE and grid.width else None
    if goal is None:
        raise ValueError(f"a patch moves a creature by {code}, which leads nowhere")
    return goal
