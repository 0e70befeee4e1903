"""What a thing is called: its name, and how much of it is left; and what it feeds. Pure."""

from gloam_server.content.definitions import Campaign
from gloam_server.world.creature import Item


def words(campaign: Campaign, item: Item) -> str:
    """Return a thing's name without an article; "partly eaten ..." once something was bitten off it (rule JG.16)."""
    return f"partly eaten {item.name}" if item.bites < campaign.items[item.kind].bites else item.name


def food_of(campaign: Campaign, item: Item) -> int:
    """Return what a bite of a thing gives: its own, as a corpse's, else its kind's; 0 for no food (rule TG.17)."""
    return item.food or campaign.items[item.kind].food
