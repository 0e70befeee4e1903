"""The marks and traits of views as plain numbers: bots read thousands a second, and flags cost ten times as much."""

from typing import Final

from gloam_shared.view.view import CreatureFlag, ItemFlag

PLAYER: Final = int(CreatureFlag.PLAYER)
SELF: Final = int(CreatureFlag.SELF)
HOSTILE: Final = int(CreatureFlag.HOSTILE)
HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
ASLEEP: Final = int(CreatureFlag.ASLEEP)
GROWN: Final = int(CreatureFlag.GROWN)
NAMED: Final = int(CreatureFlag.NAMED)
DOWN: Final = int(CreatureFlag.DOWN)
ALLY: Final = int(CreatureFlag.ALLY)

EDIBLE: Final = int(ItemFlag.EDIBLE)
WIELDABLE: Final = int(ItemFlag.WIELDABLE)
WEARABLE: Final = int(ItemFlag.WEARABLE)
WIELDED: Final = int(ItemFlag.WIELDED)
WORN: Final = int(ItemFlag.WORN)
QUAFFABLE: Final = int(ItemFlag.QUAFFABLE)
READABLE: Final = int(ItemFlag.READABLE)
SHOOTS: Final = int(ItemFlag.SHOOTS)
USABLE: Final = int(ItemFlag.USABLE)
BOUND: Final = int(ItemFlag.BOUND)
PRIZE: Final = int(ItemFlag.PRIZE)
ZAPPABLE: Final = int(ItemFlag.ZAPPABLE)
RING: Final = int(ItemFlag.RING)
PUT_ON: Final = int(ItemFlag.PUT_ON)
