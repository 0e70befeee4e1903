"""The three outcomes of a wish: a deed that can be done, the deed that replaces it, or a reason why not."""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.protocol.codes import RefusalCode


class Impossible(Struct, frozen=True):
    """It cannot be done; `reason` is one sentence for the player, `code` is for programs. It costs nothing."""

    reason: str
    code: RefusalCode = "cannot"


class GuardDeed(Struct, frozen=True):
    """Let the action pass."""


class WaitDeed(Struct, frozen=True):
    """Wait on purpose, and look about meanwhile."""


class WalkDeed(Struct, frozen=True):
    """Go to a free cell."""

    cell: int


class AttackDeed(Struct, frozen=True):
    """Hit a creature in melee."""

    target: int


class RevealDeed(Struct, frozen=True):
    """Run into a creature that lies in wait: it shows itself."""

    target: int


class SwapDeed(Struct, frozen=True):
    """Change places with a friend."""

    other: int


class DigDeed(Struct, frozen=True):
    """Turn a wall into floor, without stepping there."""

    cell: int


class ClimbDeed(Struct, frozen=True):
    """Take the stairs underfoot to another level."""

    place: int


class PickUpDeed(Struct, frozen=True):
    """Take things from the pile underfoot, by their numbers, as far as there is room."""

    items: tuple[int, ...]


class DropDeed(Struct, frozen=True):
    """Put the thing in a slot on the pile underfoot."""

    slot: int


class EatDeed(Struct, frozen=True):
    """Eat of the thing in a slot, once."""

    slot: int


class WieldDeed(Struct, frozen=True):
    """Wield the thing in a slot, or nothing."""

    slot: int | None


class WearDeed(Struct, frozen=True):
    """Wear the thing in a slot, or nothing."""

    slot: int | None


class QuaffDeed(Struct, frozen=True):
    """Quaff the thing in a slot."""

    slot: int


class ReadDeed(Struct, frozen=True):
    """Read the thing in a slot, aimed at a cell; it is used up."""

    slot: int
    cell: int


class CastDeed(Struct, frozen=True):
    """Cast a spell that one knows or has a book of, aimed at a cell."""

    spell: str
    cell: int


class ThrowDeed(Struct, frozen=True):
    """Throw the thing in a slot towards a cell."""

    slot: int
    cell: int


class FireDeed(Struct, frozen=True):
    """Shoot at a creature with what one wields or is."""

    target: int


class GiveDeed(Struct, frozen=True):
    """Give the thing in a slot to a creature beside one."""

    slot: int
    other: int


class CloseDoorDeed(Struct, frozen=True):
    """Open a closed door, or close an open one."""

    cell: int


class UsePrizeDeed(Struct, frozen=True):
    """Use the prize in a slot: the end of this life in glory, or the next round."""

    slot: int
    again: bool


class ExitDeed(Struct, frozen=True):
    """Leave the dungeon by its way out, for good."""


class ConfirmExitDeed(Struct, frozen=True):
    """Stand at the way out without what one came for, and think again."""


Deed: TypeAlias = (
    GuardDeed | WaitDeed | WalkDeed | AttackDeed | RevealDeed | SwapDeed | DigDeed | ClimbDeed | PickUpDeed | DropDeed | EatDeed | WieldDeed | WearDeed
    | QuaffDeed | ReadDeed | CastDeed | ThrowDeed | FireDeed | GiveDeed | CloseDoorDeed | UsePrizeDeed | ExitDeed | ConfirmExitDeed
)  # fmt: skip
Outcome: TypeAlias = Deed | Impossible
