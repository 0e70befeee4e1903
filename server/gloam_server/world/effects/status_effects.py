"""Status effects: how they begin, what they do in each of the body's own actions, and how they end."""

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.spells import Spell
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.experience_credit import forget_damage, record_healing
from gloam_server.world.combat.party.downed import get_up
from gloam_server.world.items.floor_items import drop_all
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Lasting
from gloam_server.world.model.modifiers import ring_spell, spell_effect_of


def add_status(context: TurnContext, creature: Creature, spell: Spell, at: int, by: int) -> bool:
    """Start a status effect, or restart its turns: the same effect of the same spell never counts twice."""
    effect = spell.effects[at]
    for state in creature.lasting:
        if (state.spell, state.effect) == (spell.key, at):
            state.turns, state.by = max(state.turns, effect.turns), by
            break
    else:
        creature.lasting.append(Lasting(spell.key, at, effect.turns, by))
        context.level.sight.note_change(creature.number)
    context.emit("begins", creature, source=effect.word)
    if effect.does == "heal" and creature.down is not UNSET:
        get_up(context, creature)
    return True


def tick_statuses(context: TurnContext, creature: Creature) -> None:
    """Apply each status effect of a body, and its ring's, for one action, and end the expired ones. The body may die."""
    for state in list(creature.lasting):
        _apply_each_action(context, creature, state)
        if creature.number not in context.level.creatures:
            return
        state.turns -= 1
        if state.turns <= 0:
            remove_status(context, creature, state)
    ring = ring_spell(context.level.campaign, creature)
    for at in range(len(ring.effects) if ring is not None else 0):
        if ring is not None and creature.number in context.level.creatures:
            _apply_each_action(context, creature, Lasting(ring.key, at, 1))


def remove_status(context: TurnContext, creature: Creature, state: Lasting) -> None:
    """End a status effect; a temporary summon vanishes with it."""
    creature.lasting = [other for other in creature.lasting if other is not state]
    effect = spell_effect_of(context.level.campaign, state)
    if effect.does == "summon":
        context.emit("vanishes", creature)
        drop_all(context, creature)
        context.level.remove_for_good(creature)
        forget_damage(context.level, creature.number)
    else:
        context.emit("ends", creature, source=effect.word)


def is_harmful_status(campaign: Campaign, state: Lasting) -> bool:
    """Return whether a status effect is harmful, so that a cure ends it."""
    effect = spell_effect_of(campaign, state)
    return effect.does in ("harm", "fear", "silence") or effect.weakens


def _apply_each_action(context: TurnContext, creature: Creature, state: Lasting) -> None:
    effect = spell_effect_of(context.level.campaign, state)
    match effect.does:
        case "heal":
            _heal_slowly(context, creature, state, effect.amount)
        case "strengthen" if effect.percent and context.dice.chance("mend", creature.number, effect.percent):
            _heal_slowly(context, creature, state, effect.amount)
        case "mana":
            creature.mana = min(creature.mana_max, creature.mana + effect.amount)
        case "harm" if not creature.grace:
            cause = context.level.campaign.spells[state.spell].name
            apply_damage(
                context,
                creature,
                effect.amount,
                context.level.creatures.get(state.by),
                cause,
                source="gradual",
                damage_type=effect.damage_type,
            )


def _heal_slowly(context: TurnContext, creature: Creature, state: Lasting, amount: int) -> None:
    """Give health by a status effect; the creature that caused it gets the credit, as for any healing."""
    given = min(amount, creature.hp_max - creature.hp)
    creature.hp += given
    healer = context.level.creatures.get(state.by)
    if healer is not None and given:
        record_healing(context.level, creature, healer, given)
