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


def end_action(stage: TurnContext, creature: Creature) -> None:
    """Count an action, and apply the upkeep."""
    creature.actions += 1
    if creature.contacts and creature.account and _is_on_level(stage, creature):
        forget_old_contacts(creature)
    end_of_turn(stage, creature)


def end_of_turn(stage: TurnContext, creature: Creature) -> None:
    """Apply status effects, regeneration and hunger: after an action, or after a turn of sleep.

    A player who took the stairs with this action can starve only with the next one.
    """
    work = stage.work
    stands = _is_on_level(stage, creature)
    if stands and (creature.lasting or creature.ring):
        tick_statuses(stage, creature)
        if not _is_on_level(stage, creature):
            return
    regrown = regenerate(stage, creature)
    if not creature.account or stands != _is_on_level(stage, creature):
        return
    eaten = hunger.food_cost(stage.level.campaign.hunger, work, regrown.points, healing=regrown.healing)
    left = max(0, creature.food - eaten)
    if stands:
        set_food(stage, creature, left)
    else:
        creature.food = left


def set_food(stage: TurnContext, player: Creature, food: int) -> None:
    """Set a player's food; they get a message about a new state, and may die of it (rules JG.15, TG.18, RG.18)."""
    rules = stage.level.campaign.hunger
    had, before = player.food, hunger.hunger_state(rules, player.food, player.food_max)
    meal = hunger.fill_stomach(rules, food, player.food_max or rules.max)
    player.food, player.food_max = meal.food, meal.room
    if meal.burst:
        stage.emit("overeats", player)
        if player.hp <= 1:
            stage.emit("bursts", player)
            die(stage, player, "overeating")
            return
        apply_damage(stage, player, 1, None, "overeating", source="gradual")
    ended_by = hunger.death_by_hunger(rules, meal.food)
    if ended_by is not None:
        stage.emit(_TOLD_AS[ended_by], player)
        die(stage, player, "choking" if ended_by == "choking" else "starvation")
    elif (now := hunger.hunger_state(rules, meal.food, meal.room)) != before:
        _announce_hunger(stage, player, now, worse=meal.food < had)


def _announce_hunger(stage: TurnContext, player: Creature, now: Hunger, *, worse: bool) -> None:
    if stage.level.campaign.hunger.rule != "six_states":
        stage.emit_private("hunger", player, amount=player.food, source=HUNGER_WORDS[now].lower())
    elif worse and now in _WARNINGS:
        stage.emit_private("hungers", player, source=_WARNINGS[now])


def _is_on_level(stage: TurnContext, creature: Creature) -> bool:
    return creature.number in stage.level.creatures
