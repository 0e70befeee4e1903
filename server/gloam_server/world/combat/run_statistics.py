"""Run statistics of a player, for the summary (rule RG.30, F56)."""

from typing import Final, NamedTuple

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

_SOURCES_MAX: Final = 12
"""The number of sources of a player's wounds that are remembered, those that took the most."""


class DefeatedEnemy(NamedTuple):
    """A defeated foe: its kind's name and its level."""

    name: str
    level: int


def count_damage(by: Creature | None, victim: Creature, amount: int) -> None:
    """Count damage for the players who dealt it and took it; damage to oneself does not count as dealt."""
    if by is not None and by.account and by is not victim:
        by.statistics.damage_dealt += amount
    if victim.account:
        victim.statistics.damage_taken += amount


class WorstSource(NamedTuple):
    """The source that took the most health since a player was last unhurt or got up, how much, and of how much in all."""

    name: str
    amount: int
    total: int


def note_wound(victim: Creature, name: str, amount: int) -> None:
    """Remember what takes health from a player, before it does; the wounds of an unhurt player are forgotten."""
    if not victim.account:
        return
    wounds = victim.statistics.wounds
    if victim.hp >= victim.hp_max:
        wounds.clear()
    wounds[name] = wounds.get(name, 0) + min(amount, victim.hp)
    if len(wounds) > _SOURCES_MAX:
        del wounds[min((each for each in wounds if each != name), key=lambda each: (wounds[each], each))]


def forget_wounds(body: Creature) -> None:
    """Begin a new count of what takes health from a player, as for each who gets up again."""
    body.statistics.wounds.clear()


def worst_source(player: Creature) -> WorstSource | None:
    """Return the source that took the most health since a player was last unhurt or got up; of equal ones the first by name."""
    wounds = player.statistics.wounds
    if not wounds:
        return None
    name = min(wounds, key=lambda each: (-wounds[each], each))
    return WorstSource(name, wounds[name], sum(wounds.values()))


def count_kill(killer: Creature, victim: Creature) -> None:
    """Remember the highest level at which a player defeated one of a kind."""
    if killer.account:
        slain = killer.statistics.slain
        slain[victim.kind] = max(victim.level, slain.get(victim.kind, 0))


def count_depth(player: Creature, depth: int) -> None:
    """Remember how deep a player has been."""
    if player.account:
        player.statistics.deepest = max(depth, player.statistics.deepest)


def greatest_enemy(level: Level, player: Creature) -> DefeatedEnemy | None:
    """Return the greatest foe that a player has defeated: by level, then by the health of its kind, then by key."""
    kinds = level.campaign.creatures
    slain = [(at, kinds[key].hp, key) for key, at in player.statistics.slain.items() if key in kinds]
    if not slain:
        return None
    at, _, key = max(slain)
    return DefeatedEnemy(kinds[key].name, at)
