"""Immediate effects of spells on a body. Each returns whether it was visible."""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import UNSET

from gloam_server.content.spells import Effect, EffectKind
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.party.downed import get_up
from gloam_server.world.combat.sleep import fall_asleep, shorten_sleep
from gloam_server.world.effects.map_memory import reveal_cells
from gloam_server.world.effects.spells.assistance import record_help
from gloam_server.world.effects.spells.moving_effects import blink_short, push_away, swap_places, teleport_far
from gloam_server.world.effects.spells.spell_cast import SpellCast
from gloam_server.world.effects.status_effects import is_harmful_status, remove_status
from gloam_server.world.effects.upkeep import set_food
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.items.identify_by_use import identify
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.powers import power_percent

CreatureEffect: TypeAlias = Callable[[TurnContext, SpellCast, Effect, Creature], bool]

OWN_SPELL: Final = "an overinflated ego"
"""The cause of death of a creature killed by its own spell (rule RG.30)."""


def heal(context: TurnContext, working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Give health; an unhurt body gains maximum health instead, if the effect says so (rules TG.22, RG.16)."""
    missing = target.hp_max - target.hp
    if not missing and not effect.or_max:
        return False
    if missing:
        more = power_percent(context.level.campaign, target, "brew")
        given = min(working.health(effect) * (100 + more) // 100, missing)
        target.hp += given
        context.emit("heals", target)
        if target.down is not UNSET:
            get_up(context, target)
        record_help(context.level, working.caster, target, given)
    else:
        target.hp_max += effect.or_max
        target.hp += effect.or_max
        context.emit("healthier", target)
    return True


def give_mana(context: TurnContext, _working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Give mana (rule TG.22)."""
    given = min(effect.amount, target.mana_max - target.mana)
    if given <= 0:
        return False
    target.mana += given
    context.emit("restores", target)
    return True


def deal_spell_damage(context: TurnContext, working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Take health: it never misses, and no defense helps (rule RG.16)."""
    _strike(context, working, effect, target)
    return True


def drain_health(context: TurnContext, working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Take health, and give it to the caster if they live."""
    health, caster = target.hp, working.caster
    taken = min(_strike(context, working, effect, target), health)
    if caster is not None and caster is not target and caster.number in context.level.creatures:
        caster.hp = min(caster.hp_max, caster.hp + taken)
    return True


def teach_spell(context: TurnContext, _working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Give experience for each level (rule TG.22)."""
    context.emit("enlightened", target)
    gain_experience(context, target, effect.amount * target.level)
    return True


def know(context: TurnContext, _working: SpellCast, _effect: Effect, target: Creature) -> bool:
    """Identify all items in the inventory."""
    kinds = context.level.campaign.items
    learnt = [identify(context, target, kinds[item.kind]) for item in target.carried]
    return any(learnt)


def fill_stomach(context: TurnContext, _working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Fill a player's stomach."""
    if not target.account:
        return False
    context.emit("fills", target)
    set_food(context, target, target.food + effect.amount)
    return True


def convert_blood_to_mana(
    context: TurnContext, _working: SpellCast, effect: Effect, target: Creature
) -> bool:
    """Convert health to mana, up to the maximum of mana and without dying (rule TG.24)."""
    made = min(target.hp - 1, target.mana_max - target.mana, effect.amount or target.hp)
    if made <= 0:
        return False
    target.hp -= made
    target.mana += made
    context.emit("bleeds_mana", target)
    return True


def put_to_sleep(context: TurnContext, _working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Send to sleep (rule RG.17)."""
    return fall_asleep(context, target, effect.amount)


def cure_statuses(context: TurnContext, _working: SpellCast, _effect: Effect, target: Creature) -> bool:
    """End sleep and all harmful status effects."""
    campaign = context.level.campaign
    harmful = [state for state in target.lasting if is_harmful_status(campaign, state)]
    was_asleep = target.asleep > 0
    for state in harmful:
        remove_status(context, target, state)
    shorten_sleep(context, target, target.asleep)
    return was_asleep or bool(harmful)


def reveal_map(context: TurnContext, _working: SpellCast, effect: Effect, target: Creature) -> bool:
    """Show a player the surrounding terrain, or the whole level."""
    level = context.level
    if not target.account:
        return False
    cells = range(len(level.terrain))
    if effect.amount:
        cells_near = [at for at in cells if level.grid.distance(at, target.cell) <= effect.amount]
        reveal_cells(level, target, cells_near)
    else:
        reveal_cells(level, target, cells)
    context.emit("maps", target)
    return True


def _strike(context: TurnContext, working: SpellCast, effect: Effect, target: Creature) -> int:
    """Deal the damage of a spell's effect and return it."""
    caster, name = working.caster, working.spell.name
    here = caster is not None and caster is not target and caster.number in context.level.creatures
    more = 0 if caster is None else power_percent(context.level.campaign, caster, "sorcery")
    return apply_damage(
        context,
        target,
        working.health(effect) * (100 + more) // 100,
        caster if here else None,
        OWN_SPELL if caster is target else name,
        source="spell",
        damage_type=effect.damage_type,
        tell=lambda amount: context.emit("blasted", target, amount=amount, source=name),
    )


CREATURE_EFFECTS: Final[dict[EffectKind, CreatureEffect]] = {
    "heal": heal,
    "mana": give_mana,
    "harm": deal_spell_damage,
    "drain": drain_health,
    "learn": teach_spell,
    "know": know,
    "feed": fill_stomach,
    "blood_to_mana": convert_blood_to_mana,
    "sleep": put_to_sleep,
    "cure": cure_statuses,
    "map": reveal_map,
    "blink": blink_short,
    "teleport": teleport_far,
    "swap": swap_places,
    "push": push_away,
}
"""The immediate effects on a body, by name; lasting ones are in `status_effects`, those on an area in
`area_effects`.
"""
