"""Cautious behaviors: fleeing when hurt, waiting for others, keeping a distance."""

from typing import Final

from gloam_server.world.ai.perception import current_enemy, nearest_enemy, same_kind_nearby
from gloam_server.world.ai.steering import step_away, step_towards
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import tasks_of

PACK_CELLS: Final = 6
"""The distance within which a pack counts its members."""

PACK_HOLD_CELLS: Final = 5
"""The distance that the members of a waiting pack keep from foes."""

PACK_PATIENCE: Final = 10
"""The number of actions after which a waiting member hunts alone: the others are dead, or far away.

The wait is bounded for the same reason as `STALK_PATIENCE`.
"""

WITHDRAW_CELLS: Final = 4
"""The distance to its owner from which a companion breaks off a fight and follows."""


def flee_when_hurt(context: TurnContext, creature: Creature) -> bool:
    """Run from the foe in sight while badly hurt; cornered, it fights on."""
    if not _is_badly_hurt(context.level, creature):
        return False
    danger = current_enemy(context.level, creature)
    return danger is not None and step_away(context, creature, danger.cell)


def rest_when_hurt(context: TurnContext, creature: Creature) -> bool:
    """Stay and regenerate while badly hurt, as long as no foe is in sight."""
    return _is_badly_hurt(context.level, creature) and current_enemy(context.level, creature) is None


def _is_badly_hurt(level: Level, creature: Creature) -> bool:
    return creature.hp * 100 <= creature.hp_max * level.campaign.creatures[creature.kind].flees_percent


def withdraw(context: TurnContext, companion: Creature) -> bool:
    """Let a companion flee from the foe in sight at a third of its health, and leave a fight that its owner leaves.

    Cornered, it fights on.
    """
    level = context.level
    danger = current_enemy(level, companion)
    if danger is None:
        return False
    if companion.hp * 3 <= companion.hp_max and step_away(context, companion, danger.cell):
        return True
    owner = level.creatures.get(companion.owner)
    if owner is None or level.distance(companion, owner) <= WITHDRAW_CELLS:
        return False
    return step_towards(context, companion, owner.cell)


def flee_in_fear(context: TurnContext, creature: Creature) -> bool:
    """Flee from the nearest foe in sight because of fear; cornered, or without a foe in sight, it stays."""
    danger = nearest_enemy(context.level, creature)
    return danger is not None and step_away(context, creature, danger.cell)


def wait_for_pack(context: TurnContext, creature: Creature) -> bool:
    """Hold back until its fellows are near, or it is hurt, cornered or tired of waiting; then all of them hunt."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is None:
        creature.ai.pack_ready, creature.ai.waited = False, 0
        return False
    near = same_kind_nearby(level, creature, PACK_CELLS)
    if _pack_is_ready(level, creature, near):
        for member in (creature, *near):
            member.ai.pack_ready = True
    if creature.ai.pack_ready or level.distance(creature, prey) <= 1:
        return False
    creature.ai.waited += 1
    if level.distance(creature, prey) < PACK_HOLD_CELLS:
        step_away(context, creature, prey.cell)
    return True


def _pack_is_ready(level: Level, creature: Creature, near: list[Creature]) -> bool:
    fellows = max(1, level.campaign.creatures[creature.kind].group[0] - 1)
    return len(near) >= fellows or creature.hp < creature.hp_max or creature.ai.waited >= PACK_PATIENCE


def keep_distance(context: TurnContext, creature: Creature) -> bool:
    """Step back from a foe that is too near, but never twice in a row, so that a follower can reach it.

    A hunter steps back again only after an attack of its own, or it would never strike a foe that waits.
    """
    level = context.level
    if creature.ai.stepped_back:
        creature.ai.stepped_back = False
        return False
    danger = current_enemy(level, creature)
    if danger is None or (creature.ai.owes_blow and "hunt" in tasks_of(level.campaign, creature)):
        return False
    if level.distance(creature, danger) >= level.campaign.creatures[creature.kind].keeps_off:
        return False
    if not step_away(context, creature, danger.cell):
        return False
    creature.ai.stepped_back = creature.ai.owes_blow = True
    return True
