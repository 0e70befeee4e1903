"""The items in a player's inventory and on their cell, as the player knows them. Pure."""

from collections.abc import Collection
from copy import copy
from operator import attrgetter
from typing import Final, TypeAlias

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import ItemKind
from gloam_server.rules.growth import scale_stat
from gloam_server.views.display_numbers import in_points
from gloam_server.views.magic_effects import first_effect
from gloam_server.views.own_body import spell_list
from gloam_server.views.pickup_advice import Carried, carried_by, has_room, is_worth
from gloam_server.views.texts.power_words import power_words
from gloam_server.world.actions.pickup import can_be_had
from gloam_server.world.items.equipment import attack_wielding, bound_in, count_in, defense_wearing
from gloam_server.world.model.creature import ITEM_LOOK, Creature, Item
from gloam_server.world.model.identification import item_color, knows_kind
from gloam_server.world.model.item_names import brand_of, food_value, item_name
from gloam_server.world.model.level import Level
from gloam_shared.kept import Kept
from gloam_shared.limits import PILE_THINGS_MAX
from gloam_shared.narration.rendering import list_names
from gloam_shared.view.view import FloorItem, InventoryItem, ItemFlag, Spell

# Plain numbers: flags cost ten times as much, and this runs for every carried item of every player.
_AGAIN = int(ItemFlag.AGAIN)
_BOUND = int(ItemFlag.BOUND)
_EDIBLE = int(ItemFlag.EDIBLE)
_NO_ROOM = int(ItemFlag.NO_ROOM)
_PRIZE = int(ItemFlag.PRIZE)
_QUAFFABLE = int(ItemFlag.QUAFFABLE)
_READABLE = int(ItemFlag.READABLE)
_SHOOTS = int(ItemFlag.SHOOTS)
_USABLE = int(ItemFlag.USABLE)
_WEARABLE = int(ItemFlag.WEARABLE)
_WIELDABLE = int(ItemFlag.WIELDABLE)
_WIELDED = int(ItemFlag.WIELDED)
_WORN = int(ItemFlag.WORN)
_WORTH = int(ItemFlag.WORTH)
_ZAPPABLE = int(ItemFlag.ZAPPABLE)
_RING = int(ItemFlag.RING)
_PUT_ON = int(ItemFlag.PUT_ON)


LOOK: Final = attrgetter(*ITEM_LOOK)
_LOOKS_KEPT: Final = 256


Shown: TypeAlias = tuple[tuple[InventoryItem, ...], tuple[Spell, ...]]
"""A viewer's inventory by slot, where items have no handles, and the spells that they can cast."""
_State: TypeAlias = tuple[object, list[str], dict[int, tuple[int, int]], list[Item | None]]


class InventoryCache:
    """The last view of one viewer's inventory, and what follows from it for items on the floor. It changes rarely."""

    __slots__ = ("_carried", "_items", "_looks", "_shown")

    def __init__(self) -> None:
        self._shown = Kept[Shown]("the inventory of a player")
        self._items: dict[int, tuple[object, InventoryItem]] = {}
        """The item as shown, by slot, and the values that it was made from."""
        self._looks: dict[object, tuple[str, int]] = {}
        self._carried: Carried | None = None

    def inventory_and_spells(self, level: Level, viewer: Creature) -> Shown:
        """Return the inventory and the spells of a viewer: the same object while nothing in them has changed."""
        counts = {slot: (len(further), bound_in(viewer, slot)) for slot, further in viewer.stacks.items()}
        own = (level.partition, viewer.number, viewer.kind, viewer.wielded, viewer.worn, viewer.ring)

        def build(before: Shown | None) -> Shown:
            self._looks.clear()
            self._carried = None
            if before is None:
                self._items.clear()
            return self._inventory(level, viewer), spell_list(level, viewer)

        return self._shown.get((), (own, viewer.known, counts, viewer.slots), build, _copied)

    def _inventory(self, level: Level, viewer: Creature) -> tuple[InventoryItem, ...]:
        """Return the inventory; each item is made again only if something of it changed."""
        kinds = level.campaign.items
        before, self._items = self._items, {}
        for slot, item in enumerate(viewer.slots):
            if item is None:
                continue
            uses = item.number == viewer.wielded, item.number == viewer.worn, item.number == viewer.ring
            counted = count_in(viewer, slot), bound_in(viewer, slot)
            made_from = LOOK(item), uses, knows_kind(viewer, kinds[item.kind]), counted
            known = before.get(slot)
            if known is None or known[0] != made_from:
                known = made_from, _inventory_item(level, viewer, slot, item, *counted)
            self._items[slot] = known
        return tuple([shown for _, shown in self._items.values()])

    def pile(self, level: Level, viewer: Creature) -> tuple[FloorItem, ...]:
        """Return the items on the viewer's cell, the top one last, up to the limit of a view.

        They follow the last call of `inventory_and_spells`.
        """
        return tuple(
            [
                _floor_item(level, item, *self.on_ground(level, item, LOOK(item), viewer))
                for item in level.piles.get(viewer.cell, ())[-PILE_THINGS_MAX:]
            ]
        )

    def on_ground(self, level: Level, item: Item, look: object, viewer: Creature) -> tuple[str, int]:
        """Return the name of an item with this `LOOK` on the floor, and its flags.

        They depend on the look and on the inventory, as of the last call of `inventory_and_spells`.
        """
        known = self._looks.get(look)
        if known is None:
            if len(self._looks) >= _LOOKS_KEPT:
                self._looks.clear()
            self._carried = self._carried or carried_by(level, viewer)
            known = self._looks[look] = (
                item_name(level, item, viewer),
                _traits_on_ground(level, item, viewer, self._carried),
            )
        return known


def _copied(state: _State) -> _State:
    """Copy what changes in place: the lists, and the items in them."""
    own, known, counts, slots = state
    return own, list(known), counts, [copy(item) for item in slots]


def offered_items(
    level: Level, viewer: Creature, owner: Creature, numbers: Collection[int]
) -> tuple[InventoryItem, ...]:
    """Return what a player offers in a trade, as the viewer knows it: by slot of the owner, with the offered count."""
    shown = []
    for slot, first in enumerate(owner.slots):
        if first is None:
            continue
        offered = [item for item in (first, *owner.stacks.get(slot, ())) if item.number in numbers]
        if offered:
            shown.append(_inventory_item(level, viewer, slot, offered[0], len(offered), 0))
    return tuple(shown)


def _floor_item(level: Level, item: Item, name: str, traits: int) -> FloorItem:
    kind = level.campaign.items[item.kind]
    return FloorItem(
        level.handles[item.number], kind.glyph, item_color(level, kind, item.colour), name, traits
    )


def _traits_on_ground(level: Level, item: Item, viewer: Creature, carried: Carried) -> int:
    """Return the flags of an item on the floor: food, bound to another life, worth picking up, no room for it."""
    flags = _EDIBLE if food_value(level.campaign, item) > 0 else 0
    if not can_be_had(level, viewer, item):
        flags |= _BOUND
    elif not has_room(level, item, viewer):
        flags |= _NO_ROOM
    return flags | _WORTH if is_worth(level, item, viewer, carried) else flags


def _inventory_item(
    level: Level, viewer: Creature, slot: int, item: Item, count: int, bound: int
) -> InventoryItem:
    kind = level.campaign.items[item.kind]
    known = knows_kind(viewer, kind)
    magic = level.campaign.spells.get(kind.quaffs or kind.reads or kind.zaps) if known else None
    spell = None if kind.quaffs else magic
    return InventoryItem(
        slot=slot,
        glyph=kind.glyph,
        colour=item_color(level, kind, item.colour),
        name=item_name(level, item, viewer),
        traits=_traits(level.campaign, kind, viewer, item) | (_BOUND if bound == count else 0),
        attack=in_points(level.campaign, attack_wielding(level.campaign, item)),
        defence=in_points(level.campaign, defense_wearing(level.campaign, item)),
        food=food_value(level.campaign, item),
        target=spell.target if spell else "",
        range=spell.range if spell else 0,
        radius=spell.radius if spell else 0,
        words=_describe_item(level, kind, item) if known else "",
        thrown=in_points(level.campaign, kind.thrown),
        ranged=in_points(level.campaign, kind.ranged),
        harms=spell.harms if spell else True,
        count=count,
        effect=int(first_effect(magic)) if magic else 0,
        charges=item.charges if known else 0,
        bound=bound if bound < count else 0,
    )


def _book_words(campaign: Campaign, kind: ItemKind, item: Item) -> str:
    """Return how much more the spells of a book of a higher level heal and harm (rule F112); "" for the first level."""
    more = scale_stat(100, campaign.experience.factor_percent, item.power) - 100 if item.power > 1 else 0
    return f"Its spells heal and harm {more} % more." if more and kind.teaches and kind.scales else ""


def _describe_item(level: Level, kind: ItemKind, item: Item) -> str:
    """Return an item's description: the text of its kind or spell, of its brand, and a book's spells."""
    spells = level.campaign.spells
    spell = spells.get(kind.spell or kind.carries)
    brand = brand_of(level.campaign, item) if item.noticed else None
    taught = list_names([spells[key].name for key in kind.teaches])
    sentences = (
        kind.words or (spell.words if spell else ""),
        f"While you carry it, you can cast {taught}." if taught else "",
        _book_words(level.campaign, kind, item),
        brand.words if brand else "",
        *[power_words(power, "you") for power in (*kind.powers, *(brand.powers if brand else ()))],
        "It works while you carry it." if kind.trophy and kind.powers else "",
    )
    return " ".join(words for words in sentences if words)


def _traits(campaign: Campaign, kind: ItemKind, viewer: Creature, item: Item) -> int:
    flags = _prize(campaign, kind)
    if food_value(campaign, item):
        flags |= _EDIBLE
    if kind.quaffs:
        flags |= _QUAFFABLE
    if kind.reads:
        flags |= _READABLE
    if kind.zaps:
        flags |= _ZAPPABLE
    if kind.is_ring:
        flags |= _RING
    if item.number == viewer.ring:
        flags |= _PUT_ON
    if kind.wieldable:
        flags |= _WIELDABLE
    if kind.wearable:
        flags |= _WEARABLE
    if kind.ranged:
        flags |= _SHOOTS
    if item.number == viewer.wielded:
        flags |= _WIELDED
    if item.number == viewer.worn:
        flags |= _WORN
    return flags


def _prize(campaign: Campaign, kind: ItemKind) -> int:
    """Return whether an item kind wins, whether by its use, and whether that may open a round (rule RG.32)."""
    rules = campaign.victory
    if not rules.item or kind.key != rules.item:
        return 0
    if rules.rule != "use":
        return _PRIZE
    return _PRIZE | _USABLE | _AGAIN if rules.again else _PRIZE | _USABLE
