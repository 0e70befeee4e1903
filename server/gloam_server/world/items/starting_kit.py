"""The starting kit of a new life: its own items, bound to it, and equipped at once (rules F44, RG.13)."""

from collections.abc import Callable

from gloam_server.content.campaign import Campaign
from gloam_server.content.kit_entry import parse_kit_entry
from gloam_server.world.items.equipment import place_for, put_in
from gloam_server.world.model.creature import Creature, Item


def give_starting_kit(campaign: Campaign, body: Creature, mint: Callable[[], int]) -> None:
    """Give a new body its campaign's starting kit, as far as it has slots.

    The first of each use is equipped.
    """
    for text in campaign.kit:
        entry = parse_kit_entry(text)
        if entry is None:
            return
        kind = campaign.items[entry.key]
        item = Item(
            number=mint(),
            kind=kind.key,
            name=kind.name,
            colour=kind.colour,
            bites=kind.bites,
            power=1 + entry.bonus if kind.scales else 0,
            bonus=entry.bonus,
            bound=body.number,
            charges=kind.charges[1],
        )
        slot = place_for(campaign, body, item)
        if slot is None:
            return
        put_in(body, slot, item)
        if kind.wieldable and not body.wielded:
            body.wielded = item.number
        elif kind.wearable and not body.worn:
            body.worn = item.number
