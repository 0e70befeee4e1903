"""The items that are worth picking up, by the campaign and the viewer's state, and whether there is room. Pure."""

from typing import Final, NamedTuple

from gloam_server.world.items.equipment import attack_wielding, defense_wearing, slot_for
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import food_value
from gloam_server.world.model.level import Level

_MEALS_MAX: Final = 3
"""The number of meals from which a player has enough food."""

_USES: Final = ("wieldable", "wearable")


class Carried(NamedTuple):
    """The summary of a viewer's items that decides which others are worth picking up."""

    best: dict[str, int]
    """The value of the best item for each use."""
    meals: int


def carried_by(level: Level, viewer: Creature) -> Carried:
    """Return what of a viewer's items decides which others are worth picking up."""
    items, carried = level.campaign.items, viewer.carried
    best = {
        use: max((_value(level, each) for each in carried if getattr(items[each.kind], use)), default=0)
        for use in _USES
    }
    return Carried(best, sum(food_value(level.campaign, each) > 0 for each in carried))


def is_worth(level: Level, item: Item, viewer: Creature, carried: Carried | None = None) -> bool:
    """Return whether a floor item is worth picking up, with or without room.

    Items that this life dropped never are; missiles that its lineage threw or shot always are. Where a choice
    is needed, the player decides. `carried` belongs to the viewer, if it is known.
    """
    if item.choice or item.left_by == viewer.number or item.bound not in (0, viewer.number):
        return False
    if item.owner == viewer.account and not item.left_by:
        return True
    kind = level.campaign.items[item.kind]
    rule = kind.pick_up
    if rule == "never" or (kind.teaches and _has_book(viewer, item)):
        return False
    if rule == "better":
        return _is_better(level, item, carried or carried_by(level, viewer))
    if rule == "short":
        return (carried or carried_by(level, viewer)).meals < _MEALS_MAX
    return True


def has_room(level: Level, item: Item, viewer: Creature) -> bool:
    """Return whether a viewer has room for an item."""
    return None in viewer.slots or slot_for(level.campaign, viewer, item) is not None


def _has_book(viewer: Creature, book: Item) -> bool:
    """Return whether a viewer carries a book of this kind that is at least as good: its spells are the same."""
    return any(each.kind == book.kind and each.power >= book.power for each in viewer.carried)


def _is_better(level: Level, item: Item, carried: Carried) -> bool:
    """Return whether gear is better than all the viewer's items for the same use."""
    kind = level.campaign.items[item.kind]
    return any(getattr(kind, use) and _value(level, item) > carried.best[use] for use in _USES)


def _value(level: Level, item: Item) -> int:
    ranged = level.campaign.items[item.kind].ranged
    return attack_wielding(level.campaign, item) + defense_wearing(level.campaign, item) + ranged
