"""Movement of monsters: towards a cell, past obstacles, or away from it. By the same commands as players'."""

from typing import Final

from gloam_server.content.creatures import Behavior
from gloam_server.rules.search import first_step
from gloam_server.world import actions
from gloam_server.world.actions.walking import Shove
from gloam_server.world.ai.perception import nearest_enemy
from gloam_server.world.combat.hostility import is_hostile, is_kin, make_enemy
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import tasks_of
from gloam_server.world.model.surfaces.surface_state import avoids
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction
from gloam_shared.protocol.commands import Dig, Move
from gloam_shared.search import reachable

_ROOTED: Final[frozenset[Behavior]] = frozenset({"spread", "idle"})
"""The tasks of a creature that stays in place: it has no others."""

PATH_CELLS: Final = 300
"""The most cells that a search for a way expands (rule TG.12)."""


def step_towards(context: TurnContext, creature: Creature, goal: int, limit: int = PATH_CELLS) -> bool:
    """Go one step on a shortest way to a cell, or attack it if it is adjacent; return whether there is a way.

    `limit` is the most cells that the search expands.
    """
    level = context.level
    way = first_step(
        lambda cell: cell == goal or level.is_passable(creature, cell),
        creature.cell,
        goal,
        level.grid,
        level.campaign.directions,
        limit=limit,
    )
    if way is None:
        return False
    take_step(context, creature, way)
    return True


def push_towards(context: TurnContext, creature: Creature, goal: int, prey: int = 0) -> bool:
    """Handle the creature that blocks the only way to a cell (rule F68); return whether it acted.

    A creature changes places with its own people, and with a creature of less than half its health. It
    strikes any other that blocks it for a while. It disturbs none that fights, and none with the same `prey`,
    so that no two swap for ever.
    """
    level = context.level
    patience = level.campaign.learning.pushes_after
    way = _way_through_bodies(level, creature, goal) if patience else None
    if way is None:
        return False
    other = level.at(way)
    if other is None or is_hostile(level, creature, other):
        take_step(context, creature, way)
        return True
    kin = is_kin(level.campaign, creature, other)
    if (kin or other.hp_max * 2 < creature.hp_max) and _gives_way(level, creature, other, prey):
        creature.ai.blocked = 0
        actions.execute(context, creature, Shove(other.number))
        return True
    if kin or not total_attack(level, creature):
        return False
    creature.ai.blocked += 1
    if creature.ai.blocked >= patience:
        creature.ai.blocked = 0
        make_enemy(creature, other)
        take_step(context, creature, way)
    return True


def _way_through_bodies(level: Level, creature: Creature, goal: int) -> int | None:
    """Return the first step of a shortest way to a cell as if no creature stood on it."""

    def is_open(cell: int) -> bool:
        return (
            cell == goal
            or level.can_hold(creature, cell)
            or (level.terrain[cell] == Terrain.DOOR_CLOSED and level.can_open(creature))
        )

    return first_step(is_open, creature.cell, goal, level.grid, level.campaign.directions, limit=PATH_CELLS)


def _gives_way(level: Level, creature: Creature, other: Creature, prey: int) -> bool:
    """Return whether a creature can change places with another that is idle there."""
    if other.account or _ROOTED.issuperset(tasks_of(level.campaign, other)):
        return False
    foe = None if other.asleep else nearest_enemy(level, other)
    busy = foe is not None and (level.distance(other, foe) <= 1 or foe.number == prey)
    return not busy and level.could_swap(creature, other)


def leave_surface(context: TurnContext, creature: Creature) -> bool:
    """Let a creature that stands on a surface that it avoids go to the nearest cell without; return whether there is a way."""
    level, surfaces = context.level, context.level.state.surfaces
    if not surfaces or not avoids(level.campaign, surfaces, creature, creature.cell):
        return False

    def is_open(cell: int) -> bool:
        return level.at(cell) is None and level.can_hold(creature, cell)

    found = reachable(creature.cell, is_open, level.grid, level.campaign.directions, limit=PATH_CELLS)
    goal = next((cell for cell, _ in found if not avoids(level.campaign, surfaces, creature, cell)), None)
    way = None
    if goal is not None:
        way = first_step(
            is_open, creature.cell, goal, level.grid, level.campaign.directions, limit=PATH_CELLS
        )
    if way is None:
        return False
    return actions.try_execute(context, creature, Move(*_offset(context, creature, way))) is None


def step_away(context: TurnContext, creature: Creature, danger: int) -> bool:
    """Go one step to where a cell is further away than now; return whether it exists."""
    level = context.level
    away = level.grid.distance(creature.cell, danger)
    further = [
        (-level.grid.distance(cell, danger), -level.grid.squared_distance(cell, danger), at, cell)
        for at, cell in enumerate(_around(level, creature))
        if level.can_hold(creature, cell)
        and level.at(cell) is None
        and level.grid.distance(cell, danger) > away
    ]
    return bool(further) and take_step(context, creature, min(further)[3])


def take_step(context: TurnContext, creature: Creature, cell: int) -> bool:
    """Move to an adjacent cell, with the usual results (attack, door); return whether it had a result.

    No creature steps of its own accord onto a surface that it avoids.
    """
    level = context.level
    surfaces = level.state.surfaces
    if surfaces and level.at(cell) is None and avoids(level.campaign, surfaces, creature, cell):
        return False
    return actions.try_execute(context, creature, Move(*_offset(context, creature, cell))) is None


def dig_towards(context: TurnContext, creature: Creature, cell: int) -> bool:
    """Dig the rock of an adjacent cell; return whether there was any."""
    return actions.try_execute(context, creature, Dig(*_offset(context, creature, cell))) is None


def _offset(context: TurnContext, creature: Creature, cell: int) -> Direction:
    grid = context.level.grid
    (x, y), (at_x, at_y) = grid.point(cell), grid.point(creature.cell)
    return x - at_x, y - at_y


def _around(level: Level, creature: Creature) -> list[int]:
    return level.grid.neighbors(creature.cell, level.campaign.directions)
