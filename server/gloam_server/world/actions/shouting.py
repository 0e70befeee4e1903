"""Shouting: a noise that wakes sleepers, and shows players where it came from (rule F64)."""

from typing import Final

from gloam_server.world.combat.sleep import shorten_sleep
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome, Verb
from gloam_shared.protocol import commands

EARSHOT: Final = 8
"""The number of cells within which a shout is heard, also through walls."""


class Shout(Verb[commands.Shout], frozen=True):
    """Make a noise."""

    command = commands.Shout

    @classmethod
    def plan(cls, level: Level, _creature: Creature, _command: commands.Shout) -> Outcome:
        """Return the shout, if the campaign has it."""
        if "shout" not in level.campaign.commands:
            return Impossible("Shouting is of no use here.", "no_command")
        return cls()

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Emit the event for all players within earshot, then wake the sleepers."""
        level = context.level
        context.emit("shouts", creature)
        witnesses = {body.number for body in level.observers(creature.cell)}
        hearers = [
            other
            for _, other in sorted(level.creatures.items())
            if other is not creature and level.distance(creature, other) <= EARSHOT
        ]
        for hearer in hearers:
            if hearer.number not in witnesses:
                direction = level.grid.compass(hearer.cell, creature.cell)
                context.emit_private("hears_shout", hearer, source=direction)
        for hearer in hearers:
            shorten_sleep(context, hearer, hearer.asleep)
