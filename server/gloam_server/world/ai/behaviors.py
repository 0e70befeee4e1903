"""The minds of monsters: the first task of their kind that has something to do is done, by the commands of everyone."""

from collections.abc import Callable
from typing import Final

from gloam_server.content.creatures import Task, in_order
from gloam_server.world.ai.ambush import ambush, lurk
from gloam_server.world.ai.gear_use import arm, shoot, throw
from gloam_server.world.ai.hunting import hunt, prowl, stalk, tunnel
from gloam_server.world.ai.idle import flutter, follow, guard, idle, wander
from gloam_server.world.ai.limb_growth import grow_limb
from gloam_server.world.ai.looting import gather, pick_up, quaff
from gloam_server.world.ai.retreat import dread, flee, keep_distance, pack
from gloam_server.world.ai.spellcasting import call, cast, mend
from gloam_server.world.ai.spreading import spread
from gloam_server.world.ai.stealing import steal
from gloam_server.world.ai.swimming import swim
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.modifiers import is_afraid

TASKS: Final[dict[Task, Callable[[Stage, Creature], bool]]] = {
    "hunt": hunt,
    "wander": wander,
    "spread": spread,
    "idle": idle,
    "flutter": flutter,
    "arm": arm,
    "shoot": shoot,
    "throw": throw,
    "pick_up": pick_up,
    "gather": gather,
    "quaff": quaff,
    "steal": steal,
    "flee": flee,
    "pack": pack,
    "keep_distance": keep_distance,
    "mend": mend,
    "cast": cast,
    "call": call,
    "tunnel": tunnel,
    "ambush": ambush,
    "guard": guard,
    "prowl": prowl,
    "follow": follow,
    "swim": swim,
    "stalk": stalk,
    "lurk": lurk,
    "grow_limb": grow_limb,
}
"""What each task does: it returns whether there was anything to do."""


def decide(stage: Stage, creature: Creature) -> None:
    """Let a creature act as its kind's tasks say; with nothing to do it lets the action pass.

    Who is afraid does nothing but flee.
    """
    if is_afraid(stage.level.campaign, creature):
        dread(stage, creature)
        return
    for task in in_order(stage.level.campaign.creatures[creature.kind].tasks):
        if TASKS[task](stage, creature):
            return
