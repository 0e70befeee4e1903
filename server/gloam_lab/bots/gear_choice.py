"""A bot's use of items without foes: eat, equip, pick up, identify, drop. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import flags, item_knowledge
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.combat_estimate import health, own_health
from gloam_lab.bots.in_sight import in_sight
from gloam_lab.bots.item_knowledge import ItemUse
from gloam_lab.bots.pack import is_inert, is_missile, is_prize, pack_of, prefers_bow, worth
from gloam_lab.bots.style import Style
from gloam_server.autopilot import pathfinding
from gloam_shared import bitboard
from gloam_shared.protocol import commands
from gloam_shared.view.view import Hunger, InventoryItem, Stat, View

FOODS_MAX: Final = 8
"""The amount of food that is enough."""

CARRIED_MAX: Final = 17
"""The number of items from which a bot picks up only better equipment, and drops some."""

_FOODS_LEAST: Final = 2
"""With less food than this, a bot picks up food even if its inventory is full."""

_ROOM_FOR_FOOD: Final = 3
"""The free slots that remain after picking up food, so that a bot does not pick up what it just dropped."""

MISSILES_MAX: Final = {Style.FIGHTER: 8, Style.ARCHER: 8, Style.MAGE: 3}
"""The number of throwing weapons that is enough for a style."""

_UNREAD_MAX: Final = 4
"""The number of unidentified scrolls that a mage keeps for a fight."""

HUNGRY: Final = (Hunger.HUNGRY, Hunger.STARVING, Hunger.VERY_HUNGRY, Hunger.FAMISHED)


def inventory_commands(view: View, memory: BotMemory) -> Iterator[commands.AnyCommand]:
    """Yield commands for items while no foe hunts the bot, the most urgent first."""
    yield from _eat(view)
    yield from _take_up(view, memory)
    yield from _pick_up(view, memory)
    yield from _drop(view, memory)
    yield from _use_up(view, memory)
    yield from _help(view)


def foods(view: View) -> tuple[InventoryItem, ...]:
    """Return the food that the bot carries and does not wield or wear."""
    return pack_of(view.inventory).foods


def _eat(view: View) -> Iterator[commands.AnyCommand]:
    if view.fact(Stat.HUNGER) in HUNGRY:
        for food in sorted(
            (item for item in view.inventory if item.traits & flags.EDIBLE and item.food > 0),
            key=lambda food: (item_knowledge.is_in_use(food), food.slot),
        ):
            yield commands.Eat(food.slot)


def _take_up(view: View, memory: BotMemory) -> Iterator[commands.AnyCommand]:
    """Wield the stronger weapon, an archer the bow, wear the better armor, put on a ring; an item in use keeps its use."""
    pack = pack_of(view.inventory)
    if memory.style is Style.ARCHER and prefers_bow(view.inventory) and pack.bow is not None:
        if not pack.bow.traits & flags.WIELDED:
            yield commands.Wield(pack.bow.slot)
    elif pack.weapon is not None:
        yield commands.Wield(pack.weapon.slot)
    if pack.armour is not None:
        yield commands.Wear(pack.armour.slot)
    if pack.ring is not None:
        yield commands.PutOn(pack.ring.slot)


def is_wanted(view: View, memory: BotMemory, name: str) -> bool:
    """Return whether an item of that name is worth picking up; an unknown item is, to see what it is."""
    if name in memory.junk:
        return False
    full = len(view.inventory) >= CARRIED_MAX
    known = memory.item_uses.get(name)
    if known is None:
        return not full
    if known.traits & (flags.WIELDABLE | flags.WEARABLE) and _is_better(view, known):
        return True
    if known.traits & flags.EDIBLE:
        kept, carried = pack_of(view.inventory).meals, len(view.inventory)
        room = CARRIED_MAX - _ROOM_FOR_FOOD if kept >= _FOODS_LEAST else CARRIED_MAX + _ROOM_FOR_FOOD
        return known.food > 0 and kept < FOODS_MAX and carried < room
    if is_missile(known):
        room = CARRIED_MAX + _ROOM_FOR_FOOD
        return len(view.inventory) < room and pack_of(view.inventory).missiles < MISSILES_MAX[memory.style]
    if full:
        return False
    if known.traits & flags.SHOOTS:
        bow = pack_of(view.inventory).bow
        return bow is None or (memory.style is Style.ARCHER and known.ranged > bow.ranged)
    if is_inert(known):
        return all(item.name != name for item in view.inventory)
    return not known.traits & (flags.WIELDABLE | flags.WEARABLE)


def _is_better(view: View, item: InventoryItem) -> bool:
    """Return whether an item is better than the one in the same use."""
    best = pack_of(view.inventory).best
    return any(
        item.traits & fits and worth(item, used) > best[used]
        for fits, used in ((flags.WIELDABLE, flags.WIELDED), (flags.WEARABLE, flags.WORN))
    )


def _pick_up(view: View, memory: BotMemory) -> Iterator[commands.AnyCommand]:
    for item in reversed(view.pile):
        if is_wanted(view, memory, item.name):
            yield commands.PickUp((item.handle,))


def go_to_item(view: View, memory: BotMemory, near: int | None = None) -> Iterator[commands.AnyCommand]:
    """Step towards the nearest useful known item, of those on the cells `near`; forget an item that cannot be reached."""
    known = memory.items.get(view.place.depth, {})
    own = view.cell
    wanted = {name: is_wanted(view, memory, name) for name in dict.fromkeys(known.values())}
    cells = [
        cell
        for cell, name in known.items()
        if wanted[name] and cell != own and (near is None or near >> cell & 1)
    ]
    if cells:
        way = pathfinding.first_step(view, bitboard.bits_of(cells))
        if way is not None:
            yield way
        else:
            for cell in cells:
                del known[cell]


def _drop(view: View, memory: BotMemory) -> Iterator[commands.AnyCommand]:
    """Drop the least useful item when there are too many."""
    if len(view.inventory) < CARRIED_MAX:
        return
    junk = [item for item in view.inventory if _is_spare(view, memory.style, item)]
    junk.sort(key=lambda item: (bool(item.traits & flags.EDIBLE), item.attack + item.defence, -item.slot))
    for item in junk:
        if not item.traits & flags.EDIBLE:
            memory.junk.add(item.name)
        yield commands.Drop(item.slot)


def _is_spare(view: View, style: Style, item: InventoryItem) -> bool:
    if is_inert(item):
        return any(other.name == item.name and other.slot < item.slot for other in view.inventory)
    if (
        item_knowledge.is_in_use(item)
        or item_knowledge.is_magic(item)
        or item.traits & (flags.USABLE | flags.BOUND | flags.ZAPPABLE | flags.RING)
    ):
        return False
    if is_missile(item):
        return pack_of(view.inventory).missiles > MISSILES_MAX[style]
    if item.traits & flags.EDIBLE:
        return pack_of(view.inventory).meals > FOODS_MAX // 2 or item.food <= 0
    return not is_prize(item)


def _use_up(view: View, memory: BotMemory) -> Iterator[commands.AnyCommand]:
    """Use items that are best used without foes: what teaches, healing if needed, and unidentified items.

    A mage keeps unidentified scrolls for its next fight, up to a few.
    """
    unread = sum(
        use is ItemUse.UNKNOWN and not item.traits & flags.QUAFFABLE
        for item, use in pack_of(view.inventory).magic
    )
    keeps = memory.style is Style.MAGE and unread <= _UNREAD_MAX
    hurt = own_health(view)
    for item, use in pack_of(view.inventory).magic:
        if (
            use is ItemUse.LEARN
            or (use is ItemUse.HEAL and hurt < 30)
            or (
                use is ItemUse.UNKNOWN
                and not (keeps and not item.traits & flags.QUAFFABLE)
                and _may_try(view, hurt)
            )
        ):
            if item.traits & flags.QUAFFABLE:
                yield commands.Quaff(item.slot)
            elif item.target in ("", "self"):
                yield commands.Read(item.slot)
    for spell in view.spells:
        worth = hurt < 70 and item_knowledge.classify_item(spell) is ItemUse.HEAL
        if worth and spell.target == "self" and spell.cost <= view.fact(Stat.MANA):
            yield commands.Cast(spell.key)


def _may_try(view: View, hurt: int) -> bool:
    """Return whether it is safe to try an unidentified item: enough health for poison, and no awake foe in sight."""
    return hurt >= 50 and all(foe.marks & flags.ASLEEP for foe in in_sight(view.creatures).enemies)


def _help(view: View) -> Iterator[commands.AnyCommand]:
    """Heal a friend in need by a spell, or give them a healing item."""
    grid = view.place.grid
    hurt = [other for other in in_sight(view.creatures).friends if other.hp < other.hp_max]
    friends = [other for other in hurt if health(other) < 40]
    for friend in sorted(friends, key=lambda each: (each.hp, each.handle)):
        away = grid.distance(view.cell, friend.cell)
        for spell in view.spells:
            if item_knowledge.classify_item(spell) is ItemUse.HEAL_OTHER and away <= (spell.range or away):
                yield commands.Cast(spell.key, friend.cell)
        if away == 1 and own_health(view) > 60:
            for item, use in pack_of(view.inventory).magic:
                if use is ItemUse.HEAL and not item.traits & flags.BOUND:
                    yield commands.Give(item.slot, friend.handle)
