"""The choice of a kit: a new life takes one of its campaign's kits instead of the untouched starting kit (rule F96)."""

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.campaign_schema import KITS_MAX, Kit
from gloam_server.world.combat.companions import befriend, set_down
from gloam_server.world.growth.learning import learn_trait
from gloam_server.world.items.equipment import bound_in, is_alike, take_from_slot
from gloam_server.world.items.starting_kit import give_kit, kit_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature


def refuse_kit(campaign: Campaign, body: Creature, chosen: int, offered: int = KITS_MAX) -> str:
    """Return why a body cannot take the campaign's kit of this index, as a sentence; "" if it can.

    Only the first `offered` kits are open to it.
    """
    if not campaign.kits:
        return "In this campaign every life begins with the same kit; play on with it."
    if chosen >= min(offered, len(campaign.kits)):
        return "There is no such kit; choose one of those that are offered."
    if body.kit is not UNSET:
        return "This life has chosen its kit; the next life can choose another."
    if body.command:
        return "A kit is chosen before the first command of a life; the next life can choose again."
    if _slots_of_starting_kit(campaign, body) is None:
        return "The starting kit is no longer whole, so that it cannot be exchanged; play on with it."
    return ""


def can_choose_kit(campaign: Campaign, body: Creature) -> bool:
    """Return whether a body may still choose a kit."""
    return not refuse_kit(campaign, body, 0)


def open_kits(campaign: Campaign, depth: int) -> tuple[Kit, ...]:
    """Return the kits that are offered to a player with a life that has reached a depth, 0 for none (rule F105)."""
    return tuple([kit for kit in campaign.kits if kit.opens_at <= depth])


def take_kit(context: TurnContext, body: Creature, chosen: int) -> None:
    """Exchange a body's starting kit for the kit of this index, equipped and bound as that was, if it may.

    The kit also brings its traits, health, mana and companion (rule F105).
    """
    level = context.level
    campaign = level.campaign
    slots = _slots_of_starting_kit(campaign, body)
    if slots is None or refuse_kit(campaign, body, chosen):
        return
    for slot in slots:
        take_from_slot(level, body, slot, bound=True)
    kit = campaign.kits[chosen]
    give_kit(campaign, body, kit.items, level.new_id)
    level.sight.note_gear(body.number)
    body.kit = chosen + 1
    body.hp_max += kit.health
    body.hp += kit.health
    body.mana_max += kit.mana
    body.mana += kit.mana
    for key in kit.traits:
        learn_trait(level, body, campaign.traits[key])
    if kit.companion:
        _bring_companion(context, body, kit.companion)


def _bring_companion(context: TurnContext, body: Creature, kind: str) -> None:
    """Create a companion of a kind beside a body; without room there it stays with the body (rule F115)."""
    companion = new_creature(context.level.campaign.creatures[kind], context.level.new_id())
    befriend(context, companion, body)
    body.companion = companion
    set_down(context, body)


def _slots_of_starting_kit(campaign: Campaign, body: Creature) -> list[int] | None:
    """Return the slot of each item of the starting kit; None if one is missing, or is not as it was."""
    slots: list[int] = []
    for text in campaign.kit:
        item = kit_item(campaign, body, text)
        if item is None:
            return None
        for slot, first in enumerate(body.slots):
            if first is None or first.bound not in (0, body.number):
                continue
            if is_alike(first, item) and slots.count(slot) < bound_in(body, slot):
                slots.append(slot)
                break
        else:
            return None
    return slots
