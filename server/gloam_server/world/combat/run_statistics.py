"""Statistics of a life: small numbers by name, for its summary at the end (rule RG.30, F56)."""

from typing import Final, NamedTuple

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

DEALT: Final = "dealt"
TAKEN: Final = "taken"
DEEPEST: Final = "deepest"
WINS: Final = "wins"
_SLEW: Final = "slew "


class DefeatedEnemy(NamedTuple):
    """A foe that was defeated: its kind's name and its level."""

    name: str
    level: int


def count_damage(by: Creature | None, victim: Creature, amount: int) -> None:
    """Count damage for the players who dealt it and took it; damage to oneself does not count as dealt."""
    if by is not None and by.account and by is not victim:
        by.tally[DEALT] = by.tally.get(DEALT, 0) + amount
    if victim.account:
        victim.tally[TAKEN] = victim.tally.get(TAKEN, 0) + amount


def count_kill(killer: Creature, victim: Creature) -> None:
    """Remember the highest level at which a player defeated one of a kind."""
    if killer.account:
        key = _SLEW + victim.kind
        killer.tally[key] = max(victim.level, killer.tally.get(key, 0))


def count_depth(player: Creature, depth: int) -> None:
    """Remember how deep a player has been."""
    if player.account:
        player.tally[DEEPEST] = max(depth, player.tally.get(DEEPEST, 0))


def greatest_enemy(level: Level, player: Creature) -> DefeatedEnemy | None:
    """Return the greatest foe that a player has defeated: by level, then by the health of its kind, then by key."""
    kinds = level.campaign.creatures
    slain = [
        (at, kinds[key].hp, key)
        for name, at in sorted(player.tally.items())
        if (key := name.removeprefix(_SLEW)) != name and key in kinds
    ]
    if not slain:
        return None
    at, _, key = max(slain)
    return DefeatedEnemy(kinds[key].name, at)
