"""The minds of monsters: the first task of their kind that has something to do is done, by the commands of everyone."""

from collections.abc import Callable
from typing import Final

from gloam_server.content.creatures import Task
from gloam_server.world.creature import Creature
from gloam_server.world.lasting import is_afraid
from gloam_server.world.minds.boss import call, grow_limb
from gloam_server.world.minds.fleeing import flee
from gloam_server.world.minds.hunting import hunt
from gloam_server.world.minds.roaming import wander
from gloam_server.world.minds.spreading import spread
from gloam_server.world.stage import Stage

TASKS: Final[dict[Task, Callable[[Stage, Creature], bool]]] = {
    "hunt": hunt,
    "wander": wander,
    "spread": spread,
    "grow_limb": grow_limb,
    "call": call,
}
"""What each task does: it returns whether there was anything to do."""


def decide(stage: Stage, creature: Creature) -> None:
    """Let a creature act as its kind's tasks say; with nothing to do it lets the action pass.

    Who is afraid does nothing but flee.
    """
    if is_afraid(stage.level.campaign, creature):
        flee(stage, creature)
        return
    for task in stage.level.campaign.creatures[creature.kind].tasks:
        if TASKS[task](stage, creature):
            return
