"""Hunting: towards a foe in sight, where it was last seen, behind it, or through the rock to it."""

from typing import Final

from gloam_server.world.ai.perception import current_enemy, enemies_in_sight, last_seen_cell
from gloam_server.world.ai.steering import dig_towards, step_away, step_towards, take_step
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature

TRAIL_STEPS: Final = 20
"""The most steps that a creature follows an unseen target, so that no player is hunted through a whole level."""

STALK_NEAR: Final = 4
STALK_FAR: Final = 6
"""The distances that a stalker keeps from its target until the target is weak."""

STALK_PATIENCE: Final = 30
"""The number of actions after which a waiting stalker hunts, so that a player can rest in the end."""


def chase(stage: TurnContext, creature: Creature) -> bool:
    """Attack an adjacent foe, else go one step towards its chosen target in sight (rules JG.11, TG.10, F30).

    If no way leads there, it turns to the nearest other.
    """
    prey = current_enemy(stage.level, creature)
    if prey is None:
        return False
    if step_towards(stage, creature, prey.cell):
        return True
    others = [foe for foe in enemies_in_sight(stage.level, creature) if foe is not prey]
    return bool(others) and step_towards(stage, creature, others[0].cell)


def search_last_seen(stage: TurnContext, creature: Creature) -> bool:
    """Go one step to where it last saw its prey; there, or after a while, it gives up (rule F30)."""
    level = stage.level
    if current_enemy(level, creature) is not None:
        return False
    goal = last_seen_cell(level, creature)
    if (
        goal is None
        or goal == creature.cell
        or creature.ai.trail_steps >= TRAIL_STEPS
        or not step_towards(stage, creature, goal)
    ):
        creature.ai.last_seen, creature.ai.trail_steps, creature.ai.prey = None, 0, 0
        return False
    creature.ai.trail_steps += 1
    return True


def keep_behind(stage: TurnContext, creature: Creature) -> bool:
    """Follow its target out of reach, until the target is badly hurt, asleep or adjacent: then the next task hunts."""
    level = stage.level
    prey = current_enemy(level, creature)
    if prey is None:
        creature.ai.waited = 0
        return search_last_seen(stage, creature)
    away = level.distance(creature, prey)
    if prey.asleep or prey.hp * 2 <= prey.hp_max or away <= 1 or creature.ai.waited >= STALK_PATIENCE:
        return False
    creature.ai.waited += 1
    if away > STALK_FAR:
        return step_towards(stage, creature, prey.cell)
    if away < STALK_NEAR:
        step_away(stage, creature, prey.cell)
    return True


def dig_to_enemy(stage: TurnContext, creature: Creature) -> bool:
    """Go straight through the rock at the nearest foe that it feels within its sight's reach but does not see."""
    level = stage.level
    if not level.campaign.creatures[creature.kind].digs or current_enemy(level, creature) is not None:
        return False
    felt = [
        (level.distance(creature, other), other.number)
        for other in level.creatures.values()
        if is_hostile(level, creature, other) and level.distance(creature, other) <= creature.sight
    ]
    if not felt:
        return False
    prey = level.creatures[min(felt)[1]]
    dx, dy = level.grid.towards(creature.cell, prey.cell)
    cell = level.grid.step(creature.cell, dx, dy)
    return cell is not None and (take_step(stage, creature, cell) or dig_towards(stage, creature, cell))
