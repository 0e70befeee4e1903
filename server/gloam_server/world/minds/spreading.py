"""Spreading: what multiplies."""

from gloam_server.world.creature import Creature, born
from gloam_server.world.credit import descend
from gloam_server.world.stage import Stage
from gloam_shared.geometry import DIRECTIONS, step


def spread(stage: Stage, creature: Creature) -> bool:
    """Once in a while put a child on a random cell beside it (rules J7.17, JG.7)."""
    level = stage.level
    kind = level.campaign.creatures[creature.kind]
    if not creature.children or len(level.creatures) >= level.rules.creatures_max:
        return False
    if not stage.dice.chance("spread", creature.number, kind.spread_percent):
        return False
    dx, dy = stage.dice.pick("offset", creature.number, DIRECTIONS)
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None or not level.bare(cell):
        return False
    child = born(kind, level.mint())
    descend(child, creature)
    creature.children -= 1
    level.add(child, cell, stage.dice)
    stage.tell("spreads", creature)
    return True
