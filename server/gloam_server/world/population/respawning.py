"""Repopulation: a level whose creatures fell fills up again, out of sight and within bounds (rule F08).

It goes by the turns of those who play there, never by a clock. Who comes so is worth nothing to the difficulty tracker: that is paid
once, by what a depth held when it was made.
"""

from typing import Final

import numpy as np

from gloam_server.rules import difficulty_budget
from gloam_server.world.combat.bosses import RETURNS_AFTER, lacks_boss, rise_again
from gloam_server.world.generation.placement.creature_placement import Spawn
from gloam_server.world.generation.placement.creature_tables import draw
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.population.spawning import bring, is_native

RESPAWNED: Final = "respawned"
"""The trait of who came to a level after it was made."""

AWAY_MIN: Final = 8
"""Nobody comes nearer to a player than so many cells."""


def repopulate(stage: Stage) -> None:
    """After enough turns bring one creature, if the level lacks one and there is a place that no player sees.

    A boss that was slain comes before all others, for those who had no part in it (rule F32).
    """
    level = stage.level
    lacking = lacks_boss(level)
    every = level.rules.respawn_turns or (RETURNS_AFTER if lacking else 0)
    if not every:
        return
    level.quiet += 1
    if level.quiet < every:
        return
    level.quiet = 0
    if lacking:
        rise_again(stage, level.campaign.victory.creature)
        return
    natives = sum(is_native(level, creature) for creature in level.creatures.values())
    if natives >= level.share or _is_full(level):
        return
    newcomer = come(stage, unseen(level))
    if newcomer is not None:
        newcomer.generation = 1  # it teaches less than a native (rule F35): no level is a field to be reaped


def come(stage: Stage, places: list[int]) -> Creature | None:
    """Bring one creature as the level's populace would have drawn it to one of these cells; None where none may come."""
    level = stage.level
    free = [cell for cell in places if cell not in level.occupied]
    if not free or _is_full(level):
        return None
    spawn = _spawn(stage, stage.dice.pick("respawn place", 0, free))
    if spawn is None:
        return None
    newcomer = bring(stage, spawn)
    newcomer.traits[RESPAWNED] = 1
    return newcomer


def unseen(level: Level) -> list[int]:
    """Return the bare cells that no player sees and that are far enough from all of them."""
    watched = np.zeros((level.height, level.width), dtype=np.bool_)
    for player in level.players():
        y, x = divmod(player.cell, level.width)
        watched[max(0, y - AWAY_MIN + 1) : y + AWAY_MIN, max(0, x - AWAY_MIN + 1) : x + AWAY_MIN] = True
        seen = np.frombuffer(level.sight(player), dtype=np.uint8)
        watched |= seen.reshape(watched.shape) != 0
    return [cell for cell, known in enumerate(watched.ravel().tolist()) if not known and level.bare(cell)]


def _is_full(level: Level) -> bool:
    return len(level.creatures) >= level.rules.creatures_max


def _spawn(stage: Stage, cell: int) -> Spawn | None:
    """Return one creature as the level's populace would have drawn it; None when no kind is for it."""
    level, dice = stage.level, stage.dice
    campaign, rules, depth = level.campaign, level.rules, level.depth
    if rules.populace in ("rooms", "levelled"):
        above = difficulty_budget.spawn_level(campaign.difficulty, dice, level.difficulty)
        drawn = draw(campaign, dice, above, depth, alone=True)
        return None if drawn is None else Spawn(drawn.kind, cell, drawn.levels)
    if rules.populace == "uniform":
        kinds = [kind.key for kind in campaign.spawnable]
    else:
        kinds = [share.kind for share in rules.creatures if not campaign.creatures[share.kind].boss]
    if not kinds:
        return None
    return Spawn(dice.pick("respawn", 0, kinds), cell, (depth - 1) * rules.levels_per_depth)
