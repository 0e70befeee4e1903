"""Spreading: creatures that multiply."""

from gloam_server.content.creatures import CreatureKind
from gloam_server.world.combat.experience_credit import inherit_generation
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_shared.geometry import DIRECTIONS, Direction


def multiply(context: TurnContext, creature: Creature) -> bool:
    """With a chance, or only while wounded, put a child on a random cell near it (rules J7.17, JG.7, TG.8).

    Players near the child read that a growth spreads; those near the parent that it spawns.
    """
    level = context.level
    kind = level.campaign.creatures[creature.kind]
    # Children spread, too, so a level that is played for long would fill up: on a full one no kind spreads.
    if not creature.children or level.is_full():
        return False
    if kind.spreads_wounded and creature.hp == creature.hp_max:
        return False
    if not context.dice.chance("spread", creature.number, kind.spread_percent):
        return False
    dx, dy = _offset(context, creature, kind)
    cell = level.grid.step(creature.cell, dx, dy)
    if cell is None or not level.is_empty_floor(cell):
        return False
    child = new_creature(kind, level.new_id())
    inherit_generation(child, creature)
    creature.children -= 1
    level.add(child, cell, context.dice)
    if kind.spread_reach == 1:
        context.emit("spreads", creature, cell=child.cell)
    else:
        context.emit("spawns", creature)
    return True


def _offset(context: TurnContext, creature: Creature, kind: CreatureKind) -> Direction:
    """Return a place: adjacent (rule JG.7), or within a distance in each direction (rule TG.8)."""
    if kind.spread_reach == 1:
        return context.dice.pick("offset", creature.number, DIRECTIONS)
    sides = 2 * kind.spread_reach + 1
    dx, dy = (context.dice.roll("offset", creature.number, sides) - kind.spread_reach for _ in "xy")
    return dx, dy
