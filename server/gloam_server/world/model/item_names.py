"""What a thing is called by whom: its name or what it looks like, and how much of it is left; what it feeds. Pure."""

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.identification import knows_kind, unidentified_name
from gloam_server.world.model.level import Level


def food_value(campaign: Campaign, item: Item) -> int:
    """Return what a bite of a thing gives: its own, as a corpse's, else its kind's; 0 for no food (rule TG.17)."""
    return item.food or campaign.items[item.kind].food


def item_name(level: Level, item: Item, viewer: Creature | None) -> str:
    """Return what a viewer calls a thing, without an article; "partly eaten ..." once it was bitten (rule JG.16).

    Who does not know it by name calls it as it looks (rule TG.22); None knows nothing. What scales tells its level, its
    bonus included: "+3 Knife" (rule RG.14).
    """
    kind = level.campaign.items[item.kind]
    if kind.looks and (viewer is None or not knows_kind(viewer, kind)):
        return unidentified_name(level, kind)
    if kind.scales:
        return f"+{max(1, item.power)} {item.name}"
    return f"partly eaten {item.name}" if item.bites < kind.bites else item.name
