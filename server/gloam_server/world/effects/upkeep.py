"""Upkeep after a body's own actions and in its sleep: status effects, regeneration, hunger."""

from typing import Final

from gloam_server.rules import hunger
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.combat.death import die
from gloam_server.world.combat.hostility import forget_old_contacts
from gloam_server.world.effects.regeneration import regenerate
from gloam_server.world.effects.status_effects import tick_statuses
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.rendering import HUNGER_WORDS
from gloam_shared.view.view import Hunger

_TOLD_AS: Final[dict[hunger.End, EventKind]] = {
    "starvation": "starves",
    "choking": "chokes",
    "starved": "starved",
}

_WARNINGS: Final = {
    Hunger.HUNGRY: "getting hungry.",
    Hunger.VERY_HUNGRY: "getting very hungry.",
    Hunger.FAMISHED: "famished!",
    Hunger.STARVING: "starving!",
}
"""The messages of rule RG.18 for each state when food falls to it; the two best have none."""


def end_action(context: TurnContext, creature: Creature) -> None:
    """Count an action, and apply the upkeep."""
    creature.actions += 1
    if creature.contacts and creature.account and _is_on_level(context, creature):
        forget_old_contacts(creature)
    end_of_turn(context, creature)


def end_of_turn(context: TurnContext, creature: Creature) -> None:
    """Apply status effects, regeneration and hunger: after an action, or after a turn of sleep.

    A player who took the stairs with this action can starve only with the next one.
    """
    work = context.work
    stands = _is_on_level(context, creature)
    if stands and (creature.lasting or creature.ring):
        tick_statuses(context, creature)
        if not _is_on_level(context, creature):
            return
    regrown = regenerate(context, creature)
    if not creature.account or stands != _is_on_level(context, creature):
        return
    eaten = hunger.food_cost(context.level.campaign.hunger, work, regrown.points, healing=regrown.healing)
    left = max(0, creature.food - eaten)
    if stands:
        set_food(context, creature, left)
    else:
        creature.food = left


def set_food(context: TurnContext, player: Creature, food: int) -> None:
    """Set a player's food; they get a message about a new state, and may die of it (rules JG.15, TG.18, RG.18)."""
    rules = context.level.campaign.hunger
    had, before = player.food, hunger.hunger_state(rules, player.food, player.food_max)
    meal = hunger.fill_stomach(rules, food, player.food_max or rules.max)
    player.food, player.food_max = meal.food, meal.room
    if meal.burst:
        context.emit("overeats", player)
        if player.hp <= 1:
            context.emit("bursts", player)
            die(context, player, "overeating")
            return
        apply_damage(context, player, 1, None, "overeating", source="gradual")
    ended_by = hunger.death_by_hunger(rules, meal.food)
    if ended_by is not None:
        context.emit(_TOLD_AS[ended_by], player)
        die(context, player, "choking" if ended_by == "choking" else "starvation")
    elif (now := hunger.hunger_state(rules, meal.food, meal.room)) != before:
        _announce_hunger(context, player, now, worse=meal.food < had)


def _announce_hunger(context: TurnContext, player: Creature, now: Hunger, *, worse: bool) -> None:
    if context.level.campaign.hunger.rule != "six_states":
        context.emit_private("hunger", player, amount=player.food, source=HUNGER_WORDS[now].lower())
    elif worse and now in _WARNINGS:
        context.emit_private("hungers", player, source=_WARNINGS[now])


def _is_on_level(context: TurnContext, creature: Creature) -> bool:
    return creature.number in context.level.creatures
