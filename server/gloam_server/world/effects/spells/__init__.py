"""Magic: what spells do, whoever or whatever brings them about: a caster, a potion, a scroll, a trap, a thrown bottle.

`work` is the one way in. It aims at a cell; nobody asks here whether that was allowed (`aim` does) or who pays for it.
"""

from gloam_server.content.items import ItemKind
from gloam_server.content.spells import LASTS, UNWELCOME, Effect
from gloam_server.world.effects.spells.area import reached, spared
from gloam_server.world.effects.spells.area_effects import SHAPES
from gloam_server.world.effects.spells.assistance import remember_help
from gloam_server.world.effects.spells.body_effects import WORKS
from gloam_server.world.effects.spells.spell_cast import Working
from gloam_server.world.effects.status_effects import begin
from gloam_server.world.items.identify_by_use import witness
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature

__all__ = ["work", "work_thing"]


def work(stage: Stage, spell_key: str, caster: Creature | None, cell: int) -> bool:
    """Bring a spell about at a cell, by a caster or by nobody; return whether there was anything to be seen of it."""
    spell = stage.level.campaign.spells[spell_key]
    working = Working(spell, caster, cell)
    seen = [_bring(stage, working, at) for at in range(len(spell.effects))]
    return any(seen)


def work_thing(stage: Stage, kind: ItemKind, spell_key: str, caster: Creature | None, cell: int) -> None:
    """Bring the spell of a thing about at a cell; whoever sees its effect learns the thing's name (rule TG.23)."""
    if work(stage, spell_key, caster, cell):
        witness(stage, kind, cell)


def _bring(stage: Stage, working: Working, at: int) -> bool:
    """Bring one effect of a spell upon the place, or upon everybody whom it reaches, the nearest first."""
    effect = working.spell.effects[at]
    shape = SHAPES.get(effect.does)
    if shape is not None:
        return shape(stage, working, at)
    seen = False
    for target in reached(stage.level, working.cell, working.spell.radius):
        alive = target.number in stage.level.creatures
        if alive and not spared(stage.level, working, effect, target):
            seen = _befall(stage, working, at, effect, target) or seen
    return seen


def _befall(stage: Stage, working: Working, at: int, effect: Effect, target: Creature) -> bool:
    if effect.turns and effect.does in LASTS:
        by = working.caster.number if working.caster is not None and working.caster is not target else 0
        if effect.does not in UNWELCOME:
            remember_help(stage.level, working.caster, target)
        return begin(stage, target, working.spell, at, by)
    return WORKS[effect.does](stage, working, effect, target)
