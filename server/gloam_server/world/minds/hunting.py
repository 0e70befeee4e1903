"""Hunting: towards a foe in sight, and at it."""

from typing import Final

from gloam_server.rules.paths import first_step
from gloam_server.world import actions
from gloam_server.world.creature import Creature
from gloam_server.world.hostility import hostile
from gloam_server.world.level import Level
from gloam_server.world.stage import Stage
from gloam_shared.commands import Move
from gloam_shared.geometry import chebyshev

_PATH_CELLS: Final = 300


def hunt(stage: Stage, creature: Creature) -> bool:
    """Strike a foe beside it, else go one step towards the nearest in sight (rule JG.11)."""
    level = stage.level
    prey = nearest_foe(level, creature)
    if prey is None:
        return False
    way = first_step(
        lambda cell: cell == prey.cell or level.passes(creature, cell),
        creature.cell,
        prey.cell,
        level.width,
        level.height,
        level.campaign.directions,
        _PATH_CELLS,
    )
    if way is None:
        return False
    y, x = divmod(way, level.width)
    at_y, at_x = divmod(creature.cell, level.width)
    actions.attempt(stage, creature, Move(x - at_x, y - at_y))
    return True


def nearest_foe(level: Level, creature: Creature) -> Creature | None:
    """Return the nearest creature in sight that it is hostile to; among equals whom it fought last, then by number."""
    seen = level.sight(creature)
    foes = [
        (
            chebyshev(creature.cell, other.cell, level.width),
            -creature.contacts.get(other.number, -1),
            other.number,
        )
        for other in level.creatures.values()
        if seen[other.cell] and hostile(level, creature, other)
    ]
    return level.creatures[min(foes)[2]] if foes else None
