"""Giving a thing to somebody beside one."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_give(level: Level, creature: Creature, slot: int, handle: int) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def give(stage: Stage, creature: Creature, slot: int, other: Creature) -> None:
    """Not built yet."""
    raise NotImplementedError
