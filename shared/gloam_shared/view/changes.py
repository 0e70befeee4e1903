"""Changes: the parts of a patch, each for one part of a view. `patch` makes and applies them.

A patch is a list of such changes, each a small tagged array. What did not change is not in the list: optional fields
would need a mark for "unset" on the wire, and a fixed layout would cost bytes for each part that stayed.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from gloam_shared.view import choices, surfaces, view
from gloam_shared.view.place import Place

Heading = Annotated[int, Meta(ge=0, le=7)]
"""A step by its place among `geometry.DIRECTIONS`: clockwise from north."""


class Change(Struct, frozen=True, array_like=True):
    """The base of all changes: one changed part of a view. Unknown fields at the end are ignored."""


class Entered(Change, frozen=True, tag=1):
    """The body is on another level: clear all parts that belong to a level, then apply the other changes."""

    place: Place


class Ground(Change, frozen=True, tag=2):
    """Remembered terrain changed; packed as in `run_length`, with values."""

    packed: bytes


class Sight(Change, frozen=True, tag=3):
    """Cells entered sight or left it; packed as in `run_length`, as flags."""

    packed: bytes


class Recolored(Struct, frozen=True, array_like=True):
    """A creature has another color."""

    handle: int
    colour: str


class Creatures(Change, frozen=True, tag=4):
    """Creatures left sight (`gone`), appeared or changed as a whole (`come`), or changed in one respect.

    `hurt` is handle, health, handle, health, ...; `marked` is handle, marks, ...; `moved` is handle, cell, ..., for
    places that a single step does not reach.
    """

    gone: tuple[int, ...] = ()
    come: tuple[view.Creature, ...] = ()
    hurt: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    coloured: tuple[Recolored, ...] = ()


class Items(Change, frozen=True, tag=5):
    """Piles left sight, or appeared or changed."""

    gone: tuple[int, ...] = ()
    come: tuple[view.Item, ...] = ()


class Sheet(Change, frozen=True, tag=6):
    """Numbers of the player's own sheet: place in the sheet, value, place, value, ..."""

    pairs: tuple[int, ...]


class Choices(Change, frozen=True, tag=7):
    """The level-up options that are offered now, and what each brings."""

    options: tuple[str, ...]
    gains: tuple[choices.LevelGain, ...] = ()
    choosing: choices.Choosing = choices.Choosing()


class Party(Change, frozen=True, tag=8):
    """The players of the realm."""

    friends: tuple[view.Friend, ...]


class Lines(Change, frozen=True, tag=9):
    """`new` lines are added to the end of the log's tail, and its first `forgotten` lines are removed."""

    new: tuple[view.LogLine, ...]
    forgotten: Annotated[int, Meta(ge=0)] = 0


class LogReset(Change, frozen=True, tag=10):
    """The log's tail as a whole."""

    log: view.Log


class Inventory(Change, frozen=True, tag=11):
    """Slots became empty (`gone`), or have a new or changed item."""

    gone: tuple[int, ...] = ()
    come: tuple[view.InventoryItem, ...] = ()


class Pile(Change, frozen=True, tag=12):
    """The items under the player's feet now."""

    things: tuple[view.FloorItem, ...]


class Spells(Change, frozen=True, tag=13):
    """The spells that the player can cast now."""

    spells: tuple[view.Spell, ...]


class States(Change, frozen=True, tag=14):
    """The states (status effects) of the player's body."""

    states: tuple[view.StatusEffect, ...]


class Step(Change, frozen=True, tag=15):
    """The player's own body made one step."""

    heading: Heading


class Steps(Change, frozen=True, tag=16):
    """Other creatures made one step each: handle, heading, handle, heading, ..."""

    pairs: tuple[int, ...]


class Returned(Change, frozen=True, tag=17):
    """Creatures (handle, cell, ...) and piles (by handle) return to sight on this level, unchanged.

    Sent only with the ability "references", and before the other changes of its patch.
    """

    creatures: tuple[int, ...] = ()
    items: tuple[int, ...] = ()


class Friends(Change, frozen=True, tag=18):
    """Players left the realm (`gone`, by name), or joined or changed. Sent only with the ability "party"."""

    gone: tuple[str, ...] = ()
    come: tuple[view.Friend, ...] = ()


class Skills(Change, frozen=True, tag=19):
    """The kit, bent, traits and trophies of the player now."""

    skills: tuple[view.Skill, ...]


class Surfaces(Change, frozen=True, tag=20):
    """The surfaces in sight changed; packed as in `run_length`, with values, or empty if there are none any more.

    Sent only with the ability "surfaces", as the next.
    """

    packed: bytes


class SurfaceLooks(Change, frozen=True, tag=21):
    """The kinds of surfaces that the level has are now these."""

    looks: tuple[surfaces.SurfaceLook, ...]


class Moves(Change, frozen=True, tag=22):
    """Others moved, left sight or return: a byte for each, in the order of the handles, up to the last that is not 0.

    Each creature of the view before the patch has one, and each that returns: `returned` has the handles of these, rising, as the
    difference to the one before. A byte is 0 for a creature that stays, or returns where it was last seen; 226 for
    one that leaves sight; else 113 + 15 dy + dx, with dx and dy from -7 to 7. Sent only with the ability "packed-moves",
    last, in place of `Steps`, `Creatures.gone`, `Creatures.moved` and `Returned.creatures`.
    """

    offsets: bytes
    returned: tuple[int, ...] = ()


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
    | Friends
    | Skills
    | Surfaces
    | SurfaceLooks
    | Moves
)
Patch: TypeAlias = tuple[AnyChange, ...]
