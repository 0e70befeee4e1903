"""Where a mind's feet go: towards a cell, or away from it. By the command of everyone."""

from typing import Final

from gloam_server.rules.search import first_step
from gloam_server.world import actions
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.geometry import Direction
from gloam_shared.protocol.commands import Dig, Move

PATH_CELLS: Final = 300
"""The most cells that a search for a way expands (rule TG.12)."""


def step_towards(stage: TurnContext, creature: Creature, goal: int) -> bool:
    """Go one step on a shortest way to a cell, or attack it if it is adjacent; return whether there is a way."""
    level = stage.level
    way = first_step(
        lambda cell: cell == goal or level.is_passable(creature, cell),
        creature.cell,
        goal,
        level.grid,
        level.campaign.directions,
        limit=PATH_CELLS,
    )
    if way is None:
        return False
    take_step(stage, creature, way)
    return True


def step_away(stage: TurnContext, creature: Creature, danger: int) -> bool:
    """Go one step to where a cell is further away than now; return whether there is such a step."""
    level = stage.level
    away = level.grid.distance(creature.cell, danger)
    further = [
        (-level.grid.distance(cell, danger), -level.grid.squared_distance(cell, danger), at, cell)
        for at, cell in enumerate(_around(level, creature))
        if level.can_hold(creature, cell)
        and level.at(cell) is None
        and level.grid.distance(cell, danger) > away
    ]
    return bool(further) and take_step(stage, creature, min(further)[3])


def take_step(stage: TurnContext, creature: Creature, cell: int) -> bool:
    """Move to an adjacent cell, with the usual results (attack, door); return whether it had a result."""
    return actions.try_execute(stage, creature, Move(*_offset(stage, creature, cell))) is None


def dig_towards(stage: TurnContext, creature: Creature, cell: int) -> bool:
    """Dig the rock of an adjacent cell; return whether there was any."""
    return actions.try_execute(stage, creature, Dig(*_offset(stage, creature, cell))) is None


def _offset(stage: TurnContext, creature: Creature, cell: int) -> Direction:
    grid = stage.level.grid
    (x, y), (at_x, at_y) = grid.point(cell), grid.point(creature.cell)
    return x - at_x, y - at_y


def _around(level: Level, creature: Creature) -> list[int]:
    return level.grid.neighbors(creature.cell, level.campaign.directions)
