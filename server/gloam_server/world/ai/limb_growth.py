"""A boss's fight: its movements, the limb that it grows, and the hall that it splits (rules JG.10, F125)."""

from typing import Final

from gloam_server.world.ai.perception import current_enemy
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import PLAIN_FLOOR, Level
from gloam_server.world.model.modifiers import movement_of
from gloam_shared.appearance import Terrain

SPLIT_DISTANCE: Final = 3
"""The least distance of a foe that a boss splits the hall from."""

GAP_EVERY: Final = 6
"""One cell in this number stays open where the hall splits."""


def begin_movement(context: TurnContext, creature: Creature) -> None:
    """Let players who see a creature with movements read which one its fight is in, when that changes."""
    movements = context.level.campaign.creatures[creature.kind].movements
    if not context.level.witnesses(creature.cell):
        return
    now = movement_of(movements, creature)
    if now != creature.ai.movement:
        creature.ai.movement = now
        context.emit("begins_movement", creature, source=movements[now].told)


def grow_limb(context: TurnContext, creature: Creature) -> bool:
    """Once, when badly hurt, grow a limb that adds to its attack; this takes the action."""
    kind = context.level.campaign.creatures[creature.kind]
    if creature.ai.limb_grown or creature.hp > kind.limb_hp:
        return False
    creature.ai.limb_grown = True
    creature.attack += kind.limb_attack
    context.emit("grows_limb", creature, source=kind.limb)
    return True


def split_hall(context: TurnContext, creature: Creature) -> bool:
    """Once, raise rock across the hall between itself and a foe; gaps stay, and no part of the level is cut off."""
    level = context.level
    prey = current_enemy(level, creature)
    if creature.ai.split or prey is None or level.distance(creature, prey) < SPLIT_DISTANCE:
        return False
    cells = _line_between(level, creature.cell, prey.cell)
    raised = bytearray(level.terrain)
    for cell in cells:
        raised[cell] = Terrain.WALL
    directions = level.campaign.directions
    regions = [
        len(find_regions(terrain, level.grid, directions).cells) for terrain in (level.terrain, raised)
    ]
    if not cells or regions[1] > regions[0]:
        return False
    creature.ai.split = True
    context.emit("splits_hall", creature)  # before the rock hides it
    for cell in cells:
        level.dig(cell, Terrain.WALL)
    return True


def _line_between(level: Level, one: int, other: int) -> list[int]:
    """Return the empty floor cells of the row or column midway between two cells, without its gaps."""
    grid = level.grid
    (x, y), (to_x, to_y) = grid.point(one), grid.point(other)
    if abs(to_x - x) >= abs(to_y - y):
        line = [row * grid.width + (x + to_x) // 2 for row in range(grid.height)]
    else:
        line = [(y + to_y) // 2 * grid.width + column for column in range(grid.width)]
    free = [
        cell
        for cell in line
        if level.terrain[cell] in PLAIN_FLOOR
        and cell not in level.occupied
        and cell not in level.piles
        and cell not in level.traps
    ]
    return [cell for at, cell in enumerate(free) if at % GAP_EVERY != GAP_EVERY // 2]
