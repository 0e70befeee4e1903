"""Ambushes: waiting hidden in one place, or in the dark."""

from typing import Final

from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.ai.steering import step_towards
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.population.starting_gear import disguise_as_item, reveal_creature

AMBUSH_CELLS: Final = 2
"""The distance at which it attacks."""

LURK_CELLS: Final = 8
"""The distance that a creature goes to a dark place."""

LURK_STRIKES: Final = 3
"""The distance at which it attacks out of the dark."""


def wait_in_ambush(context: TurnContext, creature: Creature) -> bool:
    """Stay hidden until a foe is close or strikes it, then appear and act first.

    With none in sight it hides again.
    """
    level = context.level
    prey = current_enemy(level, creature)
    if creature.hidden:
        near = prey is not None and level.distance(creature, prey) <= AMBUSH_CELLS
        if not near and creature.hp == creature.hp_max:
            return True
        reveal_creature(creature)
        context.emit("emerges", creature)
        return False
    if prey is None:
        disguise_as_item(creature)
        return True
    return False


def wait_in_dark(context: TurnContext, creature: Creature) -> bool:
    """Stay on unlit cells: go to the nearest, and wait there until a foe is close."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is not None and (level.distance(creature, prey) <= LURK_STRIKES or not level.dark[creature.cell]):
        return False
    if level.dark[creature.cell]:
        return True
    goal = _dark_near(level, creature)
    return goal is not None and step_towards(context, creature, goal)


def _dark_near(level: Level, creature: Creature) -> int | None:
    """Return the nearest free unlit cell, the first in row order among equals."""
    if 1 not in level.dark:
        return None
    around = level.grid.square(creature.cell, LURK_CELLS)
    dark = [cell for cell in around if level.dark[cell] and level.is_free(cell)]
    return min(dark, key=lambda cell: (level.grid.distance(creature.cell, cell), cell), default=None)
