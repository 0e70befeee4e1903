"""Catching up: a new life beside a friend rises to a level near theirs, with a kit of that level (rule F92)."""

from typing import Final

from msgspec import UNSET

from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.combat.sleep import fall_asleep
from gloam_server.world.growth.beacons import burns_at
from gloam_server.world.growth.experience import raise_levels
from gloam_server.world.items import equipment
from gloam_server.world.items.floor_items import create_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.identification import learn_kind
from gloam_server.world.population.starting_gear import draw_kind

_CALM_TURNS: Final = 100
"""The turns of sleep near a beacon; a creature that dozes does not wake by itself."""


def catch_up(context: TurnContext, body: Creature, level: int, *, begins: bool) -> None:
    """Raise a new life to a level, unhurt, once; if it `begins` here, give it the campaign's kit of that level.

    The kit is bound to it and equipped; what has no room is left out. A life that began at the entrance has its
    starting kit, and gets no other: otherwise each way to a friend would make items out of nothing. The player
    spends the points of the gained levels like all others.
    """
    if body.joined is not UNSET:
        return
    body.joined = True
    campaign = context.level.campaign
    if level > body.level:
        body.experience = max(body.experience, least_experience_beyond(campaign.experience, level - 1))
        raise_levels(context, body)
        body.hp = body.hp_max
    for entry in campaign.catch_up.kit if begins else ():
        _give(context, body, entry)


def calm_foes(context: TurnContext, body: Creature, cell: int) -> None:
    """Let the foes in view of a life that begins at the beacon on a cell sleep, until noise or a wound wakes them (rule F188)."""
    level = context.level
    if not burns_at(level, cell):
        return
    seen = level.field_of_view(body)
    for other in list(level.creatures.values()):
        if seen[other.cell] and is_hostile(level, other, body) and not other.account:
            other.ai.dozes = True
            fall_asleep(context, other, _CALM_TURNS)


def _give(context: TurnContext, body: Creature, entry: str) -> None:
    """Give a body an item of the kit; a weapon for blows or an armor that is better replaces the one in use."""
    kind = draw_kind(context, body, entry)
    if kind is None:
        return
    item: Item = create_item(context, kind, body.cell)
    item.bound = body.number
    if kind.scales:
        item.power = body.level
    slot = equipment.slot_for(context.level.campaign, body, item)
    if slot is None:
        return
    equipment.gain_item(context.level, body, slot, item)
    learn_kind(body, kind)
    if body.slots[slot] is not item:  # one more of a kind that the body has in use
        return
    campaign = context.level.campaign
    if kind.wieldable and kind.attack + kind.ranged >= kind.defence:
        held = equipment.wielded_item(body)
        if held is None or equipment.attack_wielding(campaign, item) > equipment.attack_wielding(
            campaign, held
        ):
            body.wielded = item.number
    elif kind.wearable:
        worn = next((other for other in body.carried if other.number == body.worn), None)
        if worn is None or equipment.defense_wearing(campaign, item) > equipment.defense_wearing(
            campaign, worn
        ):
            body.worn = item.number
