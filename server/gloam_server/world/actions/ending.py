"""The end in glory: using the prize, and leaving by the way out (rules TG.30, RG.30, RG.32)."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_use(level: Level, creature: Creature, slot: int, *, again: bool) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def unwrap(stage: Stage, creature: Creature, slot: int, *, again: bool) -> None:
    """Not built yet."""
    raise NotImplementedError


def escape(stage: Stage, creature: Creature) -> None:
    """Not built yet."""
    raise NotImplementedError
