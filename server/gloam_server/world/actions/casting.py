"""Casting: a spell that one knows or has a book of, for mana (rule TG.24)."""

from gloam_server.world.creature import Creature
from gloam_server.world.level import Level
from gloam_server.world.outcome import Impossible, Outcome
from gloam_server.world.stage import Stage


def resolve_cast(level: Level, creature: Creature, spell: str, cell: int | None) -> Outcome:
    """Not built yet."""
    return Impossible("That is not possible here.")


def cast(stage: Stage, creature: Creature, spell: str, cell: int) -> None:
    """Not built yet."""
    raise NotImplementedError
