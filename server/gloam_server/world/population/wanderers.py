"""Wanderers: the creatures that hear a hurt player rest, and go to look (rule F121)."""

from gloam_server.world.combat.noise import lure, may_look, note_heard
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import Hearing
from gloam_server.world.model.level import Level
from gloam_server.world.population.respawning import (
    count_natives,
    population_target,
    spawn_newcomer,
    unseen_cells,
)


def hear_rest(context: TurnContext, player: Creature) -> None:
    """Count a hurt player's turn of rest; now and then a creature goes to look, and the player hears from where."""
    level, rules = context.level, context.level.campaign.hearing
    if not rules.rest_every:
        return
    if player.hp == player.hp_max:
        if player.hearing:
            player.hearing.rested = player.hearing.drawn = 0
        return
    heard = player.hearing = player.hearing or Hearing()
    heard.rested += 1
    if heard.rested % rules.rest_every or heard.drawn >= rules.rest_draws:
        return
    if level.depth == 1 and player.actions < rules.spared_turns:
        return
    temper = level.temper
    percent = rules.rest_percent * (temper.rest_percent if temper else 100) // 100
    if not context.dice.chance("wanderer", player.number, percent):
        return
    hearer = _nearest_hearer(level, player) or _newcomer(context)
    if hearer is not None:
        heard.drawn += 1
        note_heard(player)
        lure(level, hearer, player.cell)
        context.emit_private("hears_coming", player, source=level.grid.compass(player.cell, hearer.cell))


def _nearest_hearer(level: Level, player: Creature) -> Creature | None:
    within = level.campaign.hearing.rest_cells
    near = [
        (level.distance(player, creature), creature.number)
        for creature in level.monsters()
        if level.distance(player, creature) <= within and may_look(level, creature)
    ]
    return level.creatures[min(near)[1]] if near else None


def _newcomer(context: TurnContext) -> Creature | None:
    """Return a new creature out of sight, if the level lacks one; it is worth less, as respawned ones are (rule F35)."""
    level = context.level
    if count_natives(level) >= population_target(level):
        return None
    newcomer = spawn_newcomer(context, unseen_cells(level))
    if newcomer is not None:
        newcomer.generation = 1
    return newcomer
