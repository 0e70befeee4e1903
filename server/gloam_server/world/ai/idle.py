"""Idle tasks: wandering, guarding a place or a door, following a friend."""

from typing import Final

from gloam_server.world import actions
from gloam_server.world.actions.stairs import is_away
from gloam_server.world.ai.perception import cell_here, current_enemy
from gloam_server.world.ai.plates import plate_to_hold
from gloam_server.world.ai.steering import PATH_CELLS, step_towards
from gloam_server.world.combat.hostility import make_enemy
from gloam_server.world.items.equipment import total_attack
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Move

DOOR_CELLS: Final = 12
"""The distance at which a creature takes a door to hold."""

DOOR_PATIENCE: Final = 30
"""The number of actions after which a creature that holds a door against a foe in sight leaves it and hunts."""

_DOORS: Final = frozenset({Terrain.DOOR_OPEN, Terrain.DOOR_CLOSED})

FOLLOW_CELLS: Final = 2
"""The distance within which a follower stays."""


def wander(context: TurnContext, creature: Creature) -> bool:
    """Go one step in a random direction; attack a foe in the way, else let the action pass."""
    dx, dy = context.dice.pick("wander", creature.number, context.level.campaign.directions)
    outcome = actions.plan(context.level, creature, Move(dx, dy))
    if isinstance(outcome, Impossible):
        return False
    actions.execute(context, creature, outcome)
    return True


def move_erratically(context: TurnContext, creature: Creature) -> bool:
    """Go one step in a random direction or stay; attack a creature in the way, but none of its own kind (rule TG.9).

    The attacked creature is its foe from then on, monsters too: so they fight each other, and gain experience (T14.5).
    """
    level = context.level
    dx, dy = context.dice.pick("flutter", creature.number, ((0, 0), *level.campaign.directions))
    cell = level.grid.step(creature.cell, dx, dy)
    if cell is None or cell == creature.cell:
        return True
    other = level.at(cell)
    if other is not None:
        if other.kind == creature.kind or other.number == creature.owner or not total_attack(level, creature):
            return True
        make_enemy(creature, other)
    if other is not None or level.is_walkable(cell):
        actions.try_execute(context, creature, Move(dx, dy))
    return True


def stand_still(context: TurnContext, creature: Creature) -> bool:
    """Let the action pass, with a chance (rule TG.10)."""
    percent = context.level.campaign.creatures[creature.kind].idle_percent
    return context.dice.chance("idle", creature.number, percent)


def guard(context: TurnContext, creature: Creature) -> bool:
    """Stay near its starting place: it ignores targets further away, and goes back (rule F32)."""
    level = context.level
    within = level.campaign.creatures[creature.kind].guards_within
    home = cell_here(level, creature.ai.home)
    if home is None:
        if is_away(level, creature):
            return False
        creature.ai.home = LevelCell(level.partition, creature.cell)
        return False
    prey = current_enemy(level, creature)
    if prey is not None and (
        level.grid.distance(prey.cell, home) <= within or level.distance(creature, prey) <= 1
    ):
        return False
    if level.grid.distance(creature.cell, home) >= max(1, within):
        return step_towards(context, creature, home) or prey is not None
    return prey is not None


def hold_door(context: TurnContext, creature: Creature) -> bool:
    """Stand in the nearest door, and let foes approach: it strikes when one is beside it, and hunts after a while."""
    level = context.level
    prey = current_enemy(level, creature)
    if prey is None:
        creature.ai.waited = 0
        goal = _door_near(level, creature)
        return goal is not None and (goal == creature.cell or step_towards(context, creature, goal))
    if level.terrain[creature.cell] not in _DOORS or creature.ai.waited >= DOOR_PATIENCE:
        return False
    creature.ai.waited += 1
    return level.distance(creature, prey) > 1 and creature.hp == creature.hp_max


def _door_near(level: Level, creature: Creature) -> int | None:
    """Return the nearest door that it can stand in, its own before all others, the first in row order among equals."""
    doors = [
        cell
        for cell in level.grid.square(creature.cell, DOOR_CELLS)
        if level.terrain[cell] in _DOORS and (cell == creature.cell or level.is_passable(creature, cell))
    ]
    return min(doors, key=lambda cell: (level.grid.distance(creature.cell, cell), cell), default=None)


def follow(context: TurnContext, creature: Creature) -> bool:
    """Stay near its owner, a companion on a plate there; the next task handles a foe in sight (rules F115, F179)."""
    level = context.level
    owner = level.creatures.get(creature.owner)
    if owner is None or current_enemy(level, creature) is not None:
        return False
    if level.state.devices and creature.bond == "companion":
        plate = plate_to_hold(level, level.state.devices, creature, owner)
        if plate is not None:
            return plate == creature.cell or step_towards(context, creature, plate)
    if level.distance(creature, owner) <= FOLLOW_CELLS:
        return False
    # A companion finds its owner from anywhere on the level: with a shorter search it would stay where it was left.
    limit = len(level.terrain) if creature.bond == "companion" else PATH_CELLS
    return step_towards(context, creature, owner.cell, limit)
