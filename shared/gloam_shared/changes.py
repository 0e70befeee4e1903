"""Changes: the parts of a patch, each one part of a view that is different now. `patch` makes and applies them."""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.view import Carried, Creature, Friend, Item, Line, Log, Place, Spell, State, Thing


class Change(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of all changes: one part of a view that is different now."""


class Entered(Change, frozen=True, tag=1):
    """The body stands on another level: forget all that is a level's own, then apply what follows."""

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


class Inventory(Change, frozen=True, tag=11):
    """Slots are empty now (`gone`), or hold something new or changed."""

    gone: tuple[int, ...] = ()
    come: tuple[Carried, ...] = ()


class Pile(Change, frozen=True, tag=12):
    """What lies under the player's feet now."""

    things: tuple[Thing, ...]


class Spells(Change, frozen=True, tag=13):
    """The spells that the player can cast now."""

    spells: tuple[Spell, ...]


class States(Change, frozen=True, tag=14):
    """The states of the player's body that will pass."""

    states: tuple[State, ...]


AnyChange: TypeAlias = (
    Entered
    | Ground
    | Sight
    | Creatures
    | Items
    | Sheet
    | Choices
    | Party
    | Lines
    | LogAnew
    | Inventory
    | Pile
    | Spells
    | States
)
Patch: TypeAlias = tuple[AnyChange, ...]
