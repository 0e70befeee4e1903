"""Thieves: they take a thing from whom they hit, and run. Who kills one finds it again."""

from gloam_server.world.ai.perception import chosen_foe
from gloam_server.world.ai.steering import approach, retreat
from gloam_server.world.items.equipment import free_slot, take_out
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.item_names import words


def steal(stage: Stage, creature: Creature) -> bool:
    """Hit a foe beside it and take something that he carries; with the loot it flees from every foe in sight."""
    level = stage.level
    prey = chosen_foe(level, creature)
    if prey is None:
        return False
    if _carries_loot(creature):
        return retreat(stage, creature, prey.cell)
    if level.distance(creature, prey) > 1:
        return False
    health = prey.hp
    approach(stage, creature, prey.cell)
    if prey.number in level.creatures and creature.number in level.creatures and prey.hp < health:
        _rob(stage, creature, prey)
    return True


def _carries_loot(creature: Creature) -> bool:
    loot = creature.traits.get("loot")
    return loot is not None and any(item.number == loot for item in creature.carried)


def _rob(stage: Stage, thief: Creature, victim: Creature) -> None:
    """Take one of the things that a victim neither wields nor wears and that was not given to him for life."""
    slot = free_slot(thief)
    loose = [at for at, item in enumerate(victim.slots) if item is not None and _can_go(victim, item)]
    if slot is None or not loose:
        return
    item = take_out(victim, stage.dice.pick("loot", thief.number, loose))
    thief.slots[slot] = item
    thief.traits["loot"] = item.number
    stage.tell("steals", thief, victim, source=words(stage.level, item, None), cell=victim.cell)


def _can_go(victim: Creature, item: Item) -> bool:
    return not item.bound and item.number not in (victim.wielded, victim.worn)
