"""Patches: the difference between two views, as the short list of changes that a client is sent.

The law: for any two views, `apply(v, diff(v, w)) == w`, over the wire too. What did not change is not in the list.
"""

from typing import TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from gloam_shared import runs
from gloam_shared.limits import LEVEL_CELLS_MAX
from gloam_shared.view import Creature, Friend, Item, Line, Log, Place, View


class Change(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of all changes: one part of a view that is different now."""


class Entered(Change, frozen=True, tag=1):
    """The body stands on another level: forget terrain, sight, creatures and items, then apply what follows."""

    place: Place


class Ground(Change, frozen=True, tag=2):
    """Remembered terrain changed; packed as `runs` tells, with values."""

    packed: bytes


class Sight(Change, frozen=True, tag=3):
    """Cells came into sight or left it; packed as `runs` tells, as flags."""

    packed: bytes


class Creatures(Change, frozen=True, tag=4):
    """Creatures left sight (`gone`), came or changed as a whole (`come`), or only moved (`moved`) or were hurt.

    `moved` is handle, cell, handle, cell, ...; `hurt` is handle, health, handle, health, ...
    """

    gone: tuple[int, ...] = ()
    come: tuple[Creature, ...] = ()
    moved: tuple[int, ...] = ()
    hurt: tuple[int, ...] = ()


class Items(Change, frozen=True, tag=5):
    """Piles left sight, or came or changed."""

    gone: tuple[int, ...] = ()
    come: tuple[Item, ...] = ()


class Sheet(Change, frozen=True, tag=6):
    """Numbers of the player's own sheet: place in the sheet, value, place, value, ..."""

    pairs: tuple[int, ...]


class Choices(Change, frozen=True, tag=7):
    """The level-up options that are offered now."""

    options: tuple[str, ...]


class Party(Change, frozen=True, tag=8):
    """The players of the realm."""

    friends: tuple[Friend, ...]


class Lines(Change, frozen=True, tag=9):
    """The log's tail now begins with line number `first`; `new` are the lines at its end that were not there."""

    first: int
    new: tuple[Line, ...]


class LogAnew(Change, frozen=True, tag=10):
    """The log's tail as a whole."""

    log: Log


AnyChange: TypeAlias = (
    Entered | Ground | Sight | Creatures | Items | Sheet | Choices | Party | Lines | LogAnew
)
Patch: TypeAlias = tuple[AnyChange, ...]


def diff(old: View, new: View) -> Patch:
    """Return the changes that turn `old` into `new`; () when they are equal."""
    changes: list[AnyChange] = []
    if old.place != new.place:
        changes.append(Entered(new.place))
        old = _entered(old, new.place)
    if ground := runs.diff_values(old.terrain, new.terrain, new.place.width):
        changes.append(Ground(ground))
    if sight := runs.diff_flags(old.sight, new.sight, new.place.width):
        changes.append(Sight(sight))
    if old.creatures != new.creatures:
        changes.append(_diff_creatures(old.creatures, new.creatures))
    if old.items != new.items:
        changes.append(_diff_items(old.items, new.items))
    if old.sheet != new.sheet:
        changed = [(at, value) for at, value in enumerate(new.sheet) if value != old.sheet[at]]
        changes.append(Sheet(tuple(number for pair in changed for number in pair)))
    if old.choices != new.choices:
        changes.append(Choices(new.choices))
    if old.party != new.party:
        changes.append(Party(new.party))
    if old.log != new.log:
        changes.append(_diff_log(old.log, new.log))
    return tuple(changes)


def apply(view: View, patch: Patch) -> View:
    """Return `view` after the changes. Raises ValueError when a change does not fit the view."""
    for change in patch:
        view = _apply(view, change)
    return view


def _apply(view: View, change: AnyChange) -> View:
    match change:
        case Entered(place):
            if min(place.width, place.height) < 0 or place.width * place.height > LEVEL_CELLS_MAX:
                raise ValueError(f"a patch speaks of a level of {place.width} by {place.height} cells")
            return _entered(view, place)
        case Ground(packed):
            return replace(view, terrain=runs.apply_values(view.terrain, packed, view.place.width))
        case Sight(packed):
            return replace(view, sight=runs.apply_flags(view.sight, packed, view.place.width))
        case Creatures():
            return replace(view, creatures=_apply_creatures(view.creatures, change))
        case Items(gone, come):
            items = {item.handle: item for item in view.items if item.handle not in gone}
            items.update((item.handle, item) for item in come)
            return replace(view, items=tuple(items[handle] for handle in sorted(items)))
        case Sheet(pairs):
            return replace(view, sheet=_apply_sheet(view.sheet, pairs))
        case Choices(options):
            return replace(view, choices=options)
        case Party(friends):
            return replace(view, party=friends)
        case Lines(first, new):
            return replace(view, log=_apply_lines(view.log, first, new))
        case LogAnew(log):
            return replace(view, log=log)
        case _:
            assert_never(change)


def _entered(view: View, place: Place) -> View:
    blank = bytes(place.width * place.height)
    return replace(view, place=place, terrain=blank, sight=blank, creatures=(), items=())


def _diff_creatures(old: tuple[Creature, ...], new: tuple[Creature, ...]) -> Creatures:
    before = {creature.handle: creature for creature in old}
    after = {creature.handle for creature in new}
    come: list[Creature] = []
    moved: list[int] = []
    hurt: list[int] = []
    for creature in new:
        was = before.get(creature.handle)
        if was == creature:
            continue
        if was is None or replace(was, cell=creature.cell, hp=creature.hp) != creature:
            come.append(creature)
            continue
        if was.cell != creature.cell:
            moved += (creature.handle, creature.cell)
        if was.hp != creature.hp:
            hurt += (creature.handle, creature.hp)
    gone = tuple(creature.handle for creature in old if creature.handle not in after)
    return Creatures(gone, tuple(come), tuple(moved), tuple(hurt))


def _apply_creatures(old: tuple[Creature, ...], change: Creatures) -> tuple[Creature, ...]:
    creatures = {creature.handle: creature for creature in old if creature.handle not in change.gone}
    creatures.update((creature.handle, creature) for creature in change.come)
    try:
        for handle, cell in _pairs(change.moved):
            creatures[handle] = replace(creatures[handle], cell=cell)
        for handle, hp in _pairs(change.hurt):
            creatures[handle] = replace(creatures[handle], hp=hp)
    except KeyError as error:
        raise ValueError(f"a patch speaks of creature {error}, which this view does not hold") from error
    return tuple(creatures[handle] for handle in sorted(creatures))


def _diff_items(old: tuple[Item, ...], new: tuple[Item, ...]) -> Items:
    before = {item.handle: item for item in old}
    after = {item.handle for item in new}
    come = tuple(item for item in new if before.get(item.handle) != item)
    return Items(tuple(item.handle for item in old if item.handle not in after), come)


def _apply_sheet(sheet: tuple[int, ...], pairs: tuple[int, ...]) -> tuple[int, ...]:
    facts = list(sheet)
    for at, value in _pairs(pairs):
        if not 0 <= at < len(facts):
            raise ValueError(f"a patch speaks of fact {at} of the sheet; there are {len(facts)}")
        facts[at] = value
    return tuple(facts)


def _apply_lines(log: Log, first: int, new: tuple[Line, ...]) -> Log:
    if not log.first <= first <= log.first + len(log.lines):
        raise ValueError(f"a patch begins the log at line {first}, which this view does not hold")
    return Log(first, log.lines[first - log.first :] + new)


def _pairs(flat: tuple[int, ...]) -> list[tuple[int, int]]:
    if len(flat) % 2:
        raise ValueError("a patch holds a number without its partner")
    return list(zip(flat[::2], flat[1::2], strict=True))


def _diff_log(old: Log, new: Log) -> Lines | LogAnew:
    """Most often lines came at the end and some fell off the front; anything else is told anew."""
    shared = old.first + len(old.lines) - new.first
    overlap = old.first <= new.first and 0 < shared <= len(new.lines)
    if overlap and old.lines[new.first - old.first :] == new.lines[:shared]:
        return Lines(new.first, new.lines[shared:])
    return LogAnew(new)
