"""A cast: its spell, caster and target. Data only."""

from dataclasses import dataclass

from gloam_server.content.spells import Spell
from gloam_server.world.model.creature import Creature


@dataclass(frozen=True, slots=True)
class SpellCast:
    """A spell under way. `caster` is None for a trap's; `cell` is the center of its area."""

    spell: Spell
    caster: Creature | None
    cell: int
