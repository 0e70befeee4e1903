"""Spells that move bodies: they come to stand on bare floor, or where they can be pushed."""

from gloam_server.content.spells import Effect
from gloam_server.world.effects.spells.spell_cast import Working
from gloam_server.world.items.floor_items import notice_pile
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_shared.geometry import chebyshev, step, towards


def blink(stage: Stage, _working: Working, effect: Effect, target: Creature) -> bool:
    """Move a body to a random bare cell within some cells (rule TG.24)."""
    level = stage.level
    near = [
        cell
        for cell in range(len(level.terrain))
        if level.bare(cell) and chebyshev(cell, target.cell, level.width) <= effect.amount
    ]
    return _vanish_to(stage, target, near)


def teleport(stage: Stage, _working: Working, _effect: Effect, target: Creature) -> bool:
    """Move a body to a random bare cell of the level."""
    level = stage.level
    return _vanish_to(stage, target, [cell for cell in range(len(level.terrain)) if level.bare(cell)])


def swap_places(stage: Stage, working: Working, _effect: Effect, target: Creature) -> bool:
    """Let a body and the caster change places, if each can stand in the other's."""
    level, caster = stage.level, working.caster
    if caster is None or caster is target or caster.number not in level.creatures:
        return False
    if not level.could_swap(caster, target):
        return False
    level.swap(caster, target)
    stage.tell("swaps_by_magic", caster, target)
    notice_pile(stage, caster)
    notice_pile(stage, target)
    return True


def push(stage: Stage, working: Working, effect: Effect, target: Creature) -> bool:
    """Move a body away from the middle of the blast, or from the caster when it stands there, while its way is free."""
    level, origin = stage.level, working.cell
    if origin == target.cell and working.caster is not None:
        origin = working.caster.cell
    way, moved = towards(origin, target.cell, level.width), False
    for _ in range(effect.amount):
        cell = step(target.cell, *way, level.width, level.height)
        if cell is None or cell in level.occupied or not level.bears(target, cell):
            break
        level.move(target, cell)
        moved = True
    if moved:
        stage.tell("pushed", target)
        notice_pile(stage, target)
    return moved


def _vanish_to(stage: Stage, target: Creature, cells: list[int]) -> bool:
    if not cells:
        return False
    stage.tell("fades_out", target)
    stage.level.move(target, stage.dice.pick("blink", target.number, cells))
    stage.tell("fades_in", target)
    notice_pile(stage, target)
    return True
