"""Companions: creatures that belong to a player and learn as all do (rules F115, F116).

A companion that goes along is in its owner's body until that stands on a level again. So both cross levels, leave play and
return by the same inputs: none of them can be lost or doubled without the other. One that was too far away to go along waits
on its level, and stays bonded until its owner returns there or dies.
"""

from typing import Final

from msgspec import UNSET

from gloam_server.world.combat.hostility import make_ally
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

COMPANION_CELLS: Final = 6
"""The distance in cells from which a companion goes along when its owner leaves the level by stairs or a hole."""


def companion_of(level: Level, player: Creature) -> Creature | None:
    """Return the companion of a player on this level, None without one."""
    return _companion_of(level, player.number)


def befriend(context: TurnContext, creature: Creature, player: Creature) -> None:
    """Make a creature the companion of a player; a former one goes its own way, still as a friend."""
    former = companion_of(context.level, player)
    if former is not None:
        _release(former)
    creature.bond, creature.owner = "companion", player.number
    creature.contacts.clear()
    for other in context.level.creatures.values():
        other.contacts.pop(creature.number, None)
    make_ally(context.level, creature)


def take_along(context: TurnContext, player: Creature, within: int | None = None) -> None:
    """Take a player's companion from the level into the player's body, if it is within some cells; None for any.

    Call this before the player leaves the level.
    """
    level = context.level
    companion = companion_of(level, player)
    if companion is None or (within is not None and level.distance(companion, player) > within):
        return
    if within is not None:
        context.emit("accompanies", companion, player)
    level.remove(companion)
    companion.contacts.clear()
    companion.hurt_by.clear()
    player.companion = companion


def set_down(context: TurnContext, player: Creature) -> Creature | None:
    """Put a player's companion from the player's body onto the level, and return it; without room it stays with the player."""
    level, companion = context.level, player.companion
    if companion is UNSET:
        return None
    cell = level.nearest_free_cell(player.cell)
    if cell is None or not level.can_hold(companion, cell):
        return None
    player.companion = UNSET
    former = companion_of(level, player)
    if former is not None:
        _release(former)
    companion.energy = 0
    level.add(companion, cell, context.dice)
    context.renowned.setdefault(companion.number, False)
    context.emit("arrives", companion, player)
    return companion


def release_of(level: Level, player: int) -> None:
    """Let the companion of a dead player, by creature ID, go its own way."""
    companion = _companion_of(level, player)
    if companion is not None:
        _release(companion)


def _companion_of(level: Level, player: int) -> Creature | None:
    return next(
        (body for body in level.monsters() if body.owner == player and body.bond == "companion"), None
    )


def _release(companion: Creature) -> None:
    companion.bond, companion.owner = UNSET, 0
