"""The items that a bot carries, sorted by use. Computed once for each inventory, because bots ask at each decision. Pure."""

from typing import Final, TypeAlias

from gloam_lab.bots import flags, item_knowledge
from gloam_lab.bots.item_knowledge import ItemUse
from gloam_lab.bots.kept import Kept
from gloam_shared.view.view import InventoryItem

Worth: TypeAlias = tuple[int, int]
"""The gain of an item in use: the number that counts first, then the other of attack and defense."""

_BOW_WORTH: Final = 140
"""The worth of a shot in percent of a blow of the same strength: it strikes first, and from afar."""


_HABITS: Final = (
    ("are followed by another", 15),
    ("stun: the victim", 12),
    ("strikes all foes beside", 15),
    ("Blows reach", 10),
)
"""Words of an item about a habit, and the worth of the habit in percent of the attack."""

_RESISTS: Final = "hurts you"
"""The words of an item about a resistance: each is worth a point of defense."""


class Pack:
    """The items of one inventory by their use. It never changes: another inventory has another pack."""

    __slots__ = (
        "armour", "best", "blade", "bow", "foods", "has_prize", "magic", "meals", "missiles", "ring",
        "usable", "wands", "weapon",
    )  # fmt: skip

    def __init__(self, inventory: tuple[InventoryItem, ...]) -> None:
        self.foods: Final = tuple(
            item
            for item in inventory
            if item.traits & flags.EDIBLE and item.food > 0 and not item_knowledge.is_in_use(item)
        )
        self.meals: Final = count_all(self.foods)
        self.missiles: Final = count_all(tuple(item for item in inventory if is_missile(item)))
        self.usable: Final = tuple(item for item in inventory if item.traits & flags.USABLE)
        self.has_prize: Final = any(is_prize(item) for item in inventory)
        self.magic: Final[tuple[tuple[InventoryItem, ItemUse], ...]] = tuple(
            (item, item_knowledge.classify_item(item)) for item in inventory if item_knowledge.is_magic(item)
        )
        self.wands: Final[tuple[tuple[InventoryItem, ItemUse], ...]] = tuple(
            (item, item_knowledge.classify_item(item)) for item in inventory if item.traits & flags.ZAPPABLE
        )
        self.bow: Final = max(
            (item for item in inventory if item.traits & flags.SHOOTS),
            key=lambda item: (item.ranged, -item.slot),
            default=None,
        )
        self.blade: Final = max(
            (
                item
                for item in inventory
                if item.traits & flags.WIELDABLE and not item.traits & (flags.SHOOTS | flags.WORN)
            ),
            key=lambda item: (item.attack, -item.slot),
            default=None,
        )
        self.ring: Final = _ring(inventory)
        self.weapon: Final = _better(inventory, flags.WIELDABLE, flags.WIELDED)
        self.armour: Final = _better(inventory, flags.WEARABLE, flags.WORN)
        self.best: Final = {
            used: max((worth(item, used) for item in inventory if item.traits & fits), default=(0, 0))
            for fits, used in ((flags.WIELDABLE, flags.WIELDED), (flags.WEARABLE, flags.WORN))
        }


pack_of: Final = Kept(Pack, 2_000)
"""Returns the pack of an inventory. An inventory lasts for many decisions, and a load test has a thousand bots."""


def worth(item: InventoryItem, used: int) -> Worth:
    """Return what an item adds when it is wielded or worn: attack counts first for a weapon, defense for armor.

    A bot reads of habits and resistances in the words of an item, as a player does (rules F111, F113).
    """
    if used & flags.WIELDED:
        habit = sum(percent for words, percent in _HABITS if words in item.words)
        return (item.attack * (100 + habit) // 100, item.defence)
    return (item.defence + item.words.count(_RESISTS), item.attack)


def is_missile(item: InventoryItem) -> bool:
    """Return whether an item is there to be thrown: a stone, or a weapon that is not in use and made to be thrown, too."""
    if item_knowledge.is_in_use(item) or item_knowledge.is_magic(item):
        return False
    return item.thrown > 0 and not item.traits & ~(flags.WIELDABLE | flags.BOUND)


def prefers_bow(inventory: tuple[InventoryItem, ...]) -> bool:
    """Return whether an archer shoots rather than strikes with what it carries: the bow is not much weaker than the blade."""
    pack = pack_of(inventory)
    return pack.bow is not None and (
        pack.blade is None or _BOW_WORTH * pack.bow.ranged >= 100 * pack.blade.attack
    )


def is_inert(item: InventoryItem) -> bool:
    """Return whether an item only has to be carried: a book, or a light."""
    return not item.traits & ~flags.BOUND and not item.thrown


def is_prize(item: InventoryItem) -> bool:
    """Return whether an item is the prize."""
    return bool(item.traits & flags.PRIZE)


def count_all(items: tuple[InventoryItem, ...]) -> int:
    """Return the number of items; items in one slot are counted one by one."""
    return sum(item.count for item in items)


def _better(inventory: tuple[InventoryItem, ...], fits: int, used: int) -> InventoryItem | None:
    """Return the best item for a use, if it is better than the current one."""
    other_use = (flags.WIELDED | flags.WORN) & ~used
    items = [item for item in inventory if item.traits & fits and not item.traits & other_use]
    best = max(items, key=lambda item: (*worth(item, used), -item.slot), default=None)
    now = next((worth(item, used) for item in items if item.traits & used), (0, 0))
    return best if best is not None and worth(best, used) > now else None


def _ring(inventory: tuple[InventoryItem, ...]) -> InventoryItem | None:
    """Return the ring to put on: the first, if none is put on."""
    rings = [item for item in inventory if item.traits & flags.RING]
    return None if not rings or any(item.traits & flags.PUT_ON for item in rings) else rings[0]
