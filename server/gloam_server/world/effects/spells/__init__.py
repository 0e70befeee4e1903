"""Magic: the effects of spells, from every source: a caster, a potion, a scroll, a trap, a thrown bottle.

`cast_spell` is the one entry. It takes a cell; permission (`aim`) and cost are checked by the callers.
"""

from typing import Final

from gloam_server.content.items import ItemKind
from gloam_server.content.spells import STATUS_KINDS, Effect, EffectKind
from gloam_server.world.combat.experience_credit import record_act
from gloam_server.world.combat.hostility import enemies_holding
from gloam_server.world.combat.kindling import kindle
from gloam_server.world.effects.spells.area import cells_in_area, creatures_in_area, is_immune
from gloam_server.world.effects.spells.area_effects import AREA_EFFECTS
from gloam_server.world.effects.spells.assistance import record_help
from gloam_server.world.effects.spells.body_effects import CREATURE_EFFECTS
from gloam_server.world.effects.spells.spell_cast import SpellCast
from gloam_server.world.effects.status_effects import add_status
from gloam_server.world.items.identify_by_use import identify_by_seeing
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

__all__ = ["cast_item_spell", "cast_spell"]

_STRIKING: Final[frozenset[EffectKind]] = frozenset({"harm", "drain"})
"""The effects that strike the cells that they reach, too: they set them alight, or freeze them."""


def cast_spell(
    context: TurnContext, spell_key: str, caster: Creature | None, cell: int, percent: int = 100
) -> bool:
    """Cast a spell at a cell, with or without a caster; return whether it had a visible effect.

    `percent` is the share of its amounts of health.
    """
    spell = context.level.campaign.spells[spell_key]
    if caster is not None:
        caster.ai.owes_blow = False
    working = SpellCast(spell, caster, cell, percent)
    seen = [_apply_effect(context, working, at) for at in range(len(spell.effects))]
    return any(seen)


def cast_item_spell(
    context: TurnContext, kind: ItemKind, spell_key: str, caster: Creature | None, cell: int
) -> None:
    """Cast the spell of an item at a cell; players who see its effect learn the item's name (rule TG.23)."""
    if cast_spell(context, spell_key, caster, cell):
        identify_by_seeing(context, kind, cell)


def _apply_effect(context: TurnContext, working: SpellCast, at: int) -> bool:
    """Apply one effect of a spell to the area, or to every creature in it, the nearest first."""
    effect = working.spell.effects[at]
    shape = AREA_EFFECTS.get(effect.does)
    if shape is not None:
        return shape(context, working, at)
    seen = False
    for target in creatures_in_area(context.level, working.cell, working.spell.radius):
        alive = target.number in context.level.creatures
        if alive and not is_immune(context.level, working, effect, target):
            seen = _affect_creature(context, working, at, effect, target) or seen
    if effect.does in _STRIKING and effect.damage_type in context.level.campaign.surfaces_by_damage:
        reached = cells_in_area(context.level, working.cell, working.spell.radius)
        kindle(context, reached, effect.damage_type, working.caster)
    return seen


def _affect_creature(
    context: TurnContext, working: SpellCast, at: int, effect: Effect, target: Creature
) -> bool:
    caster = None if working.caster is target else working.caster
    lasts = bool(effect.turns) and effect.does in STATUS_KINDS
    if caster is not None and effect.unwelcome:
        record_act(context.level, caster, target)
    elif caster is not None and lasts:
        _record_help(context.level, caster, target)
    if lasts:
        return add_status(context, target, working.spell, at, caster.number if caster is not None else 0)
    return CREATURE_EFFECTS[effect.does](context, working, effect, target)


def _record_help(level: Level, caster: Creature, helped: Creature) -> None:
    """Record a status effect on a friend as a part in the fight with the enemies that hold them."""
    record_help(level, caster, helped)
    for number in enemies_holding(level, helped) if helped.account else ():
        record_act(level, caster, level.creatures[number])
