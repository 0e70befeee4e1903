"""Sounds of what monsters do out of sight: their kind and direction, and nothing else (rule F102)."""

from typing import Literal, TypeAlias

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

SoundKind: TypeAlias = Literal["fight", "call", "door", "growth", "name"]
"""The fields of `SoundRules` with the words of a sound."""


def resound(context: TurnContext, sound: SoundKind, source: Creature) -> None:
    """Let the players within earshot who do not see a monster hear it, if they have heard nothing for a while."""
    level = context.level
    rules = level.campaign.sounds
    words = getattr(rules, sound)
    if not rules.cells or not words or source.account:
        return
    hearers = [player for player in level.players() if _can_hear(level, player, source)]
    if not hearers:
        return
    seen_by = {body.number for body in level.observers(source.cell)}
    for player in hearers:
        if player.number not in seen_by:
            player.ai.heard = player.actions
            direction = level.grid.compass(player.cell, source.cell)
            context.emit_private("hears", player, source=f"{words}: {direction}")


def _can_hear(level: Level, player: Creature, source: Creature) -> bool:
    rules = level.campaign.sounds
    rested = not isinstance(player.ai.heard, int) or player.ai.heard + rules.turns_between <= player.actions
    return rested and level.distance(player, source) <= rules.cells
