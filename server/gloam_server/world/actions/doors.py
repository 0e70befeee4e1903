"""Doors: opened by walking into them, closed by hand."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_close(level: Level, creature: Creature, dx: int, dy: int) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def swing(stage: Stage, creature: Creature, cell: int) -> None:
    """Not built yet."""
    raise NotImplementedError
