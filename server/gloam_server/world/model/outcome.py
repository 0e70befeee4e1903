"""The three outcomes of a wish: a deed that can be done, the deed that replaces it, or a reason why not."""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.protocol.codes import AnswerCode


class Impossible(Struct, frozen=True):
    """It cannot be done; `reason` is one sentence for the player, `code` is for programs. It costs nothing."""

    reason: str
    code: AnswerCode = "cannot"


class Pass(Struct, frozen=True):
    """Let the action pass."""


class Linger(Struct, frozen=True):
    """Wait on purpose, and look about meanwhile."""


class Step(Struct, frozen=True):
    """Go to a free cell."""

    cell: int


class Strike(Struct, frozen=True):
    """Hit a creature in melee."""

    target: int


class Startle(Struct, frozen=True):
    """Run into a creature that lies in wait: it shows itself."""

    target: int


class Swap(Struct, frozen=True):
    """Change places with a friend."""

    other: int


class Tunnel(Struct, frozen=True):
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


class Drink(Struct, frozen=True):
    """Quaff the thing in a slot."""

    slot: int


class ReadOut(Struct, frozen=True):
    """Read the thing in a slot, aimed at a cell; it is used up."""

    slot: int
    cell: int


class Invoke(Struct, frozen=True):
    """Cast a spell that one knows or has a book of, aimed at a cell."""

    spell: str
    cell: int


class Hurl(Struct, frozen=True):
    """Throw the thing in a slot towards a cell."""

    slot: int
    cell: int


class Shot(Struct, frozen=True):
    """Shoot at a creature with what one wields or is."""

    target: int


class HandOver(Struct, frozen=True):
    """Give the thing in a slot to a creature beside one."""

    slot: int
    other: int


class Swing(Struct, frozen=True):
    """Open a closed door, or close an open one."""

    cell: int


class Unwrap(Struct, frozen=True):
    """Use the prize in a slot: the end of this life in glory, or the next round."""

    slot: int
    again: bool


class Escape(Struct, frozen=True):
    """Leave the dungeon by its way out, for good."""


class Hesitate(Struct, frozen=True):
    """Stand at the way out without what one came for, and think again."""


Deed: TypeAlias = (
    Pass | Linger | Step | Strike | Startle | Swap | Tunnel | Stairs | Gather | LayDown | Bite | Grip | Don
    | Drink | ReadOut | Invoke | Hurl | Shot | HandOver | Swing | Unwrap | Escape | Hesitate
)  # fmt: skip
Outcome: TypeAlias = Deed | Impossible
