"""Fleeing: away from the nearest foe, for who is afraid."""

from gloam_server.world import actions
from gloam_server.world.creature import Creature
from gloam_server.world.minds.hunting import nearest_foe
from gloam_server.world.stage import Stage
from gloam_shared.commands import Move
from gloam_shared.geometry import chebyshev, step


def flee(stage: Stage, creature: Creature) -> bool:
    """Go the step that leads furthest from the nearest foe in sight; who is cornered or sees none stays."""
    level = stage.level
    foe = nearest_foe(level, creature)
    if foe is None:
        return False
    best, way = chebyshev(creature.cell, foe.cell, level.width), None
    for dx, dy in level.campaign.directions:
        cell = step(creature.cell, dx, dy, level.width, level.height)
        if cell is not None and level.free(cell) and chebyshev(cell, foe.cell, level.width) > best:
            best, way = chebyshev(cell, foe.cell, level.width), (dx, dy)
    if way is None:
        return False
    actions.attempt(stage, creature, Move(*way))
    return True
