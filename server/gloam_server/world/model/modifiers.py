"""Lasting states as they bear on a body's numbers. Pure; the states themselves begin and pass in `states`."""

from typing import Final, Literal, TypeAlias

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.spells import Effect, EffectKind
from gloam_server.world.model.creature import Creature, Lasting

Stat: TypeAlias = Literal["attack", "defence", "sight", "speed", "regeneration", "mana_regeneration"]

SPEED_LEAST: Final = 50
"""The lowest speed, with all effects."""

SPEED_MOST: Final = 10_000
"""The highest speed, with all effects."""


def spell_effect_of(campaign: Campaign, state: Lasting) -> Effect:
    """Return the effect that a state goes on with."""
    return campaign.spells[state.spell].effects[state.effect]


def stat_modifier(campaign: Campaign, creature: Creature, stat: Stat) -> int:
    """Return what the states of a body add to one of its numbers while they last; below 0 when they weaken it."""
    if not creature.lasting:
        return 0
    effects = (spell_effect_of(campaign, state) for state in creature.lasting)
    return sum(getattr(effect, stat) for effect in effects if effect.does == "strengthen")


def has_status(campaign: Campaign, creature: Creature, does: EffectKind) -> bool:
    """Return whether an effect of a kind goes on in a body."""
    if not creature.lasting:
        return False
    return any(spell_effect_of(campaign, state).does == does for state in creature.lasting)


def is_afraid(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a body flees and cannot fight."""
    return has_status(campaign, creature, "fear")


def is_silenced(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a body cannot cast spells."""
    return has_status(campaign, creature, "silence")


def sight_with_status(campaign: Campaign, creature: Creature) -> int:
    """Return how many cells a body sees, with its lasting states."""
    if not creature.lasting:
        return creature.sight
    return max(0, min(SIGHT_MAX, creature.sight + stat_modifier(campaign, creature, "sight")))


def speed_with_status(campaign: Campaign, creature: Creature) -> int:
    """Return a body's speed, with its lasting states."""
    if not creature.lasting:
        return creature.speed
    return max(SPEED_LEAST, min(SPEED_MOST, creature.speed + stat_modifier(campaign, creature, "speed")))
