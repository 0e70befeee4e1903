"""Roaming: going about without an aim."""

from gloam_server.world import actions
from gloam_server.world.creature import Creature
from gloam_server.world.gear import attack_of
from gloam_server.world.outcome import Impossible, Strike
from gloam_server.world.stage import Stage
from gloam_shared.commands import Move


def wander(stage: Stage, creature: Creature) -> bool:
    """Go one step in a random direction; a foe in the way is struck, anything else lets the action pass."""
    dx, dy = stage.dice.pick("wander", creature.number, stage.level.campaign.directions)
    outcome = actions.resolve(stage.level, creature, Move(dx, dy))
    if isinstance(outcome, Impossible):
        return False
    if isinstance(outcome, Strike) and not attack_of(stage.level, creature):
        return False
    actions.perform(stage, creature, outcome)
    return True
