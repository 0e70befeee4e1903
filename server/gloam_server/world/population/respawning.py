"""Respawning: a level that lost creatures fills up again, out of sight and within limits (rule F08).

It counts the turns of the players there, never a clock. Respawned creatures are worth nothing to the difficulty
tracker, which gains once, from the original creatures of a depth.
"""

from typing import Final

import numpy as np

from gloam_server.rules import difficulty_budget
from gloam_server.world.combat.bosses import RETURNS_AFTER, is_boss_missing, respawn_boss
from gloam_server.world.generation.placement.creature_placement import PlacedCreature
from gloam_server.world.generation.placement.creature_tables import choose_kind
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.population.spawning import is_from_level, spawn_creature

SPAWN_DISTANCE_MIN: Final = 8
"""The least distance of a new creature to every player."""


def respawn_if_due(stage: TurnContext) -> None:
    """After enough turns bring one creature, if the level lacks one and there is a place that no player sees.

    A boss that was slain comes before all others, for those who had no part in it (rule F32).
    """
    level = stage.level
    lacking = is_boss_missing(level)
    every = level.level_kind.respawn_turns or (RETURNS_AFTER if lacking else 0)
    if not every:
        return
    level.state.quiet += 1
    if level.state.quiet < every:
        return
    level.state.quiet = 0
    if lacking:
        respawn_boss(stage, level.campaign.victory.creature)
        return
    natives = sum(is_from_level(level, creature) for creature in level.creatures.values())
    if natives >= level.state.share or _is_at_target(level):
        return
    newcomer = spawn_newcomer(stage, unseen_cells(level))
    if newcomer is not None:
        newcomer.generation = 1  # it teaches less than a native (rule F35): no level is a field to be reaped


def spawn_newcomer(stage: TurnContext, places: list[int]) -> Creature | None:
    """Bring one creature as the level's populace would have drawn it to one of these cells; None where none may come."""
    level = stage.level
    free = [cell for cell in places if cell not in level.occupied]
    if not free or _is_at_target(level):
        return None
    spawn = _spawn(stage, stage.dice.pick("respawn place", 0, free))
    if spawn is None:
        return None
    newcomer = spawn_creature(stage, spawn)
    newcomer.respawned = True
    return newcomer


def unseen_cells(level: Level) -> list[int]:
    """Return the bare cells that no player sees and that are far enough from all of them."""
    watched = np.zeros((level.grid.height, level.grid.width), dtype=np.bool_)
    for player in level.players():
        y, x = divmod(player.cell, level.grid.width)
        watched[
            max(0, y - SPAWN_DISTANCE_MIN + 1) : y + SPAWN_DISTANCE_MIN,
            max(0, x - SPAWN_DISTANCE_MIN + 1) : x + SPAWN_DISTANCE_MIN,
        ] = True
        seen = np.frombuffer(level.field_of_view(player), dtype=np.uint8)
        watched |= seen.reshape(watched.shape) != 0
    return [
        cell
        for cell, known in enumerate(watched.ravel().tolist())
        if not known and level.is_empty_floor(cell)
    ]


def _is_at_target(level: Level) -> bool:
    return len(level.creatures) >= level.level_kind.creatures_max


def _spawn(stage: TurnContext, cell: int) -> PlacedCreature | None:
    """Return one creature as the level's populace would have drawn it; None when no kind is for it."""
    level, dice = stage.level, stage.dice
    campaign, rules, depth = level.campaign, level.level_kind, level.depth
    if rules.populace in ("rooms", "levelled"):
        above = difficulty_budget.level_to_spawn(campaign.difficulty, dice, level.state.difficulty)
        drawn = choose_kind(campaign, dice, above, depth, alone=True)
        return None if drawn is None else PlacedCreature(drawn.kind, cell, drawn.levels)
    if rules.populace == "uniform":
        kinds = [kind.key for kind in campaign.spawnable]
    else:
        kinds = [share.kind for share in rules.creatures if not campaign.creatures[share.kind].boss]
    if not kinds:
        return None
    return PlacedCreature(dice.pick("respawn", 0, kinds), cell, (depth - 1) * rules.levels_per_depth)
