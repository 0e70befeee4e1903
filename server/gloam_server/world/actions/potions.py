"""Quaffing: what is drunk brings its spell upon the drinker (rules TG.22, RG.16)."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_quaff(level: Level, creature: Creature, slot: int) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def quaff(stage: Stage, creature: Creature, slot: int) -> None:
    """Not built yet."""
    raise NotImplementedError
