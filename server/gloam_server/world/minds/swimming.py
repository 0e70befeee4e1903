"""Those that live in water: they leave it for nobody."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.minds.senses import chosen_foe
from gloam_server.world.minds.steps import go
from gloam_server.world.stage import Stage
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import chebyshev, neighbours


def swim(stage: Stage, creature: Creature) -> bool:
    """Wait in the water for who comes to the shore: nearer through water, and at him from beside."""
    level = stage.level
    if not _is_water(level, creature.cell):
        return False
    prey = chosen_foe(level, creature)
    if prey is None:
        return stage.dice.chance("drift", creature.number, 50) or _drift(stage, creature)
    if level.distance(creature, prey) == 1:
        return go(stage, creature, prey.cell)
    nearer = [
        (chebyshev(cell, prey.cell, level.width), at, cell)
        for at, cell in enumerate(_water_around(level, creature))
        if chebyshev(cell, prey.cell, level.width) < level.distance(creature, prey)
    ]
    if nearer:
        go(stage, creature, min(nearer)[2])
    return True


def _drift(stage: Stage, creature: Creature) -> bool:
    cells = _water_around(stage.level, creature)
    if cells:
        go(stage, creature, stage.dice.pick("drift", creature.number, cells))
    return True


def _water_around(level: Level, creature: Creature) -> list[int]:
    around = neighbours(creature.cell, level.width, level.height, level.campaign.directions)
    return [cell for cell in around if _is_water(level, cell) and level.at(cell) is None]


def _is_water(level: Level, cell: int) -> bool:
    return level.terrain[cell] == Terrain.WATER
