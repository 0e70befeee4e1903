"""What a player knows of things close by: what he carries, and what lies under his feet. Pure."""

from gloam_server.content.definitions import Campaign
from gloam_server.content.items import ItemKind
from gloam_server.world.creature import Creature, Item
from gloam_server.world.level import Level
from gloam_server.world.things import food_of, words
from gloam_shared.limits import PILE_THINGS_MAX
from gloam_shared.view import Carried, Thing, Trait


def inventory(campaign: Campaign, viewer: Creature) -> tuple[Carried, ...]:
    """Return what the viewer carries, by slot; carried things have no handles."""
    return tuple(
        _carried(campaign, viewer, slot, item) for slot, item in enumerate(viewer.slots) if item is not None
    )


def pile_shown(level: Level, cell: int) -> tuple[Thing, ...]:
    """Return what lies on a cell, the uppermost last: no more than a client is told of a pile."""
    campaign = level.campaign
    return tuple(
        Thing(
            level.handles[item.number],
            campaign.items[item.kind].glyph,
            item.colour,
            words(campaign, item),
        )
        for item in level.piles.get(cell, ())[-PILE_THINGS_MAX:]
    )


def _carried(campaign: Campaign, viewer: Creature, slot: int, item: Item) -> Carried:
    kind = campaign.items[item.kind]
    return Carried(
        slot=slot,
        glyph=kind.glyph,
        colour=item.colour,
        name=words(campaign, item),
        traits=int(_traits(kind, viewer, item)),
        attack=kind.attack,
        defence=kind.defence,
        food=food_of(campaign, item),
    )


def _traits(kind: ItemKind, viewer: Creature, item: Item) -> Trait:
    told = Trait(0)
    if item.food or kind.food:
        told |= Trait.EDIBLE
    if kind.wieldable:
        told |= Trait.WIELDABLE
    if kind.wearable:
        told |= Trait.WEARABLE
    if kind.ranged:
        told |= Trait.SHOOTS
    if item.number == viewer.wielded:
        told |= Trait.WIELDED
    if item.number == viewer.worn:
        told |= Trait.WORN
    return told
