"""Doors: walking into one opens it, a command closes it. Doors have no owner (rules A58, A59)."""

from gloam_server.world.growth.sounds import resound
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
from gloam_server.world.model.powers import has_power
from gloam_server.world.population.starting_gear import reveal_creature
from gloam_shared.appearance import Terrain
from gloam_shared.protocol import commands


class OpenDoor(Action, frozen=True):
    """Open a closed door."""

    noise = "door"
    cell: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Open the door, or break it; the creature stays where it is."""
        breaks = has_power(context.level.campaign, creature, "breaks_doors")
        context.level.dig(self.cell, Terrain.FLOOR if breaks else Terrain.DOOR_OPEN)
        context.emit("breaks_door" if breaks else "opens", creature)
        resound(context, "door", creature)


class Reveal(Action, frozen=True):
    """Run into a creature that lies in wait."""

    target: int

    def execute(self, context: TurnContext, _creature: Creature) -> None:
        """Reveal the hidden creature."""
        other = context.level.creatures[self.target]
        reveal_creature(other)
        context.emit("emerges", other)


class Close(Verb[commands.Close], frozen=True):
    """Close an open door."""

    command = commands.Close
    noise = "door"
    cell: int

    @classmethod
    def plan(cls, level: Level, creature: Creature, command: commands.Close) -> Outcome:
        """Return the closing of an adjacent open door, if no creature and no item is in it.

        A hidden creature there is bumped into: a refusal would reveal it without a cost.
        """
        cell = level.grid.step(creature.cell, command.dx, command.dy)
        if (
            cell is None
            or (command.dx, command.dy) not in level.campaign.directions
            or level.terrain[cell] != Terrain.DOOR_OPEN
        ):
            return Impossible("There is no open door there.", "no_door")
        if not level.can_open(creature):
            return Impossible("You cannot close doors.", "cannot_open")
        other = level.at(cell)
        if other is not None and not other.hidden:
            return Impossible("Another creature stands in the doorway.", "occupied")
        if cell in level.piles:
            return Impossible("Something lies in the doorway.", "obstructed")
        return cls(cell) if other is None else Reveal(other.number)

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Close it."""
        context.level.dig(self.cell, Terrain.DOOR_CLOSED)
        context.emit("closes", creature)


def plan_open(level: Level, creature: Creature, cell: int) -> Outcome:
    """Return the opening of a closed door, for kinds that open doors."""
    return (
        OpenDoor(cell) if level.can_open(creature) else Impossible("There is no way through.", "cannot_open")
    )
