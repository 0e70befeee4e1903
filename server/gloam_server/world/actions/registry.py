"""From a command to an action and its execution. The same for players and monsters."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from gloam_server.world.actions.casting import Cast
from gloam_server.world.actions.doors import Close
from gloam_server.world.actions.giving import Drag, Give
from gloam_server.world.actions.inventory_use import Drop, Eat, PutOn, Wear, Wield
from gloam_server.world.actions.melee import Attack, adjacent_attacker
from gloam_server.world.actions.missiles import Fire, Throw
from gloam_server.world.actions.pickup import PickUp
from gloam_server.world.actions.potions import Quaff
from gloam_server.world.actions.prize_and_exit import Use
from gloam_server.world.actions.scrolls import Read
from gloam_server.world.actions.shouting import Shout
from gloam_server.world.actions.stairs import Climb
from gloam_server.world.actions.waiting import Guard, Wait
from gloam_server.world.actions.walking import Dig, Move
from gloam_server.world.actions.wands import Zap
from gloam_server.world.combat.noise import make_noise
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
from gloam_shared.protocol import commands

VERBS: Final[tuple[type[Verb[Any]], ...]] = (
    Move,
    Wait,
    Climb,
    PickUp,
    Drop,
    Eat,
    Wield,
    Wear,
    PutOn,
    Quaff,
    Read,
    Zap,
    Throw,
    Fire,
    Cast,
    Give,
    Close,
    Use,
    Dig,
    Shout,
    Drag,
)
"""Every verb. A new command needs its class here, and nothing else in this module."""

_DOWN: Final = Impossible("You are down: wait for a friend beside you to lift you.", "down")

_PLANS: Final[dict[type[commands.Command], Callable[[Level, Creature, Any], Outcome]]] = {
    verb.command: verb.plan for verb in VERBS
}


def plan(level: Level, creature: Creature, command: commands.ActionCommand) -> Outcome:
    """Return the action for a command in the present state, or why there is none.

    Changes nothing and costs nothing.
    """
    if creature.down is not UNSET:
        return Guard() if isinstance(command, commands.Wait) else _DOWN
    return _PLANS[type(command)](level, creature, command)


def plan_guard(level: Level, creature: Creature) -> Action:
    """Return the action of a creature on guard: strike back at an adjacent attacker, otherwise stay."""
    attacker = adjacent_attacker(level, creature)
    return Guard() if attacker is None else Attack(attacker.number)


def execute(context: TurnContext, creature: Creature, action: Action) -> None:
    """Execute an action that `plan` returned a moment ago, on the same level."""
    context.work = action.work
    action.execute(context, creature)
    if action.noise and creature.account and context.level.campaign.hearing.wakes_percent:
        make_noise(context, creature, action.noise)


def try_execute(
    context: TurnContext, creature: Creature, command: commands.ActionCommand
) -> Impossible | None:
    """Plan and execute a command; return the reason if that is impossible."""
    outcome = plan(context.level, creature, command)
    if isinstance(outcome, Impossible):
        return outcome
    execute(context, creature, outcome)
    return None
