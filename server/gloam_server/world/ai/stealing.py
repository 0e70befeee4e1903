"""Thieves: they take an item from the creature that they hit, and flee. A dead thief drops it."""

from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.ai.steering import step_away, step_towards
from gloam_server.world.items.equipment import free_slot, gain_item, is_in_use, items_in_slot, take_from_slot
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.powers import has_power


def steal_and_run(context: TurnContext, creature: Creature) -> bool:
    """Hit an adjacent foe and take an item; with the loot it flees from every foe in sight."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is None:
        return False
    if _carries_loot(creature):
        return step_away(context, creature, prey.cell)
    if level.distance(creature, prey) > 1:
        return False
    health = prey.hp
    step_towards(context, creature, prey.cell)
    if prey.number in level.creatures and creature.number in level.creatures and prey.hp < health:
        steal_item(context, creature, prey)
    return True


def _carries_loot(creature: Creature) -> bool:
    loot = creature.ai.loot
    return bool(loot) and any(item.number == loot for item in creature.carried)


def steal_item(context: TurnContext, thief: Creature, victim: Creature) -> None:
    """Take one of the items that a victim neither wields nor wears and that is not bound."""
    slot = free_slot(thief)
    loose = [at for at in range(len(victim.slots)) if _can_leave(victim, at)]
    if slot is None or not loose or has_power(context.level.campaign, victim, "holds"):
        return
    item = take_from_slot(context.level, victim, context.dice.pick("loot", thief.number, loose), bound=False)
    gain_item(context.level, thief, slot, item)
    thief.ai.loot = item.number
    context.emit("steals", thief, victim, source=item_name(context.level, item, None), cell=victim.cell)


def _can_leave(victim: Creature, slot: int) -> bool:
    """Return whether an item in a slot is neither bound nor in use."""
    return any(not (item.bound or is_in_use(victim, item)) for item in items_in_slot(victim, slot))
