"""Revenge: the player's reward for killing a named creature."""

from typing import Final

from gloam_server.content.growth.trophies import fitting_trophies
from gloam_server.rules import growth
from gloam_server.rules.growth import KillValue
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.items.floor_items import create_item, drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import TROPHIES_MAX, Envelope, RecordTrophy

NAMED_SLAIN_MAX: Final = 10
"""The number of named creatures that the story of a life lists, the newest."""


def avenger_of(context: TurnContext, killer: Creature | None) -> Creature | None:
    """Return the player that a kill counts for: the killer, or the owner of an ally; None for any other."""
    if killer is not None and not killer.account:
        killer = context.level.creatures.get(killer.owner)
    return killer if killer is not None and killer.account else None


def reward_revenge(context: TurnContext, victim: Creature, worth: KillValue, killer: Creature | None) -> None:
    """Give a player experience for a named creature's level gains, a trophy, and a line in the summary."""
    player = avenger_of(context, killer)
    if player is None or not victim.title:
        return
    player.statistics.named_slain.append(victim.name)
    del player.statistics.named_slain[:-NAMED_SLAIN_MAX]
    rules = context.level.campaign
    award = growth.award(rules.experience, worth, player.level)
    gain_experience(
        context, player, award * rules.named.revenge_percent * max(1, victim.levels_grown) // 100, victim
    )
    _leave_trophy(context, victim, player)


def _leave_trophy(context: TurnContext, victim: Creature, player: Creature) -> None:
    """Put a trophy where a named creature died: the closest fit to its people and traits, else one of the campaign's list.

    One that scales has its level, higher for an heir of one of its victims. The line of the player remembers it.
    """
    campaign = context.level.campaign
    people = campaign.creatures[victim.kind].people
    fit = [trophy.key for trophy in fitting_trophies(campaign.trophies, people, tuple(victim.learned))]
    choices = fit or campaign.named.trophies
    if not choices:
        return
    kind = campaign.items[context.dice.pick("trophy", victim.number, choices)]
    trophy = create_item(context, kind, victim.cell, name=f"{victim.title}'s {kind.name}")
    if kind.scales:
        is_heir = any(each.account == player.account for each in victim.victims)
        trophy.power = victim.level + (campaign.named.heir_levels if is_heir else 0)
    player.statistics.trophies = [*player.statistics.trophies, trophy.name][-TROPHIES_MAX:]
    context.outputs.append(Envelope(REALM_PARTITION, RecordTrophy(player.account, trophy.name)))
    context.emit_item_event("drops", trophy, victim, victim.cell)
    drop_item(context, trophy, victim.cell)
