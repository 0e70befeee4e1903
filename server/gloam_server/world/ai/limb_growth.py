"""A boss's task: growing another limb when it is hurt (rule JG.10)."""

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature


def grow_limb(context: TurnContext, creature: Creature) -> bool:
    """Once, when badly hurt, grow a limb that adds to its attack; this takes the action."""
    kind = context.level.campaign.creatures[creature.kind]
    if creature.ai.limb_grown or creature.hp > kind.limb_hp:
        return False
    creature.ai.limb_grown = True
    creature.attack += kind.limb_attack
    context.emit("grows_limb", creature, source=kind.limb)
    return True
