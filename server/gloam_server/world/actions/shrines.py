"""Waiting on purpose: on a shrine it makes a player whole, once in his life for each shrine."""

from gloam_server.world.creature import Creature
from gloam_server.world.stage import Stage
from gloam_shared.appearance import Terrain


def linger(stage: Stage, creature: Creature) -> None:
    """Wait, and be healed where there is a shrine that has not yet done so in this life."""
    level = stage.level
    if creature.account and level.terrain[creature.cell] == Terrain.SHRINE:
        _pray(stage, creature, f"shrine_{level.place}_{creature.cell}")


def _pray(stage: Stage, creature: Creature, shrine: str) -> None:
    if shrine in creature.tally:
        stage.note("shrine_is_silent", creature)
        return
    creature.tally[shrine] = 1
    creature.hp = creature.hp_max
    creature.mana = creature.mana_max
    stage.tell("shrine_heals", creature)
