"""Two on both sides of a foe, and friends who change places in a fight (rules F129, F130)."""

from msgspec import UNSET

from gloam_server.world.combat.hostility import is_enemy, is_hostile, is_on_players_side
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level


def blow_between(level: Level, by: Creature, target: Creature, amount: int) -> int:
    """Return the damage of a blow: more, rounded up, if another of the players' side stands behind the foe (rule F129)."""
    percent = level.campaign.friends.flank_percent
    if not (percent and amount and is_on_players_side(by)):
        return amount
    dx, dy = level.grid.towards(by.cell, target.cell)
    cell = level.grid.step(target.cell, dx, dy)
    other = level.at(cell) if cell is not None and level.distance(by, target) == 1 else None
    if other is None or not is_on_players_side(other) or other.asleep or other.down is not UNSET:
        return amount
    return -(-amount * (100 + percent) // 100) if is_hostile(level, other, target) else amount


def may_relieve(level: Level, creature: Creature, friend: Creature) -> bool:
    """Return whether a player may change places with a friend of the party who is in a fight (rule F130).

    Never into more danger: where the player stands there must be no trap, and no more enemies than beside the friend.
    """
    if not level.campaign.friends.swaps or creature.member is UNSET or creature.member != friend.member:
        return False
    if creature.asleep or friend.asleep or creature.cell in level.traps:
        return False
    return _enemies_beside(level, friend, creature.cell) <= _enemies_beside(level, friend, friend.cell)


def _enemies_beside(level: Level, friend: Creature, cell: int) -> int:
    return sum(
        not each.hidden and level.grid.distance(each.cell, cell) == 1 and is_enemy(level, each, friend)
        for each in level.monsters()
    )
