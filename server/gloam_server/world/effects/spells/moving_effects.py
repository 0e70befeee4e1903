"""Spells that move bodies: to bare floor, or along a push."""

from gloam_server.content.spells import Effect
from gloam_server.world.effects.spells.spell_cast import SpellCast
from gloam_server.world.items.floor_items import announce_pile
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature


def blink_short(context: TurnContext, _working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Move a body to a random bare cell within some cells (rule TG.24)."""
    level = context.level
    near = [
        cell
        for cell in range(len(level.terrain))
        if level.is_empty_floor(cell) and level.grid.distance(cell, target.cell) <= effect.amount
    ]
    return _relocate(context, target, near)


def teleport_far(context: TurnContext, _working: SpellCast, _effect: Effect, target: Creature) -> bool:
    """Move a body to a random bare cell of the level."""
    level = context.level
    return _relocate(
        context, target, [cell for cell in range(len(level.terrain)) if level.is_empty_floor(cell)]
    )


def swap_places(context: TurnContext, working: SpellCast, _effect: Effect, target: Creature) -> bool:
    """Let a body and the caster change places, if each can stand in the other's."""
    level, caster = context.level, working.caster
    if caster is None or caster is target or caster.number not in level.creatures:
        return False
    if not level.could_swap(caster, target):
        return False
    level.swap(caster, target)
    context.emit("swaps_by_magic", caster, target)
    announce_pile(context, caster)
    announce_pile(context, target)
    return True


def push_away(context: TurnContext, working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Push a body away from the blast's center, or from the caster if it is there, while the way is free."""
    level, origin = context.level, working.cell
    if origin == target.cell and working.caster is not None:
        origin = working.caster.cell
    way, moved = level.grid.towards(origin, target.cell), False
    for _ in range(effect.amount):
        cell = level.grid.step(target.cell, *way)
        if cell is None or cell in level.occupied or not level.can_hold(target, cell):
            break
        level.move(target, cell)
        moved = True
    if moved:
        context.emit("pushed", target)
        announce_pile(context, target)
    return moved


def _relocate(context: TurnContext, target: Creature, cells: list[int]) -> bool:
    if not cells:
        return False
    context.emit("fades_out", target)
    context.level.move(target, context.dice.pick("blink", target.number, cells))
    context.emit("fades_in", target)
    announce_pile(context, target)
    return True
