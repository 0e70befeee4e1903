"""Names of items for a viewer: the name or the appearance, and the remaining bites; their food. Pure."""

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import Brand
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.identification import knows_kind, unidentified_name
from gloam_server.world.model.level import Level
from gloam_shared.narration.rendering import possessive


def food_value(campaign: Campaign, item: Item) -> int:
    """Return the food of one bite of an item: its own, as a corpse's, else its kind's.

    0 for no food (rule TG.17).
    """
    return item.food or campaign.items[item.kind].food


def brand_of(campaign: Campaign, item: Item) -> Brand | None:
    """Return the brand of a weapon, None for none."""
    return next((brand for brand in campaign.brands if brand.key == item.brand), None) if item.brand else None


def item_name(level: Level, item: Item, viewer: Creature | None) -> str:
    """Return an item's name for a viewer, without an article; "partly eaten ..." after a bite (rule JG.16).

    A player who has not identified it sees its appearance (rule TG.22); None knows nothing. A scaling item shows its
    level, bonus included: "+3 Knife" (rule RG.14), a weapon the brand that was noticed: "flaming mace" (rule F76).
    An item of a treasury says that it is to be chosen (rule F70).
    """
    name = _own_name(level, item, viewer)
    return f"{name} (choose one)" if item.choice else name


def _own_name(level: Level, item: Item, viewer: Creature | None) -> str:
    kind = level.campaign.items[item.kind]
    if kind.looks and (viewer is None or not knows_kind(viewer, kind)):
        return unidentified_name(level, kind)
    brand = brand_of(level.campaign, item) if item.noticed else None
    if brand is not None:
        return _described(brand.name, item.name)
    if kind.scales:
        return _described(f"+{max(1, item.power)}", item.name)
    return _described("partly eaten", item.name) if item.bites < kind.bites else item.name


def _described(word: str, name: str) -> str:
    """Return a name with a word before its noun; an owner stays in front: "Ann's partly eaten corpse"."""
    owner, owns, noun = possessive(name).partition("'s ")
    if word.startswith("of "):
        return f"{name} {word}"
    return f"{owner}'s {word} {noun}" if owns and owner[:1].isupper() else f"{word} {name}"
