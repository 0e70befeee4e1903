"""The marks and traits of views as plain numbers: bots look at thousands a second, and flags cost ten times as much."""

from typing import Final

from gloam_shared.view.view import Mark, Trait

PLAYER: Final = int(Mark.PLAYER)
SELF: Final = int(Mark.SELF)
HOSTILE: Final = int(Mark.HOSTILE)
HOLDS_YOU: Final = int(Mark.HOLDS_YOU)
ASLEEP: Final = int(Mark.ASLEEP)

EDIBLE: Final = int(Trait.EDIBLE)
WIELDABLE: Final = int(Trait.WIELDABLE)
WEARABLE: Final = int(Trait.WEARABLE)
WIELDED: Final = int(Trait.WIELDED)
WORN: Final = int(Trait.WORN)
QUAFFABLE: Final = int(Trait.QUAFFABLE)
READABLE: Final = int(Trait.READABLE)
SHOOTS: Final = int(Trait.SHOOTS)
USABLE: Final = int(Trait.USABLE)
BOUND: Final = int(Trait.BOUND)
