"""Ageing: what a body's own actions and its sleep do to it, and nothing else does: states pass, health grows back, players hunger."""

from typing import Final

from gloam_server.rules import hunger
from gloam_server.world.combat.damage import hurt
from gloam_server.world.combat.death import end_life
from gloam_server.world.combat.hostility import forget_old_contacts
from gloam_server.world.effects.regeneration import regrow
from gloam_server.world.effects.status_effects import pass_states
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_shared.narration.rendering import HUNGER_WORDS
from gloam_shared.view.view import Hunger

_TOLD_AS: Final[dict[hunger.End, str]] = {
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
"""What rule RG.18 tells of each state when it is come to from above; of the two best it tells nothing."""


def age(stage: Stage, creature: Creature) -> None:
    """Count an action, and let its time pass."""
    creature.actions += 1
    if _stands(stage, creature):
        forget_old_contacts(creature)
    pass_time(stage, creature)


def pass_time(stage: Stage, creature: Creature) -> None:
    """Let states pass, let health grow back, and let it take its food: after an action, or a turn that was slept through.

    Who took the stairs by it can starve only by his next.
    """
    work = stage.work
    stands = _stands(stage, creature)
    if stands:
        pass_states(stage, creature)
        if not _stands(stage, creature):
            return
    regrown = regrow(stage, creature)
    if not creature.account or stands != _stands(stage, creature):
        return
    eaten = hunger.cost(stage.level.campaign.hunger, work, regrown.points, healing=regrown.healing)
    left = max(0, creature.food - eaten)
    if stands:
        feed(stage, creature, left)
    else:
        creature.food = left


def feed(stage: Stage, player: Creature, food: int) -> None:
    """Set what a player has in his stomach; he notices a new state, and may die of it (rules JG.15, TG.18, RG.18)."""
    rules = stage.level.campaign.hunger
    had, before = player.food, hunger.state(rules, player.food, player.food_max)
    meal = hunger.filled(rules, food, player.food_max or rules.max)
    player.food, player.food_max = meal.food, meal.room
    if meal.burst:
        stage.tell("overeats", player)
        if player.hp <= 1:
            stage.tell("bursts", player)
            end_life(stage, player, "overeating")
            return
        hurt(stage, player, 1, None, "overeating", slow=True)
    ended_by = hunger.end(rules, meal.food)
    if ended_by is not None:
        stage.tell(_TOLD_AS[ended_by], player)
        end_life(stage, player, "choking" if ended_by == "choking" else "starvation")
    elif (now := hunger.state(rules, meal.food, meal.room)) != before:
        _notice(stage, player, now, worse=meal.food < had)


def _notice(stage: Stage, player: Creature, now: Hunger, *, worse: bool) -> None:
    if stage.level.campaign.hunger.rule != "six_states":
        stage.note("hunger", player, amount=player.food, source=HUNGER_WORDS[now].lower())
    elif worse and now in _WARNINGS:
        stage.note("hungers", player, source=_WARNINGS[now])


def _stands(stage: Stage, creature: Creature) -> bool:
    return creature.number in stage.level.creatures
