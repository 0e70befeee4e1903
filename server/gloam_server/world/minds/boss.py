"""What a boss does besides hunting: it grows another limb when it is hurt, and calls others to its side (rule JG.10)."""

from typing import Final

from gloam_server.world.creature import Creature, born
from gloam_server.world.credit import call_forth
from gloam_server.world.stage import Stage
from gloam_shared.geometry import DIRECTIONS, step

_GROWN: Final = "limb"
_AROUND: Final = ((0, 0), *DIRECTIONS)


def grow_limb(stage: Stage, creature: Creature) -> bool:
    """Once, when it is hurt badly enough, grow a limb that strikes harder; that is all it does in this action."""
    kind = stage.level.campaign.creatures[creature.kind]
    if creature.traits.get(_GROWN) or creature.hp > kind.limb_hp:
        return False
    creature.traits[_GROWN] = 1
    creature.attack += kind.limb_attack
    stage.tell("grows_limb", creature, source=kind.limb)
    return True


def call(stage: Stage, creature: Creature) -> bool:
    """Now and then put another creature on a random cell around, its own included; where there is no room it fails.

    The action is over either way.
    """
    level = stage.level
    kind = level.campaign.creatures[creature.kind]
    if not stage.dice.chance("call", creature.number, kind.calls_percent):
        return False
    dx, dy = stage.dice.pick("called to", creature.number, _AROUND)
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None or not level.bare(cell) or len(level.creatures) >= level.rules.creatures_max:
        return True
    called = born(level.campaign.creatures[kind.calls], level.mint())
    call_forth(called, creature)
    level.add(called, cell, stage.dice)
    stage.tell("calls", creature, called)
    return True
