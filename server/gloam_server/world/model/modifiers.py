"""The effects of status effects and learned traits on a body.

Pure; status effects begin and end in `status_effects`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Behavior, Movement, in_order
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.growth.learning import Trait
from gloam_server.content.spells import Effect, EffectKind, Spell, Stat
from gloam_server.world.model.creature import Creature, Lasting

Ability: TypeAlias = Literal["opens", "swims", "digs"]

_FIGHTING: Final[frozenset[Behavior]] = frozenset(
    {"quaff", "flee", "arm", "mend", "shoot", "throw", "zap", "cast", "keep_distance"}
)
"""The tasks that a companion does besides following and hunting."""

SPEED_LEAST: Final = 50
"""The lowest speed, with all effects."""

SPEED_MOST: Final = 10_000
"""The highest speed, with all effects."""


def spell_effect_of(campaign: Campaign, state: Lasting) -> Effect:
    """Return the spell effect of a status effect."""
    return campaign.spells[state.spell].effects[state.effect]


def effects_on(campaign: Campaign, creature: Creature) -> Sequence[Effect]:
    """Return the lasting effects on a body: from its status effects, then from its ring."""
    ring = ring_spell(campaign, creature) if creature.ring else None
    worn = ring.effects if ring is not None else ()
    if not creature.lasting:
        return worn
    return [*[spell_effect_of(campaign, state) for state in creature.lasting], *worn]


def ring_spell(campaign: Campaign, creature: Creature) -> Spell | None:
    """Return the spell of the ring that a body has on, None without one."""
    number = creature.ring
    if number:
        # Several times in each turn of the body: a loop takes half the time of `next`.
        for item in creature.slots:
            if item is not None and item.number == number:
                return campaign.spells.get(campaign.items[item.kind].carries)  # some rings have powers alone
    return None


def stat_modifier(campaign: Campaign, creature: Creature, stat: Stat) -> int:
    """Return what a body's status effects add to one of its numbers; below 0 if they weaken it."""
    if not (creature.lasting or creature.ring):
        return 0
    ring = ring_spell(campaign, creature)
    added = 0 if ring is None else ring.strengthening[stat]
    for state in creature.lasting:
        effect = spell_effect_of(campaign, state)
        if effect.does == "strengthen":
            added += getattr(effect, stat)
    return added


def has_status(campaign: Campaign, creature: Creature, does: EffectKind) -> bool:
    """Return whether a body has a lasting effect of a kind."""
    if not (creature.lasting or creature.ring):
        return False
    ring = ring_spell(campaign, creature)
    if ring is not None and does in ring.kinds:
        return True
    return bool(creature.lasting) and any(
        spell_effect_of(campaign, state).does == does for state in creature.lasting
    )


def is_afraid(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a body flees and cannot fight."""
    return has_status(campaign, creature, "fear")


def is_silenced(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a body cannot cast spells."""
    return has_status(campaign, creature, "silence")


def has_sight_effect(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a status effect or the ring of a body changes what it sees."""
    if not (creature.lasting or creature.ring):
        return False
    ring = ring_spell(campaign, creature)
    if ring is not None and ring.changes_sight:
        return True
    return bool(creature.lasting) and any(
        spell_effect_of(campaign, state).changes_sight for state in creature.lasting
    )


def sees_in_dark(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a body sees in the dark as far as in the light."""
    return has_status(campaign, creature, "dark_sight")


def is_light_footed(campaign: Campaign, creature: Creature) -> bool:
    """Return whether a body springs no traps and does not wake sleepers sooner."""
    return has_status(campaign, creature, "light_feet")


def detects(campaign: Campaign, viewer: Creature, away: int) -> bool:
    """Return whether a body knows of the creatures at a distance without seeing them."""
    return any(
        effect.does == "detect" and (not effect.amount or away <= effect.amount)
        for effect in effects_on(campaign, viewer)
    )


def sight_with_status(campaign: Campaign, creature: Creature) -> int:
    """Return a body's sight radius in cells, with its status effects."""
    if not (creature.lasting or creature.ring):
        return creature.sight
    return max(0, min(SIGHT_MAX, creature.sight + stat_modifier(campaign, creature, "sight")))


def speed_with_status(campaign: Campaign, creature: Creature) -> int:
    """Return a body's speed, with its status effects."""
    if not (creature.lasting or creature.ring):
        return creature.speed
    return max(SPEED_LEAST, min(SPEED_MOST, creature.speed + stat_modifier(campaign, creature, "speed")))


def learned_traits(campaign: Campaign, creature: Creature) -> tuple[Trait, ...]:
    """Return the traits that a creature has learned."""
    return tuple(campaign.traits[key] for key in creature.learned)


def is_able(campaign: Campaign, creature: Creature, ability: Ability) -> bool:
    """Return whether a creature's kind has an ability, or the creature has learned it."""
    if getattr(campaign.creatures[creature.kind], ability):
        return True
    return any(getattr(trait, ability) for trait in learned_traits(campaign, creature))


def tasks_of(campaign: Campaign, creature: Creature) -> tuple[Behavior, ...]:
    """Return the tasks of a creature as it tries them: its kind's tasks, and those it has learned."""
    own = campaign.creatures[creature.kind].tasks
    if movements := campaign.creatures[creature.kind].movements:
        own = movements[movement_of(movements, creature)].tasks
    if creature.bond is not UNSET:
        return () if creature.bond == "captive" else _as_companion(own, learned_traits(campaign, creature))
    return _with_traits(own, learned_traits(campaign, creature)) if creature.learned else in_order(own)


@lru_cache(maxsize=1_024)
def _as_companion(own: tuple[Behavior, ...], traits: tuple[Trait, ...]) -> tuple[Behavior, ...]:
    """Return the tasks of a companion: it stays with its owner, and does what it can in a fight."""
    return ("follow", *[task for task in _with_traits(own, traits) if task in _FIGHTING], "hunt")


def movement_of(movements: Sequence[Movement], creature: Creature) -> int:
    """Return the index of the movement that a creature's health is in, the first if it is in none (rule F125)."""
    health = creature.hp * 100
    fitting = [at for at, each in enumerate(movements) if health <= each.below_percent * creature.hp_max]
    return max(fitting, default=0)


@lru_cache(maxsize=1_024)
def _with_traits(own: tuple[Behavior, ...], traits: tuple[Trait, ...]) -> tuple[Behavior, ...]:
    added = [task for trait in traits for task in trait.adds if task not in own]
    dropped = {task for trait in traits for task in trait.never}
    return in_order(tuple(task for task in dict.fromkeys((*added, *in_order(own))) if task not in dropped))
