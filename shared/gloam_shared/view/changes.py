"""Changes: the parts of a patch, each one part of a view that is different now. `patch` makes and applies them."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from gloam_shared.view.view import (
    Creature,
    FloorItem,
    Friend,
    InventoryItem,
    Item,
    Log,
    LogLine,
    Place,
    Spell,
    StatusEffect,
)

Heading = Annotated[int, Meta(ge=0, le=7)]
"""A step by its place among `geometry.DIRECTIONS`: clockwise from north."""


class Change(Struct, frozen=True, array_like=True):
    """The base of all changes: one part of a view that is different now. Fields at the end that are unknown are ignored."""


class Entered(Change, frozen=True, tag=1):
    """The body stands on another level: forget all that is a level's own, then apply what follows."""

    place: Place


class Ground(Change, frozen=True, tag=2):
    """Remembered terrain changed; packed as `runs` tells, with values."""

    packed: bytes


class Sight(Change, frozen=True, tag=3):
    """Cells came into sight or left it; packed as `runs` tells, as flags."""

    packed: bytes


class Recolored(Struct, frozen=True, array_like=True):
    """A creature has another colour."""

    handle: int
    colour: str


class Creatures(Change, frozen=True, tag=4):
    """Creatures left sight (`gone`), came or changed as a whole (`come`), or changed in one respect.

    `hurt` is handle, health, handle, health, ...; `marked` is handle, marks, ...; `moved` is handle, cell, ..., where no
    single step leads there.
    """

    gone: tuple[int, ...] = ()
    come: tuple[Creature, ...] = ()
    hurt: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    coloured: tuple[Recolored, ...] = ()


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
    """`new` lines stand at the end of the log's tail, and the first `forgotten` of those before are not told any more."""

    new: tuple[LogLine, ...]
    forgotten: Annotated[int, Meta(ge=0)] = 0


class LogReset(Change, frozen=True, tag=10):
    """The log's tail as a whole."""

    log: Log


class Inventory(Change, frozen=True, tag=11):
    """Slots are empty now (`gone`), or hold something new or changed."""

    gone: tuple[int, ...] = ()
    come: tuple[InventoryItem, ...] = ()


class Pile(Change, frozen=True, tag=12):
    """What lies under the player's feet now."""

    things: tuple[FloorItem, ...]


class Spells(Change, frozen=True, tag=13):
    """The spells that the player can cast now."""

    spells: tuple[Spell, ...]


class States(Change, frozen=True, tag=14):
    """The states of the player's body that will pass."""

    states: tuple[StatusEffect, ...]


class Step(Change, frozen=True, tag=15):
    """The player's own body made one step."""

    heading: Heading


class Steps(Change, frozen=True, tag=16):
    """Other creatures made one step each: handle, heading, handle, heading, ..."""

    pairs: tuple[int, ...]


class Returned(Change, frozen=True, tag=17):
    """What left sight on this level comes back as it was seen last: creatures (handle, cell, ...), and piles by handle.

    Told only where the ability "references" holds. It comes before the other changes of its patch.
    """

    creatures: tuple[int, ...] = ()
    items: tuple[int, ...] = ()


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
    | LogReset
    | Inventory
    | Pile
    | Spells
    | States
    | Step
    | Steps
    | Returned
)
Patch: TypeAlias = tuple[AnyChange, ...]
