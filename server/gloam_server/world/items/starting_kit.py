"""The starting kit of a new life: its own items, bound to it, and equipped immediately (rules F44, RG.13)."""

from collections.abc import Callable

from gloam_server.content.campaign import Campaign
from gloam_server.content.kit_entry import parse_kit_entry
from gloam_server.world.items.equipment import put_in, slot_for
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.identification import learn_kind


def give_starting_kit(campaign: Campaign, body: Creature, mint: Callable[[], int]) -> None:
    """Give a new body its campaign's starting kit, as far as it has slots.

    The first of each use is equipped.
    """
    give_kit(campaign, body, campaign.kit, mint)


def give_kit(campaign: Campaign, body: Creature, kit: tuple[str, ...], mint: Callable[[], int]) -> None:
    """Give a body the items of a kit, as far as it has slots; it knows them, and the first of each use is equipped."""
    for text in kit:
        item = kit_item(campaign, body, text)
        if item is None:
            return
        item.number = mint()
        slot = slot_for(campaign, body, item)
        if slot is None:
            return
        put_in(body, slot, item)
        kind = campaign.items[item.kind]
        learn_kind(body, kind)
        if kind.wieldable and not body.wielded:
            body.wielded = item.number
        elif kind.wearable and not body.worn:
            body.worn = item.number


def kit_item(campaign: Campaign, body: Creature, text: str) -> Item | None:
    """Return the item that an entry of a kit gives a body, still without its ID; None for an invalid entry."""
    entry = parse_kit_entry(text)
    if entry is None:
        return None
    kind = campaign.items[entry.key]
    return Item(
        number=0,
        kind=kind.key,
        name=kind.name,
        colour=kind.colour,
        bites=kind.bites,
        power=1 + entry.bonus if kind.scales else 0,
        bonus=entry.bonus,
        bound=body.number,
        charges=kind.charges[1],
    )
