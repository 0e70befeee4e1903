"""The three outcomes of a wish: a deed that can be done, the deed that replaces it, or a reason why not."""

from typing import TypeAlias

from msgspec import Struct


class Impossible(Struct, frozen=True):
    """It cannot be done; `reason` is one sentence for the player, `code` is for programs. It costs nothing."""

    reason: str
    code: str = "cannot"


class Pass(Struct, frozen=True):
    """Let the action pass."""


class Step(Struct, frozen=True):
    """Go to a free cell."""

    cell: int


class Strike(Struct, frozen=True):
    """Hit a creature in melee."""

    target: int


class Swap(Struct, frozen=True):
    """Change places with a friend."""

    other: int


class Dig(Struct, frozen=True):
    """Turn a wall into floor, without stepping there."""

    cell: int


class Stairs(Struct, frozen=True):
    """Take the stairs underfoot to another level."""

    place: int


class Gather(Struct, frozen=True):
    """Take things from the pile underfoot, by their numbers, as far as there is room."""

    items: tuple[int, ...]


class LayDown(Struct, frozen=True):
    """Put the thing in a slot on the pile underfoot."""

    slot: int


class Bite(Struct, frozen=True):
    """Eat of the thing in a slot, once."""

    slot: int


class Grip(Struct, frozen=True):
    """Wield the thing in a slot, or nothing."""

    slot: int | None


class Don(Struct, frozen=True):
    """Wear the thing in a slot, or nothing."""

    slot: int | None


Deed: TypeAlias = Pass | Step | Strike | Swap | Dig | Stairs | Gather | LayDown | Bite | Grip | Don
Outcome: TypeAlias = Deed | Impossible
