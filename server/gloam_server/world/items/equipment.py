"""The inventory and equipment of a creature: slots with stable letters, and the equipment's bonuses.

No events here.
"""

from operator import attrgetter
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.rules.growth import scale_stat
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import sight_with_status, speed_with_status, stat_modifier

_state: Final = attrgetter("kind", "name", "colour", "bites", "food", "power", "bonus", "charges", "brand")
"""The fields in which items of one slot are equal. Whether an item is bound is none: the order in the slot tells it."""


def total_attack(level: Level, creature: Creature) -> int:
    """Return a creature's attack with its equipment (rule JG.5: both give both) and status effects.

    No status effect gives an attack to a creature without one.
    """
    if not (creature.wielded or creature.worn or creature.lasting or creature.ring):
        return creature.attack
    attack = creature.attack + sum(attack_wielding(level.campaign, item) for item in _equipment(creature))
    return max(0, attack + stat_modifier(level.campaign, creature, "attack")) if attack else 0


def total_defense(level: Level, creature: Creature) -> int:
    """Return a creature's defense with its equipment and status effects."""
    if not (creature.wielded or creature.worn or creature.lasting or creature.ring):
        return creature.defence
    defence = creature.defence + sum(defense_wearing(level.campaign, item) for item in _equipment(creature))
    return max(0, defence + stat_modifier(level.campaign, creature, "defence"))


def attack_wielding(campaign: Campaign, item: Item) -> int:
    """Return the attack that an equipped item adds: its kind's, scaled to its own level (rule R2)."""
    return _scaled_bonus(campaign, item, campaign.items[item.kind].attack)


def defense_wearing(campaign: Campaign, item: Item) -> int:
    """Return the defense that an equipped item adds: its kind's, scaled to its own level (rule R2)."""
    return _scaled_bonus(campaign, item, campaign.items[item.kind].defence)


def total_sight(level: Level, creature: Creature) -> int:
    """Return a creature's sight radius in cells, with its status effects."""
    return sight_with_status(level.campaign, creature)


def total_speed(level: Level, creature: Creature) -> int:
    """Return a creature's speed, with its status effects."""
    if not (creature.lasting or creature.ring):  # each body of each turn asks, and most have neither
        return creature.speed
    return speed_with_status(level.campaign, creature)


def total_regeneration(level: Level, creature: Creature) -> int:
    """Return a creature's regeneration in thousandths of a point a turn, with its status effects.

    Below 0 for a drain.
    """
    return creature.regeneration + stat_modifier(level.campaign, creature, "regeneration")


def total_mana_regeneration(level: Level, creature: Creature) -> int:
    """Return a creature's regeneration of mana in thousandths of a point a turn, with its status effects."""
    return creature.mana_regeneration + stat_modifier(level.campaign, creature, "mana_regeneration")


def item_in_slot(creature: Creature, slot: int) -> Item | None:
    """Return the item in a slot; None if it is empty, or beyond the creature's capacity."""
    return creature.slots[slot] if slot < len(creature.slots) else None


def free_slot(creature: Creature) -> int | None:
    """Return the first empty slot, None when all are full (rules J10.4, J10.5)."""
    return next((slot for slot, item in enumerate(creature.slots) if item is None), None)


def slot_for(campaign: Campaign, creature: Creature, item: Item) -> int | None:
    """Return the slot for an item: one of equal items with room, else the first empty one, else None.

    A loan has a slot for itself: what is bound in any other is the creature's own.
    """
    own = (0, creature.number)
    if campaign.stack > 1 and campaign.items[item.kind].stacks and item.bound in own:
        for slot, first in enumerate(creature.slots):
            if first is None or first.bound not in own:
                continue
            if is_alike(first, item) and count_in(creature, slot) < campaign.stack:
                return slot
    return free_slot(creature)


def put_in(creature: Creature, slot: int, item: Item) -> None:
    """Put an item into a slot that `slot_for` has returned, of a draft or a body that is not on a level: else `gain_item`.

    Items that are bound to a life come last, so a use takes them first and leaves those that can be given.
    """
    first = creature.slots[slot]
    if first is None:
        creature.slots[slot] = item
        return
    if first.bound and not (item.bound or is_in_use(creature, first)):
        creature.slots[slot], item = item, first
    further = creature.stacks.setdefault(slot, [])
    free = sum(not each.bound for each in further)
    further.insert(len(further) if item.bound and item is not first else free, item)


def gain_item(level: Level, creature: Creature, slot: int, item: Item) -> None:
    """Put an item into a slot of a creature on a level: the item may give light."""
    put_in(creature, slot, item)
    level.sight.note_gear(creature.number)


def items_in_slot(creature: Creature, slot: int) -> list[Item]:
    """Return all items in a slot, the first one first."""
    first = item_in_slot(creature, slot)
    return [] if first is None else [first, *creature.stacks.get(slot, ())]


def count_in(creature: Creature, slot: int) -> int:
    """Return the number of items in a slot."""
    return (creature.slots[slot] is not None) + len(creature.stacks.get(slot, ()))


def bound_in(creature: Creature, slot: int) -> int:
    """Return how many of the items in a slot are bound to a life."""
    return sum(item.bound > 0 for item in items_in_slot(creature, slot))


def take_from_slot(level: Level, creature: Creature, slot: int, *, bound: bool | None = None) -> Item:
    """Take one item out of a slot, unequip it and return it (rules J10.5, JG.19).

    Of several the newest goes first, so a wielded one goes last; with `bound`, the newest that is bound, or is not.
    """
    there = items_in_slot(creature, slot)
    return take_item(
        level, creature, next(each for each in reversed(there) if bound is None or (each.bound > 0) is bound)
    )


def take_item(level: Level, creature: Creature, item: Item) -> Item:
    """Take a carried item out of its slot, unequip it and return it."""
    level.sight.note_gear(creature.number)
    slot = next(at for at in range(len(creature.slots)) if item in items_in_slot(creature, at))
    there = items_in_slot(creature, slot)
    there.remove(item)
    creature.slots[slot] = there[0] if there else None
    creature.stacks.pop(slot, None)
    if there[1:]:
        creature.stacks[slot] = there[1:]
    unequip(creature, item)
    return item


def is_in_use(creature: Creature, item: Item) -> bool:
    """Return whether a carried item is wielded, worn or put on."""
    return item.number in (creature.wielded, creature.worn, creature.ring)


def thrown_values(campaign: Campaign, creature: Creature) -> dict[int, int]:
    """Return, by slot, what a creature's items that are not in hand add to a throw, if that is more than a stone's."""
    return {
        slot: thrown
        for slot, item in enumerate(creature.slots)
        if item is not None
        and item.number not in (creature.wielded, creature.worn)
        and (thrown := campaign.items[item.kind].thrown) > campaign.combat.scale
    }


def unequip(creature: Creature, item: Item) -> None:
    """Unequip an item: stop wielding, wearing or having it on as a ring."""
    if creature.wielded == item.number:
        creature.wielded = 0
    if creature.worn == item.number:
        creature.worn = 0
    if creature.ring == item.number:
        creature.ring = 0


def wielded_item(creature: Creature) -> Item | None:
    """Return a creature's wielded item, None without one."""
    if not creature.wielded:
        return None
    number = creature.wielded
    for item in creature.slots:
        if item is not None and item.number == number:
            return item
    return next(
        (item for further in creature.stacks.values() for item in further if item.number == number), None
    )


def is_alike(one: Item, other: Item) -> bool:
    """Return whether two items may share a slot: equal in all visible respects, though one may be bound to a life."""
    return one.kind == other.kind and _state(one) == _state(other)


def _scaled_bonus(campaign: Campaign, item: Item, base: int) -> int:
    if not campaign.items[item.kind].scales:
        return base
    return scale_stat(base, campaign.experience.factor_percent, max(1, item.power))


def _equipment(creature: Creature) -> list[Item]:
    wielded, worn = creature.wielded, creature.worn
    if not (wielded or worn):
        return []
    return [
        item
        for item in creature.slots
        if item is not None and (item.number == wielded or item.number == worn)
    ]
