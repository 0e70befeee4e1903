"""Loans: items that are bound to one life, in the pack of another member of the party on the same level (rule F131).

A loan keeps its bond, and lasts while both are on the level and in the party: so it never crosses to another partition,
and no cut or crash can double or lose it.
"""

from msgspec import UNSET

from gloam_server.world.items.equipment import gain_item, slot_for, take_item
from gloam_server.world.items.floor_items import drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level


def may_give(level: Level, giver: Creature, other: Creature, item: Item) -> bool:
    """Return whether an item may go from a player to another: an unbound one, one's own as a loan, or a loan back."""
    if not item.bound or item.bound == other.number:
        return True
    lends = level.campaign.friends.lends and giver.member is not UNSET and giver.member == other.member
    return lends and item.bound == giver.number


def return_loans(context: TurnContext, body: Creature) -> None:
    """Return what a player has borrowed, and what they have lent. Call this before they leave the level or the party."""
    level = context.level
    if not (body.account and level.campaign.friends.lends):
        return
    for item in [each for each in body.carried if each.bound not in (0, body.number)]:
        _return(context, body, item)
    party = [other for other in level.players() if other.member == body.member and other is not body]
    for other in party if body.member is not UNSET else ():
        for item in [each for each in other.carried if each.bound == body.number]:
            _return(context, other, item)


def _return(context: TurnContext, borrower: Creature, item: Item) -> None:
    """Put a loan back into its owner's pack; without room it falls at their feet."""
    level = context.level
    owner = level.creatures.get(item.bound, borrower)
    take_item(level, borrower, item)
    slot = None if owner is borrower else slot_for(level.campaign, owner, item)
    if slot is None:
        drop_item(context, item, owner.cell)
    else:
        gain_item(level, owner, slot, item)
    context.emit_item_event("returns", item, borrower, borrower.cell, source=owner.name)
