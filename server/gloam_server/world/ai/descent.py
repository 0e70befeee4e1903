"""Creatures that leave a depth: those that have outgrown it (rule F66), and those that belong to another (rule F120)."""

from typing import Final

from gloam_server.rules.search import first_step
from gloam_server.world import actions
from gloam_server.world.actions.stairs import GoDeeper, GoHome, is_away
from gloam_server.world.ai.steering import push_towards, take_step
from gloam_server.world.combat.hostility import is_hostile, is_on_players_side, is_watched
from gloam_server.world.growth.beacons import is_warden
from gloam_server.world.growth.learning import earned_level, highest_to_stay
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain

_UNSEEN_PERCENT: Final = 1
"""The chance of each turn that a creature takes the stairs which no player has seen on its way."""


def go_deeper(context: TurnContext, creature: Creature) -> bool:
    """Take the stairs down, or go one step to the nearest, when a creature has outgrown its depth.

    It never turns its back on a player or an ally beside it. The first players who see it on its way read where it goes
    (rule F97). Unseen, it waits on the stairs for some 100 turns. Where no way leads to stairs, it leaves once no player sees
    it.
    """
    level = context.level
    if not has_outgrown(level, creature) or _is_beside_foe(level, creature):
        return False
    stairs = _nearest_stairs(level, creature)
    if not creature.ai.leaves and level.witnesses(creature.cell):
        creature.ai.leaves = True
        context.emit("outgrows", creature)
    if creature.cell == stairs:
        return _leave_or_wait(context, creature)
    if _step_far(context, creature, stairs) or push_towards(context, creature, stairs):
        return True
    if level.witnesses(creature.cell):
        return False
    actions.execute(context, creature, GoDeeper(stairs))
    return True


def _leave_or_wait(context: TurnContext, creature: Creature) -> bool:
    """Take the stairs, or wait on them unseen; return whether it does either instead of a fight."""
    if creature.ai.leaves or context.dice.chance("leaves", creature.number, _UNSEEN_PERCENT):
        actions.execute(context, creature, GoDeeper(creature.cell))
        return True
    others = context.level.creatures.values()
    return not any(
        context.level.distance(creature, other) == 1 and is_hostile(context.level, creature, other)
        for other in others
    )


def has_outgrown(level: Level, creature: Creature) -> bool:
    """Return whether a creature is too strong for its depth and may leave it: bosses, wardens, allies and guests stay."""
    bound = highest_to_stay(level)
    if bound is None or is_on_players_side(creature) or creature.bond == "captive":
        return False
    if creature.level <= bound and not (creature.victims and earned_level(level, creature) > level.own_level):
        return False  # one that killed a player would wait for the heir
    stays = level.campaign.creatures[creature.kind].boss or is_warden(level, creature)
    return not stays and Terrain.STAIRS_DOWN in level.terrain


def leave_unwatched(context: TurnContext) -> None:
    """Let those leave a level without players that killed one, or that belong to another level: no turns run there.

    The others that have outgrown it stay until players are there, who then see them go (rule F97).
    """
    go_home_unwatched(context)
    level = context.level
    if level.players() or not level.campaign.learning.leaves_above:
        return
    for number in sorted(level.creatures):
        creature = level.creatures[number]
        if creature.victims and has_outgrown(level, creature):
            context.acting = number
            actions.execute(context, creature, GoDeeper(_nearest_stairs(level, creature)))


def go_home_unwatched(context: TurnContext) -> None:
    """Let those go home from a level without players that belong to another level (rule F120)."""
    level = context.level
    if level.players() or not (
        level.campaign.learning.leaves_above or level.campaign.regeneration.follows_once
    ):
        return
    for number in sorted(level.creatures):
        creature = level.creatures[number]
        if is_away(level, creature):
            context.acting = number
            actions.execute(context, creature, GoHome())


def go_home(context: TurnContext, creature: Creature) -> bool:
    """Go back to the level that it followed a player from, once no player sees it or lately fought it (rule F120)."""
    if is_watched(context.level, creature):
        return False
    actions.execute(context, creature, GoHome())
    return True


def _is_beside_foe(level: Level, creature: Creature) -> bool:
    return any(
        is_on_players_side(other) and level.distance(creature, other) == 1
        for other in level.creatures.values()
    )


def _nearest_stairs(level: Level, creature: Creature) -> int:
    """Return the nearest staircase down by straight distance, the first of the level among equals."""
    cells = [cell for cell, terrain in enumerate(level.terrain) if terrain == Terrain.STAIRS_DOWN]
    return min(cells, key=lambda cell: (level.grid.distance(creature.cell, cell), cell))


def _step_far(context: TurnContext, creature: Creature, goal: int) -> bool:
    """Go one step on a shortest way to a cell at any distance; return whether there is a way."""
    level = context.level
    way = first_step(
        lambda cell: level.is_passable(creature, cell),
        creature.cell,
        goal,
        level.grid,
        level.campaign.directions,
        limit=len(level.terrain),
    )
    if way is None or (way == goal and goal in level.occupied):
        return False
    take_step(context, creature, way)
    return True
