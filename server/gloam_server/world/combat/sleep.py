"""Sleep: who falls asleep, how it passes, and what shortens it (rule RG.17). The same for players and monsters."""

from typing import Final

from gloam_server.world.combat.hostility import hostile
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

HURT_SHORTENS: Final = 10
"""By so many turns being hurt shortens sleep."""


def fall_asleep(stage: Stage, creature: Creature, turns: int) -> bool:
    """Send a body to sleep for so many of its turns; return whether it was awake. Sleep is never made shorter so."""
    was_awake = not creature.asleep
    creature.asleep = max(creature.asleep, turns)
    if was_awake and creature.asleep:
        stage.tell("falls_asleep", creature)
    return was_awake


def sleep_on(stage: Stage, creature: Creature) -> None:
    """Let a sleeper's turn pass: it takes one turn off the sleep, and one more if foes are in view."""
    shorten_sleep(stage, creature, 2 if _foes_in_view(stage.level, creature) else 1)


def shorten_sleep(stage: Stage, creature: Creature, turns: int) -> None:
    """Take turns off a body's sleep, if it sleeps; it wakes when none is left."""
    if not creature.asleep:
        return
    creature.asleep = max(0, creature.asleep - turns)
    if not creature.asleep:
        stage.tell("wakes", creature)


def _foes_in_view(level: Level, creature: Creature) -> bool:
    seen = level.sight(creature)
    return any(
        seen[other.cell] and (hostile(level, creature, other) or hostile(level, other, creature))
        for other in level.creatures.values()
    )
