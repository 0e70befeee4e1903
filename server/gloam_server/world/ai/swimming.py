"""Water creatures: they never leave the water."""

from typing import Final

from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.ai.steering import step_towards, take_step
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain

WATER_CELLS: Final = 8
"""The distance that it goes over land for water."""


def stay_in_water(context: TurnContext, creature: Creature) -> bool:
    """Wait in the water for foes at the shore: approach through water, and attack when adjacent.

    On land it attacks an adjacent foe, or goes to water nearby; without any, the next task decides.
    """
    level = context.level
    prey = current_enemy(level, creature)
    if prey is not None and level.distance(creature, prey) == 1:
        return take_step(context, creature, prey.cell)
    if not _is_water(level, creature.cell):
        goal = _water_near(level, creature)
        return goal is not None and step_towards(context, creature, goal)
    if prey is None:
        return context.dice.chance("drift", creature.number, 50) or _drift(context, creature)
    nearer = [
        (level.grid.distance(cell, prey.cell), at, cell)
        for at, cell in enumerate(_water_around(level, creature))
        if level.grid.distance(cell, prey.cell) < level.distance(creature, prey)
    ]
    if nearer:
        take_step(context, creature, min(nearer)[2])
    return True


def _water_near(level: Level, creature: Creature) -> int | None:
    """Return the nearest empty cell of water, the first in row order among equals."""
    if Terrain.WATER not in level.terrain:
        return None
    around = level.grid.square(creature.cell, WATER_CELLS)
    water = [cell for cell in around if _is_water(level, cell) and level.at(cell) is None]
    return min(water, key=lambda cell: (level.grid.distance(creature.cell, cell), cell), default=None)


def _drift(context: TurnContext, creature: Creature) -> bool:
    cells = _water_around(context.level, creature)
    if cells:
        take_step(context, creature, context.dice.pick("drift", creature.number, cells))
    return True


def _water_around(level: Level, creature: Creature) -> list[int]:
    around = level.grid.neighbors(creature.cell, level.campaign.directions)
    return [cell for cell in around if _is_water(level, cell) and level.at(cell) is None]


def _is_water(level: Level, cell: int) -> bool:
    return level.terrain[cell] == Terrain.WATER
