"""Hunting: towards a foe in sight, where it was last seen, behind it, by its scent, with kin, or through the rock to it."""

from typing import Final

from gloam_server.world import actions
from gloam_server.world.ai.perception import current_enemy, enemies_in_sight, last_seen_cell
from gloam_server.world.ai.steering import dig_towards, push_towards, step_away, step_towards, take_step
from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.growth.sounds import resound
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_able
from gloam_server.world.model.powers import power_amount
from gloam_shared.protocol.commands import Fire

TRAIL_STEPS: Final = 20
"""The most steps that a creature follows an unseen target, so that no player is hunted through a whole level."""

STALK_NEAR: Final = 4
STALK_FAR: Final = 6
"""The distances that a stalker keeps from its target until the target is weak."""

STALK_PATIENCE: Final = 30
"""The number of actions after which a waiting stalker hunts.

An enemy in sight holds a player, who can then neither rest nor explore, so no enemy may wait without a bound.
"""

SCENT_STEPS: Final = 60
"""The most steps that a creature follows a scent without a sight of its prey."""

RALLY_CELLS: Final = 12
"""The distance at which kin hear a cry."""


def chase(context: TurnContext, creature: Creature) -> bool:
    """Attack an adjacent foe, else go one step towards its chosen target in sight (rules JG.11, TG.10, F30).

    If no way leads there, it turns to the nearest other, or to what bars the way.
    """
    prey = current_enemy(context.level, creature)
    if prey is None:
        return False
    if creature.wielded and _strikes_from_afar(context, creature, prey):
        return True
    if step_towards(context, creature, prey.cell):
        creature.ai.blocked = 0
        return True
    others = [foe for foe in enemies_in_sight(context.level, creature) if foe is not prey]
    if others and step_towards(context, creature, others[0].cell):
        return True
    return push_towards(context, creature, prey.cell, prey.number)


def _strikes_from_afar(context: TurnContext, creature: Creature, prey: Creature) -> bool:
    """Strike a foe that a weapon reaches from where the creature stands, and whose own blows do not (rule F113)."""
    level = context.level
    away = level.distance(creature, prey)
    if not 1 < away <= power_amount(level.campaign, creature, "reach"):
        return False
    return actions.try_execute(context, creature, Fire(prey.cell)) is None


def search_last_seen(context: TurnContext, creature: Creature) -> bool:
    """Go one step to where it last saw its prey; there, or after a while, it gives up (rule F30)."""
    level = context.level
    if current_enemy(level, creature) is not None:
        return False
    goal = last_seen_cell(level, creature)
    if (
        goal is None
        or goal == creature.cell
        or creature.ai.trail_steps >= TRAIL_STEPS
        or not step_towards(context, creature, goal)
    ):
        creature.ai.last_seen, creature.ai.trail_steps, creature.ai.prey = None, 0, 0
        return False
    creature.ai.trail_steps += 1
    return True


def keep_behind(context: TurnContext, creature: Creature) -> bool:
    """Follow its target at a distance until that is badly hurt, asleep or adjacent: then the next task hunts."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is None:
        creature.ai.waited = 0
        return search_last_seen(context, creature)
    away = level.distance(creature, prey)
    if prey.asleep or prey.hp * 2 <= prey.hp_max or away <= 1 or creature.ai.waited >= STALK_PATIENCE:
        return False
    creature.ai.waited += 1
    if away > STALK_FAR:
        return step_towards(context, creature, prey.cell)
    if away < STALK_NEAR:
        step_away(context, creature, prey.cell)
    return True


def dig_to_enemy(context: TurnContext, creature: Creature) -> bool:
    """Dig straight towards the nearest unseen foe within its sight radius."""
    level = context.level
    if not is_able(level.campaign, creature, "digs") or current_enemy(level, creature) is not None:
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
    return cell is not None and (take_step(context, creature, cell) or dig_towards(context, creature, cell))


def hunt_by_scent(context: TurnContext, creature: Creature) -> bool:
    """Go one step towards the prey that it saw last, wherever on the level that is now."""
    level = context.level
    prey = level.creatures.get(creature.ai.prey)
    if prey is None or current_enemy(level, creature) is not None:
        creature.ai.scent_steps = 0
        return False
    if creature.ai.scent_steps >= SCENT_STEPS or not step_towards(context, creature, prey.cell):
        creature.ai.prey = creature.ai.scent_steps = 0
        return False
    creature.ai.scent_steps += 1
    return True


def call_kin(context: TurnContext, creature: Creature) -> bool:
    """With a foe in sight, call the kin that see none to the foe's cell. It calls once for each foe."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is None or creature.ai.rallied == prey.number:
        return False
    kin = [other for other in _kin_within(level, creature) if current_enemy(level, other) is None]
    if not kin:
        return False
    creature.ai.rallied = prey.number
    for other in kin:
        other.ai.last_seen, other.ai.trail_steps = LevelCell(level.partition, prey.cell), 0
    context.emit("rallies", creature)
    resound(context, "call", creature)
    return True


def _kin_within(level: Level, creature: Creature) -> list[Creature]:
    """Return the awake others of its people, or of its kind where it has none, within earshot, by number."""
    kinds = level.campaign.creatures
    people = kinds[creature.kind].people
    found = [
        other
        for other in level.creatures.values()
        if other.number != creature.number
        and not other.account
        and not other.asleep
        and (kinds[other.kind].people == people if people else other.kind == creature.kind)
        and level.distance(creature, other) <= RALLY_CELLS
    ]
    return sorted(found, key=lambda other: other.number)
