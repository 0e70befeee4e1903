"""Noise: what players do wakes sleepers, and what they throw draws hunters that are awake (rules F122, F123)."""

from collections.abc import Sequence
from typing import Final

from gloam_server.world.combat.hostility import is_on_players_side, is_watched
from gloam_server.world.combat.sleep import shorten_sleep
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import Hearing, LevelCell
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_light_footed, tasks_of
from gloam_server.world.model.outcome import Noise
from gloam_server.world.model.powers import power_amount

HEARD_ACTIONS: Final = 5
"""The number of own actions for which a player counts as heard."""


def make_noise(context: TurnContext, player: Creature, noise: Noise) -> None:
    """Let sleepers hear what a player has just done, if any sleep near: steps of light feet make no noise."""
    level = context.level
    sleepers = [each for each in level.monsters() if each.asleep]
    if not sleepers or player.number not in level.creatures:
        return
    loudness = _loudness(level, player, noise)
    near = [each for each in sleepers if level.distance(each, player) <= loudness]
    if near:
        _disturb(context, player, near, player.cell, loudness)


def wake_around(context: TurnContext, player: Creature, cell: int, radius: int) -> None:
    """Wake the sleepers within a radius of a cell, as a noise that all of them hear; they go to look there."""
    level = context.level
    for sleeper in level.monsters():
        if sleeper.asleep and _may_wake(level, sleeper) and level.grid.distance(sleeper.cell, cell) <= radius:
            shorten_sleep(context, sleeper, sleeper.asleep)
            lure(level, sleeper, cell)
            note_heard(player)


def attract(context: TurnContext, player: Creature, cell: int) -> None:
    """Let an item that lands be heard: sleepers may wake, and hunters that have no foe go to look at its cell."""
    level, loudness = context.level, context.level.campaign.hearing.lands
    if not (loudness and player.account):
        return
    near = [each for each in level.monsters() if level.grid.distance(each.cell, cell) <= loudness]
    _disturb(context, player, [each for each in near if each.asleep], cell, loudness)
    for creature in near:
        if may_look(level, creature):
            lure(level, creature, cell)


def lure(level: Level, creature: Creature, cell: int) -> None:
    """Let a creature go to look at a cell, as to where it saw a foe last."""
    creature.ai.last_seen, creature.ai.trail_steps = LevelCell(level.partition, cell), 0


def may_look(level: Level, creature: Creature) -> bool:
    """Return whether a creature hunts, is awake and on its own, and so would go after a sound."""
    tasks = tasks_of(level.campaign, creature)
    return (
        not creature.asleep
        and not creature.hidden
        and not is_on_players_side(creature)
        and "hunt" in tasks
        and "guard" not in tasks
        and not is_watched(level, creature)
    )


def noise_state(level: Level, player: Creature) -> int:
    """Return 2 if something has lately heard a player, 1 if not, 0 where no noise is heard."""
    if not level.campaign.hearing.wakes_percent:
        return 0
    heard = player.hearing
    return 2 if heard and player.actions - heard.heard_at < HEARD_ACTIONS else 1


def note_heard(player: Creature) -> None:
    """Note that something has heard a player."""
    player.hearing = player.hearing or Hearing()
    player.hearing.heard_at = player.actions


def _loudness(level: Level, player: Creature, noise: Noise) -> int:
    campaign = level.campaign
    if noise == "step" and is_light_footed(campaign, player):
        return 0
    loudness: int = getattr(campaign.hearing, noise)
    return loudness - power_amount(campaign, player, "quiet")


def _disturb(
    context: TurnContext, player: Creature, sleepers: Sequence[Creature], cell: int, loudness: int
) -> None:
    """Wake the sleepers that hear a noise on a cell; those that the player does not see hear it half as far."""
    level = context.level
    seen = level.field_of_view(player)
    for sleeper in sleepers:
        away = level.grid.distance(cell, sleeper.cell) * (1 if seen[sleeper.cell] else 2)
        percent = (loudness - away + 1) * level.campaign.hearing.wakes_percent
        if (
            percent > 0
            and _may_wake(level, sleeper)
            and context.dice.chance("hears", sleeper.number, percent)
        ):
            shorten_sleep(context, sleeper, sleeper.asleep)
            lure(level, sleeper, cell)
            note_heard(player)


def _may_wake(level: Level, sleeper: Creature) -> bool:
    """Return whether noise wakes a sleeper: not out of the sleep of a spell."""
    return sleeper.ai.dozes or level.campaign.creatures[sleeper.kind].sleeps
