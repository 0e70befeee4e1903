"""Which items are worth picking up, by the campaign and the viewer's state, and whether there is room.

Pure.
"""

from typing import Final

from gloam_server.world.items.equipment import attack_wielding, defense_wearing, place_for
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import food_value
from gloam_server.world.model.level import Level

_MEALS_MAX: Final = 3
"""The number of meals from which a player has enough food."""


def is_worth(level: Level, item: Item, viewer: Creature) -> bool:
    """Return whether a floor item is worth picking up, with or without room.

    Items that this life dropped never are; missiles that its lineage threw or shot always are. Where a choice
    is needed, the player decides.
    """
    if item.choice or item.left_by == viewer.number or item.bound not in (0, viewer.number):
        return False
    if item.owner == viewer.account and not item.left_by:
        return True
    rule = level.campaign.items[item.kind].pick_up
    if rule == "never":
        return False
    if rule == "better":
        return _is_better(level, item, viewer)
    if rule == "short":
        return sum(food_value(level.campaign, each) > 0 for each in viewer.carried) < _MEALS_MAX
    return True


def has_room(level: Level, item: Item, viewer: Creature) -> bool:
    """Return whether a viewer has room for an item."""
    return None in viewer.slots or place_for(level.campaign, viewer, item) is not None


def _is_better(level: Level, item: Item, viewer: Creature) -> bool:
    """Return whether gear is better than all the viewer's items for the same use."""
    items = level.campaign.items
    for use in ("wieldable", "wearable"):
        if getattr(items[item.kind], use):
            carried = [each for each in viewer.carried if getattr(items[each.kind], use)]
            if _value(level, item) > max((_value(level, each) for each in carried), default=0):
                return True
    return False


def _value(level: Level, item: Item) -> int:
    ranged = level.campaign.items[item.kind].ranged
    return attack_wielding(level.campaign, item) + defense_wearing(level.campaign, item) + ranged
