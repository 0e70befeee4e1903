"""Patches: the difference between two views, as the short list of changes for a client.

The law: for any two views, `apply(v, diff(v, w)) == w`, over the wire too. What did not change is not in the list.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import compress, repeat
from operator import attrgetter, is_not
from typing import Final, TypeVar, assert_never

from msgspec.structs import replace

from gloam_shared.geometry import DIRECTIONS, headings
from gloam_shared.limits import LEVEL_CELLS_MAX
from gloam_shared.view import run_length
from gloam_shared.view.changes import (
    AnyChange,
    Choices,
    Creatures,
    Entered,
    Friends,
    Ground,
    Inventory,
    Items,
    Lines,
    LogReset,
    Moves,
    Party,
    Patch,
    Pile,
    Recolored,
    Returned,
    Sheet,
    Sight,
    Skills,
    Spells,
    States,
    Step,
    Steps,
    SurfaceLooks,
    Surfaces,
)
from gloam_shared.view.party_changes import apply_friends
from gloam_shared.view.place import Place
from gloam_shared.view.view import Creature, InventoryItem, Item, Log, LogLine, Stat, View

T = TypeVar("T")

_HANDLE: Final = attrgetter("handle")
_MOVES_KEPT: Final = 8_192
"""A thousand creatures in sight of each other, and the moves of a second: about 4 MB with these records."""
_LOOKS: Final = attrgetter(
    "handle", "hp_max", "level", "glyph", "name", "attack", "defence", "grown", "menace", "fame"
)
"""The fields of a creature that no part of `Creatures` can change alone; a test holds them to the fields of
`Creature`."""


def diff(old: View, new: View) -> Patch:  # noqa: C901  # one flat list of the parts
    """Return the changes that turn `old` into `new`; () when they are equal."""
    changes: list[AnyChange] = []
    if old.place != new.place:
        changes.append(Entered(new.place))
        old = _enter_place(old, new.place)
    # Most parts of two views in a row are the same objects: no call for these.
    if old.terrain is not new.terrain and old.terrain != new.terrain:
        changes.append(Ground(run_length.diff_values(old.terrain, new.terrain, new.place.width)))
    if old.sight is not new.sight and old.sight != new.sight:
        changes.append(Sight(run_length.diff_flags(old.sight, new.sight, new.place.width)))
    if old.creatures is not new.creatures and old.creatures != new.creatures:
        changes += _diff_creatures(old, new)
    if old.items is not new.items and old.items != new.items:
        changes.append(Items(*_split_changes(old.items, new.items, _handle)))
    if old.pile is not new.pile and old.pile != new.pile:
        changes.append(Pile(new.pile))
    if old.inventory is not new.inventory and old.inventory != new.inventory:
        changes.append(Inventory(*_split_changes(old.inventory, new.inventory, _slot)))
    if old.spells is not new.spells and old.spells != new.spells:
        changes.append(Spells(new.spells))
    if old.states is not new.states and old.states != new.states:
        changes.append(States(new.states))
    if old.skills is not new.skills and old.skills != new.skills:
        changes.append(Skills(new.skills))
    if old.surfaces != new.surfaces or old.surface_looks != new.surface_looks:
        changes += _diff_surfaces(old, new)
    if old.sheet is not new.sheet and old.sheet != new.sheet:
        changed = [(at, value) for at, value in enumerate(new.sheet) if value != old.sheet[at]]
        changes.append(Sheet(tuple([number for pair in changed for number in pair])))
    if (old.choices, old.gains, old.choosing) != (new.choices, new.gains, new.choosing):
        changes.append(Choices(new.choices, new.gains, new.choosing))
    if old.party is not new.party and old.party != new.party:
        changes.append(Party(new.party))
    if old.log is not new.log and old.log != new.log:
        changes.append(_diff_log(old.log, new.log))
    return tuple(changes)


def apply(view: View, patch: Patch) -> View:
    """Return `view` after the changes. Raises ValueError when a change does not fit the view."""
    for change in patch:
        view = _apply(view, change)
    return view


def _apply(view: View, change: AnyChange) -> View:  # noqa: C901  # one flat match
    match change:
        case Entered(place):
            if min(place.width, place.height) < 0 or place.width * place.height > LEVEL_CELLS_MAX:
                raise ValueError(f"a patch speaks of a level of {place.width} by {place.height} cells")
            return _enter_place(view, place)
        case Ground(packed):
            return replace(view, terrain=run_length.apply_values(view.terrain, packed, view.place.width))
        case Sight(packed):
            return replace(view, sight=run_length.apply_flags(view.sight, packed, view.place.width))
        case Creatures():
            return replace(view, creatures=_apply_creatures(view.creatures, change))
        case Step(way):
            return _apply_steps(view, [(view.fact(Stat.HANDLE), way)])
        case Steps(pairs):
            return _apply_steps(view, pairs_of(pairs))
        case Returned() | Moves():
            raise ValueError("a patch holds a reference that was not looked up")
        case Items(gone, come):
            return replace(view, items=_apply_split(view.items, gone, come, _handle))
        case Sheet(pairs):
            return replace(view, sheet=_apply_sheet(view.sheet, pairs))
        case Choices(options, gains, choosing):
            return replace(view, choices=options, gains=gains, choosing=choosing)
        case Party(friends):
            return replace(view, party=friends)
        case Friends():
            return replace(view, party=apply_friends(view.party, change))
        case Lines(new, forgotten):
            return replace(view, log=_apply_lines(view.log, new, forgotten))
        case LogReset(log):
            return replace(view, log=log)
        case Inventory(gone, come):
            return replace(view, inventory=_apply_split(view.inventory, gone, come, _slot))
        case Pile(things):
            return replace(view, pile=things)
        case Spells(spells):
            return replace(view, spells=spells)
        case Surfaces(packed):
            before = view.surfaces or bytes(view.place.width * view.place.height)
            changed = run_length.apply_values(before, packed, view.place.width) if packed else b""
            return replace(view, surfaces=changed)
        case SurfaceLooks(looks):
            return replace(view, surface_looks=looks)
        case Skills(skills):
            return replace(view, skills=skills)
        case States(states):
            return replace(view, states=states)
        case _:
            assert_never(change)


def _enter_place(view: View, place: Place) -> View:
    blank = bytes(place.width * place.height)
    return replace(
        view,
        place=place,
        terrain=blank,
        sight=blank,
        creatures=(),
        items=(),
        pile=(),
        surfaces=b"",
        surface_looks=(),
    )


def _diff_surfaces(old: View, new: View) -> list[AnyChange]:
    """Return the changes of surfaces: of their looks first. Without any record of surfaces there are none in sight."""
    changes: list[AnyChange] = []
    if old.surface_looks != new.surface_looks:
        changes.append(SurfaceLooks(new.surface_looks))
    if old.surfaces != new.surfaces:
        before = old.surfaces or bytes(len(new.surfaces))
        packed = run_length.diff_values(before, new.surfaces, new.place.width) if new.surfaces else b""
        changes.append(Surfaces(packed))
    return changes


def _diff_creatures(old: View, new: View) -> list[AnyChange]:
    """Return the changes of creatures. A server keeps one object for a creature until it changes; most changes are steps."""
    before = dict(zip(map(_HANDLE, old.creatures), old.creatures, strict=True))
    former = list(map(before.pop, map(_HANDLE, new.creatures), repeat(None)))
    gone = tuple(sorted(before))  # what is left
    differs = list(map(is_not, former, new.creatures))
    width = new.place.width
    come: list[Creature] = []
    steps: list[int] = []
    moved: list[int] = []
    hurt: list[int] = []
    marked: list[int] = []
    coloured: list[Recolored] = []
    for was, creature in zip(compress(former, differs), compress(new.creatures, differs), strict=True):
        if was is None:
            come.append(creature)
            continue
        step, move, only_moved = _move_between(was, creature, width)
        if only_moved:
            steps += step
            moved += move
            continue
        if not looks_like(was, creature):
            come.append(creature)
            continue
        steps += step
        moved += move
        handle = creature.handle
        if was.hp != creature.hp:
            hurt += (handle, creature.hp)
        if was.marks != creature.marks:
            marked += (handle, creature.marks)
        if was.colour != creature.colour:
            coloured.append(Recolored(handle, creature.colour))
    changes: list[AnyChange] = []
    if gone or come or hurt or marked or moved or coloured:
        changes.append(
            Creatures(gone, tuple(come), tuple(hurt), tuple(marked), tuple(moved), tuple(coloured))
        )
    return changes + _step_changes(steps, old.fact(Stat.HANDLE))


@lru_cache(maxsize=_MOVES_KEPT)
def _move_between(was: Creature, now: Creature, width: int) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Return the handle and heading if a creature took a step, its handle and cell if it is farther away, and whether nothing else changed.

    The newest are kept: all who see a creature see the same two records of it.
    """
    only_moved = replace(was, cell=now.cell) == now
    way = headings(width).get(now.cell - was.cell)
    if way is not None and -1 <= now.cell % width - was.cell % width <= 1:  # no step leads around the edge
        return (now.handle, way), (), only_moved
    return (), (now.handle, now.cell) if was.cell != now.cell else (), only_moved


def _step_changes(steps: list[int], own: int) -> list[AnyChange]:
    """Return the changes for steps, a handle and a heading of each. The viewer's own step is a change of its own."""
    handles = steps[::2]
    if own not in handles:
        return [Steps(tuple(steps))] if steps else []
    at = 2 * handles.index(own)
    others = (*steps[:at], *steps[at + 2 :])
    return [Step(steps[at + 1]), Steps(others)] if others else [Step(steps[at + 1])]


def looks_like(was: Creature, creature: Creature) -> bool:
    """Return whether one creature differs from another only in what one part of `Creatures` can express."""
    return _LOOKS(was) == _LOOKS(creature)


def _apply_creatures(old: tuple[Creature, ...], change: Creatures) -> tuple[Creature, ...]:
    creatures = dict(zip(map(_HANDLE, old), old, strict=True))
    for handle in change.gone:
        creatures.pop(handle, None)
    creatures.update([(creature.handle, creature) for creature in change.come])
    try:
        for handle, hp in pairs_of(change.hurt):
            creatures[handle] = replace(creatures[handle], hp=hp)
        for handle, marks in pairs_of(change.marked):
            creatures[handle] = replace(creatures[handle], marks=marks)
        for handle, cell in pairs_of(change.moved):
            creatures[handle] = replace(creatures[handle], cell=cell)
        for each in change.coloured:
            creatures[each.handle] = replace(creatures[each.handle], colour=each.colour)
    except KeyError as error:
        raise ValueError(f"a patch speaks of creature {error}, which this view does not hold") from error
    return tuple(map(creatures.__getitem__, sorted(creatures)))


def _apply_steps(view: View, steps: list[tuple[int, int]]) -> View:
    ways = dict(steps)
    # A view without a level has no width; a creature on it has nowhere to go.
    grid = view.place.grid if view.place.width else None
    creatures = list(view.creatures)
    for at, handle in enumerate(map(_HANDLE, view.creatures)):
        if handle not in ways:
            continue
        way = ways.pop(handle)
        if not 0 <= way < len(DIRECTIONS):
            raise ValueError(f"a patch speaks of heading {way}; there are {len(DIRECTIONS)}")
        cell = grid.step(creatures[at].cell, *DIRECTIONS[way]) if grid else None
        if cell is None:
            raise ValueError("a patch leads a creature over the edge of the level")
        creatures[at] = replace(creatures[at], cell=cell)
    if ways:
        raise ValueError("a patch speaks of the step of a creature which this view does not hold")
    return replace(view, creatures=tuple(creatures))


def _split_changes(
    old: tuple[T, ...], new: tuple[T, ...], key: Callable[[T], int]
) -> tuple[tuple[int, ...], tuple[T, ...]]:
    """Return the keys that are gone, and the values that are new or changed."""
    before = {key(item): item for item in old}
    after = {key(item) for item in new}
    come = tuple(item for item in new if before.get(key(item)) != item)
    return tuple(key(item) for item in old if key(item) not in after), come


def _apply_split(
    old: tuple[T, ...], gone: tuple[int, ...], come: tuple[T, ...], key: Callable[[T], int]
) -> tuple[T, ...]:
    items = {key(item): item for item in old if key(item) not in gone}
    items.update((key(item), item) for item in come)
    return tuple(items[at] for at in sorted(items))


def _handle(item: Item) -> int:
    return item.handle


def _slot(item: InventoryItem) -> int:
    return item.slot


def _apply_sheet(sheet: tuple[int, ...], pairs: tuple[int, ...]) -> tuple[int, ...]:
    facts = list(sheet)
    for at, value in pairs_of(pairs):
        if at < 0:
            raise ValueError(f"a patch speaks of fact {at} of the sheet; they are counted from 0")
        if at < len(facts):  # a later version may send more of them
            facts[at] = value
    return tuple(facts)


def _apply_lines(log: Log, new: tuple[LogLine, ...], forgotten: int) -> Log:
    if not 0 <= forgotten <= len(log.lines):
        raise ValueError(f"a patch forgets {forgotten} lines of the log; there are {len(log.lines)}")
    return Log(log.first + forgotten, log.lines[forgotten:] + new)


def pairs_of(flat: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return numbers in pairs, such as handle and cell. Raises ValueError for an odd one."""
    if len(flat) % 2:
        raise ValueError("a patch holds a number without its partner")
    return list(zip(flat[::2], flat[1::2], strict=True))


def _diff_log(old: Log, new: Log) -> Lines | LogReset:
    """Usually lines are added at the end and removed at the front; every other change sends the whole log."""
    shared = old.first + len(old.lines) - new.first
    overlap = old.first <= new.first and 0 < shared <= len(new.lines)
    if overlap and old.lines[new.first - old.first :] == new.lines[:shared]:
        return Lines(new.lines[shared:], new.first - old.first)
    return LogReset(new)
