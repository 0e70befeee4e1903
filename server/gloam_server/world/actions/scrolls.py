"""Reading: a scroll brings its spell and is used up (rules RG.16, RG.26)."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_read(level: Level, creature: Creature, slot: int, cell: int | None) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def read(stage: Stage, creature: Creature, slot: int, cell: int) -> None:
    """Not built yet."""
    raise NotImplementedError
