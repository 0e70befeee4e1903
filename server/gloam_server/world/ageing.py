"""Ageing: what a body's own actions do to it, and nothing else does. Only players hunger."""

from gloam_server.rules import hunger
from gloam_server.world.creature import Creature
from gloam_server.world.death import end_life
from gloam_server.world.hostility import forget_old_contacts
from gloam_server.world.stage import Stage
from gloam_server.world.states import pass_states
from gloam_shared.narration import HUNGER_WORDS

_TOLD_AS = {"starvation": "starves", "choking": "chokes"}


def age(stage: Stage, creature: Creature) -> None:
    """Count an action, and let it take its food. Who took the stairs by it can starve only by his next."""
    creature.actions += 1
    stands = creature.number in stage.level.creatures
    if stands:
        forget_old_contacts(creature)
        pass_states(stage, creature)
        if creature.number not in stage.level.creatures:
            return
    if creature.account:
        left = hunger.eaten_into(stage.level.campaign.hunger, creature.food)
        if stands:
            feed(stage, creature, left)
        else:
            creature.food = left


def feed(stage: Stage, player: Creature, food: int) -> None:
    """Set what a player has in his stomach; he notices a new state, and may die of it (rule JG.15)."""
    rules = stage.level.campaign.hunger
    before = hunger.state(rules, player.food)
    player.food = food
    ended_by = hunger.end(rules, food)
    if ended_by is not None:
        stage.tell(_TOLD_AS[ended_by], player)
        end_life(stage, player, ended_by)
    elif (now := hunger.state(rules, food)) != before:
        stage.note("hunger", player, amount=food, source=HUNGER_WORDS[now].lower())
