"""A cast: its spell, caster and target. Data only."""

from dataclasses import dataclass

from gloam_server.content.spells import Effect, Spell
from gloam_server.world.model.creature import Creature


@dataclass(frozen=True, slots=True)
class SpellCast:
    """A spell under way. `caster` is None for a trap's; `cell` is the center of its area."""

    spell: Spell
    caster: Creature | None
    cell: int
    percent: int = 100
    """The share of its amounts of health: more from a book of a higher level (rule F112)."""

    def health(self, effect: Effect) -> int:
        """Return the health that an effect gives or takes."""
        return effect.amount * self.percent // 100
