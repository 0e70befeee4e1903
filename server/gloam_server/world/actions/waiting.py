"""Waiting: the player searches, and a shrine restores them, each shrine once in a life."""

from gloam_server.world.effects.status_effects import is_harmful_status, remove_status
from gloam_server.world.effects.traps import look_for_traps
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Action, Outcome, Verb
from gloam_server.world.population.wanderers import hear_rest
from gloam_shared.appearance import Terrain
from gloam_shared.protocol import commands


class Guard(Action, frozen=True):
    """Let the action pass."""

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Do nothing."""


class Wait(Verb[commands.Wait], frozen=True):
    """Wait, and search for traps."""

    command = commands.Wait

    @classmethod
    def plan(cls, _level: Level, _creature: Creature, _command: commands.Wait) -> Outcome:
        """Return the waiting: it is always possible."""
        return cls()

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Search for traps, and be restored by a shrine that has not yet done so in this life."""
        look_for_traps(context, creature)
        level = context.level
        if creature.account:
            hear_rest(context, creature)
        if creature.account and level.terrain[creature.cell] == Terrain.SHRINE:
            _use_shrine(context, creature, LevelCell(level.partition, creature.cell))


def _use_shrine(context: TurnContext, creature: Creature, shrine: LevelCell) -> None:
    if shrine in creature.used_shrines:
        context.emit_private("shrine_is_silent", creature)
        return
    level = context.level
    creature.used_shrines.append(shrine)
    creature.hp = creature.hp_max
    creature.mana = creature.mana_max
    context.emit("shrine_heals", creature)
    for state in [state for state in creature.lasting if is_harmful_status(level.campaign, state)]:
        remove_status(context, creature, state)
