"""Sounds of what monsters do out of sight, also beyond stairs: their kind and direction, and nothing else (rule F102)."""

from collections.abc import Iterator
from typing import Final

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import Envelope, Resound, SoundKind
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain

_OF_GROWTH: Final[frozenset[SoundKind]] = frozenset({"growth", "arrival"})
"""The sounds that are heard however lately another was: they are rare, and tell who will be met."""
_STAIRS: Final = ((Terrain.STAIRS_UP, -1), (Terrain.STAIRS_DOWN, 1))
"""The stairs, and the step to the number of the level beyond them."""


def resound(context: TurnContext, sound: SoundKind, source: Creature) -> None:
    """Let the players within earshot who do not see a monster hear it, if they have heard nothing for a while."""
    level = context.level
    rules = level.campaign.sounds
    words = getattr(rules, sound)
    if not rules.cells or not words or source.account:
        return
    context.outputs += _beyond_stairs(level, sound, source.cell)
    hearers = hearers_of(level, sound, source.cell, rules.cells)
    if not hearers:
        return
    seen_by = {body.number for body in level.observers(source.cell)}
    for player in hearers:
        if player.number not in seen_by:
            direction = level.grid.compass(player.cell, source.cell)
            _hear(context, player, sound, f"{words}: {direction}")


def tell_direction(context: TurnContext, by: Creature, target: Creature) -> None:
    """Let a player who is attacked by a creature out of their sight know the direction of the attack."""
    level = context.level
    if target.account and target.hp > 0 and target not in level.witnesses(by.cell):
        context.emit_private("attacked_from", target, source=level.grid.compass(target.cell, by.cell))


def resound_from_stairs(context: TurnContext, input_: Resound) -> None:
    """Let the players near a staircase hear what happens beyond it."""
    level = context.level
    way = "down" if input_.source[0] > level.partition else "up"
    for player in hearers_of(level, input_.sound, input_.cell, input_.cells):
        direction = level.grid.compass(player.cell, input_.cell)
        words = getattr(level.campaign.sounds, input_.sound)
        _hear(context, player, input_.sound, f"{words}: {way} the stairs, {direction}")


def hearers_of(level: Level, sound: SoundKind, cell: int, cells: int) -> list[Creature]:
    """Return the players within this many cells who have heard nothing for a while; all of them for a sound of growth."""
    between = level.campaign.sounds.turns_between
    return [
        player
        for player in level.players()
        if level.grid.distance(player.cell, cell) <= cells
        and (sound in _OF_GROWTH or not _heard_lately(player, between))
    ]


def _heard_lately(player: Creature, between: int) -> bool:
    return isinstance(player.ai.heard, int) and player.actions < player.ai.heard + between


def _hear(context: TurnContext, player: Creature, sound: SoundKind, told: str) -> None:
    if sound not in _OF_GROWTH:
        player.ai.heard = player.actions
    context.emit_private("hears", player, source=told)


def _beyond_stairs(level: Level, sound: SoundKind, cell: int) -> Iterator[Envelope]:
    """Yield a sound for the levels beyond the nearest stairs of each direction, with what is left of its way there."""
    for stairs, step in _STAIRS:
        found = [(level.grid.distance(cell, at), at) for at in _cells_with(level, stairs)]
        away, at = min(found, default=(level.campaign.sounds.cells, -1))
        left = level.campaign.sounds.cells - away
        if left > 0:
            yield Envelope(level.partition + step, Resound(sound, level.state.links.get(at, at), left))


def _cells_with(level: Level, terrain: Terrain) -> Iterator[int]:
    at = level.terrain.find(terrain)
    while at >= 0:
        yield at
        at = level.terrain.find(terrain, at + 1)
