"""The three outcomes of a wish: a deed that can be done, the deed that replaces it, or a reason why not."""

from typing import TypeAlias

from msgspec import Struct


class Impossible(Struct, frozen=True):
    """It cannot be done; `reason` is one sentence for the player. It costs nothing."""

    reason: str


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


Deed: TypeAlias = Pass | Step | Strike | Swap | Dig | Stairs
Outcome: TypeAlias = Deed | Impossible
