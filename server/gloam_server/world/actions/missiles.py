"""Throwing and shooting (rules TG.19, TG.20, TG.28)."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_throw(level: Level, creature: Creature, slot: int, cell: int) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def resolve_fire(level: Level, creature: Creature, cell: int) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def throw(stage: Stage, creature: Creature, slot: int, cell: int) -> None:
    """Not built yet."""
    raise NotImplementedError


def fire(stage: Stage, creature: Creature, target: Creature) -> None:
    """Not built yet."""
    raise NotImplementedError
