"""Sleep: how it begins, passes and is shortened (rule RG.17). The same for players and monsters."""

from typing import Final

from gloam_server.world.combat.hostility import is_hostile
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_light_footed

HURT_SHORTENS: Final = 10
"""The number of turns by which damage shortens sleep."""


def fall_asleep(context: TurnContext, creature: Creature, turns: int) -> bool:
    """Make a body sleep for a number of its turns; return whether it was awake. This never shortens sleep."""
    was_awake = not creature.asleep
    creature.asleep = max(creature.asleep, turns)
    if was_awake and creature.asleep:
        context.emit("falls_asleep", creature)
    return was_awake


def disturb_sleep(context: TurnContext, creature: Creature) -> None:
    """Shorten a sleep by damage; a creature that sleeps by nature wakes immediately."""
    by_nature = creature.ai.dozes or context.level.campaign.creatures[creature.kind].sleeps
    shorten_sleep(context, creature, creature.asleep if by_nature else HURT_SHORTENS)


def pass_sleep_turn(context: TurnContext, creature: Creature) -> None:
    """Let a sleeper's turn pass: it takes one turn off the sleep, and one more if foes are in view.

    A kind that sleeps by nature sleeps on, but now and then it stirs and wakes while foes are in view.
    One that dozes wakes by noise and wounds alone (rule F122).
    """
    kind = context.level.campaign.creatures[creature.kind]
    if creature.ai.dozes:
        return
    if kind.sleeps:
        if _enemies_in_view(context.level, creature) and context.dice.chance(
            "stirs", creature.number, kind.stirs_percent
        ):
            shorten_sleep(context, creature, creature.asleep)
        return
    shorten_sleep(context, creature, 2 if _enemies_in_view(context.level, creature) else 1)


def shorten_sleep(context: TurnContext, creature: Creature, turns: int) -> None:
    """Shorten a body's sleep by a number of turns; it wakes when none is left."""
    if not creature.asleep:
        return
    creature.asleep = max(0, creature.asleep - turns)
    if not creature.asleep:
        creature.ai.dozes = False
        context.emit("wakes", creature)


def _enemies_in_view(level: Level, creature: Creature) -> bool:
    seen = level.field_of_view(creature)
    return any(
        seen[other.cell]
        and (is_hostile(level, creature, other) or is_hostile(level, other, creature))
        and not is_light_footed(level.campaign, other)
        for other in level.creatures.values()
    )
