"""Footing: surfaces that hold a body, make its step slow, or wake sleepers (rule F153)."""

from gloam_server.rules.energy import ACTION_COST
from gloam_server.world.combat.noise import wake_around
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.surfaces.surface_changes import end_surfaces, surface_at
from gloam_server.world.model.surfaces.surface_state import is_spared


def is_held_back(context: TurnContext, creature: Creature, goal: int) -> bool:
    """Return whether a surface holds a body, which tears free of it in this action; a step onto a slow one costs more."""
    level = context.level
    here, there = surface_at(level, creature.cell), surface_at(level, goal)
    if here is not None and here.holds and not is_spared(level.campaign, here, creature):
        end_surfaces(level, [creature.cell], context.dice, leaves=False)
        context.emit("tears_free", creature, source=here.name)
        return True
    if there is not None and there.slows and not is_spared(level.campaign, there, creature):
        creature.energy -= ACTION_COST * there.slows // 100
    if there is not None and there.wakes and creature.account:
        wake_around(context, creature, goal, there.wakes)
    return False
