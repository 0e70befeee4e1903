"""Regeneration: the health and mana that an action restores or drains (rules TG.25, RG.18, RG.19)."""

from typing import Final, NamedTuple

from msgspec import UNSET

from gloam_server.content.campaign_schema import Regeneration
from gloam_server.rules import hunger, regeneration
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.hostility import is_watched
from gloam_server.world.items.equipment import total_mana_regeneration, total_regeneration
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level


class Regenerated(NamedTuple):
    """The regenerated points of health and mana, and whether health grew because the body is fed."""

    points: int = 0
    healing: bool = False


NONE_REGENERATED: Final = Regenerated()


def regeneration_rule(level: Level, body: Creature) -> Regeneration:
    """Return the rule by which a body heals while it rests: "none" also if its own regeneration is zero."""
    rule = level.campaign.regeneration.rule
    return "none" if rule == "thousandths" and total_regeneration(level, body) <= 0 else rule


def regenerate(context: TurnContext, creature: Creature) -> Regenerated:
    """Regenerate a body's health and mana for one action, by its campaign's rule; a starving body may die.

    "thousandths" gives every creature its kind's rates; "fed" gives players health by their food, and every creature
    mana and health in thousandths if its kind has rates. An unhurt body has no part of a point left over. A hurt
    creature also heals by rule F119.
    """
    level = context.level
    rule = level.campaign.regeneration.rule
    fed = rule == "fed" and creature.account > 0
    has_rates = creature.regeneration or creature.mana_regeneration or creature.lasting or creature.ring
    mends = 0 if creature.account or creature.hp == creature.hp_max else _mending(level, creature)
    if rule == "none" or not (fed or has_rates or mends):
        return NONE_REGENERATED
    before = creature.hp
    healing = _from_food(context, creature) if fed else False
    points = 0 if fed else _health(level, creature, mends)
    points += _mana(level, creature)
    if before < creature.hp == creature.hp_max:
        creature.hurt_by.clear()
    return Regenerated(points, healing)


def heal_meanwhile(level: Level, player: Creature) -> None:
    """Heal the creatures of a level that a player returns to, by the player's own turns since they left (rule F119).

    No turns pass on a level without players. A player who has not been there lately finds all of them whole.
    """
    rules = level.campaign.regeneration
    if not rules.creature_turns:
        return
    since = (level.state.left or {}).get(player.number)
    if level.players():
        return
    level.state.left = UNSET
    passed = rules.creature_turns if since is None else player.actions - since
    for creature in level.monsters():
        if creature.hp < creature.hp_max:
            healed = creature.hp_max * max(0, passed) // _turns_to_heal(level, creature)
            creature.hp = min(creature.hp_max, creature.hp + healed)
            if creature.hp == creature.hp_max:
                creature.hurt_by.clear()


def _mending(level: Level, creature: Creature) -> int:
    """Return the thousandths of a point that a hurt creature heals with an action; 0 while a player sees or fights it."""
    if not level.campaign.regeneration.creature_turns or (not creature.ally and is_watched(level, creature)):
        return 0
    return creature.hp_max * regeneration.THOUSAND // _turns_to_heal(level, creature)


def _turns_to_heal(level: Level, creature: Creature) -> int:
    rules = level.campaign.regeneration
    if creature.ally:
        return rules.full_turns
    return rules.boss_turns if level.campaign.creatures[creature.kind].boss else rules.creature_turns


def _health(level: Level, creature: Creature, mends: int) -> int:
    rate = total_regeneration(level, creature) + mends
    if not rate:
        return 0
    grown, creature.hp_part = regeneration.by_thousandths(rate, creature.hp_part)
    before = creature.hp
    creature.hp = max(1, min(creature.hp_max, creature.hp + grown))
    return max(0, creature.hp - before)


def _mana(level: Level, creature: Creature) -> int:
    rate = total_mana_regeneration(level, creature) if creature.mana_max else 0
    if not rate:
        return 0
    grown, creature.mana_part = regeneration.by_thousandths(rate, creature.mana_part)
    before = creature.mana
    creature.mana = max(0, min(creature.mana_max, creature.mana + grown))
    return max(0, creature.mana - before)


def _from_food(context: TurnContext, player: Creature) -> bool:
    """Heal a fed player, or hurt a starving one; return whether health was growing."""
    level = context.level
    state = hunger.hunger_state(level.campaign.hunger, player.food, player.food_max)
    healing = regeneration.heals_by_feeding(state, player.hp, player.hp_max)
    points, player.hp_part = regeneration.from_food(
        level.campaign.regeneration, state, player.hp, player.hp_max, player.hp_part
    )
    if points > 0:
        player.hp = min(player.hp_max, player.hp + points)
    elif points and player.number in level.creatures:
        context.emit("aches", player)
        apply_damage(context, player, -points, None, "starvation", source="gradual")
    return healing
