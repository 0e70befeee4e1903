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
        "armour", "best", "blade", "bow", "foods", "has_prize", "magic", "meals", "missiles", "ring", "shoots",
        "usable", "wands", "weapon",
    )  # fmt: skip

    def __init__(self, inventory: tuple[InventoryItem, ...]) -> None:
        self.foods: Final = tuple(
            thing
            for thing in inventory
            if thing.traits & flags.EDIBLE and thing.food > 0 and not item_knowledge.is_in_use(thing)
        )
        self.meals: Final = count_all(self.foods)
        self.missiles: Final = count_all(tuple(thing for thing in inventory if is_missile(thing)))
        self.shoots: Final = any(thing.traits & flags.SHOOTS for thing in inventory)
        self.usable: Final = tuple(thing for thing in inventory if thing.traits & flags.USABLE)
        self.has_prize: Final = any(is_prize(thing) for thing in inventory)
        self.magic: Final[tuple[tuple[InventoryItem, ItemUse], ...]] = tuple(
            (thing, item_knowledge.classify_item(thing))
            for thing in inventory
            if item_knowledge.is_magic(thing)
        )
        self.wands: Final[tuple[tuple[InventoryItem, ItemUse], ...]] = tuple(
            (thing, item_knowledge.classify_item(thing))
            for thing in inventory
            if thing.traits & flags.ZAPPABLE
        )
        self.bow: Final = max(
            (thing for thing in inventory if thing.traits & flags.SHOOTS),
            key=lambda thing: (thing.ranged, -thing.slot),
            default=None,
        )
        self.blade: Final = max(
            (
                thing
                for thing in inventory
                if thing.traits & flags.WIELDABLE and not thing.traits & (flags.SHOOTS | flags.WORN)
            ),
            key=lambda thing: (thing.attack, -thing.slot),
            default=None,
        )
        self.ring: Final = _ring(inventory)
        self.weapon: Final = _better(inventory, flags.WIELDABLE, flags.WIELDED)
        self.armour: Final = _better(inventory, flags.WEARABLE, flags.WORN)
        self.best: Final = {
            used: max((worth(thing, used) for thing in inventory if thing.traits & fits), default=(0, 0))
            for fits, used in ((flags.WIELDABLE, flags.WIELDED), (flags.WEARABLE, flags.WORN))
        }


pack_of: Final = Kept(Pack, 2_000)
"""Returns the pack of an inventory. An inventory lasts for many decisions, and a load test has a thousand bots."""


def worth(thing: InventoryItem, used: int) -> Worth:
    """Return what an item adds when it is wielded or worn: attack counts first for a weapon, defense for armor.

    A bot reads of habits and resistances in the words of an item, as a player does (rules F111, F113).
    """
    if used & flags.WIELDED:
        habit = sum(percent for words, percent in _HABITS if words in thing.words)
        return (thing.attack * (100 + habit) // 100, thing.defence)
    return (thing.defence + thing.words.count(_RESISTS), thing.attack)


def is_missile(thing: InventoryItem) -> bool:
    """Return whether an item is there to be thrown: a stone, or a weapon that is not in use and made to be thrown, too."""
    if item_knowledge.is_in_use(thing) or item_knowledge.is_magic(thing):
        return False
    return thing.thrown > 0 and not thing.traits & ~(flags.WIELDABLE | flags.BOUND)


def prefers_bow(inventory: tuple[InventoryItem, ...]) -> bool:
    """Return whether an archer shoots rather than strikes with what it carries: the bow is not much weaker than the blade."""
    pack = pack_of(inventory)
    return pack.bow is not None and (
        pack.blade is None or _BOW_WORTH * pack.bow.ranged >= 100 * pack.blade.attack
    )


def is_inert(thing: InventoryItem) -> bool:
    """Return whether an item only has to be carried: a book, or a light."""
    return not thing.traits & ~flags.BOUND and not thing.thrown


def is_prize(thing: InventoryItem) -> bool:
    """Return whether an item is the prize."""
    return bool(thing.traits & flags.PRIZE)


def count_all(things: tuple[InventoryItem, ...]) -> int:
    """Return the number of items; items in one slot are counted one by one."""
    return sum(thing.count for thing in things)


def _better(inventory: tuple[InventoryItem, ...], fits: int, used: int) -> InventoryItem | None:
    """Return the best item for a use, if it is better than the current one."""
    other_use = (flags.WIELDED | flags.WORN) & ~used
    things = [thing for thing in inventory if thing.traits & fits and not thing.traits & other_use]
    best = max(things, key=lambda thing: (*worth(thing, used), -thing.slot), default=None)
    now = next((worth(thing, used) for thing in things if thing.traits & used), (0, 0))
    return best if best is not None and worth(best, used) > now else None


def _ring(inventory: tuple[InventoryItem, ...]) -> InventoryItem | None:
    """Return the ring to put on: the first, if none is put on."""
    rings = [thing for thing in inventory if thing.traits & flags.RING]
    return None if not rings or any(thing.traits & flags.PUT_ON for thing in rings) else rings[0]
