"""Doors: walking into one opens it, a command closes it. Doors have no owner (rules A58, A59)."""

from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import CloseDoorDeed, Impossible, Outcome, RevealDeed
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import step


def plan_open(level: Level, creature: Creature, cell: int) -> Outcome:
    """Return the opening of a closed door, for kinds that open doors."""
    return CloseDoorDeed(cell) if level.can_open(creature) else Impossible("There is no way through.")


def plan_close(level: Level, creature: Creature, dx: int, dy: int) -> Outcome:
    """Return the closing of an open door next to the creature, if no creature and no item is in it.

    A hidden creature there is bumped into: a refusal would reveal it without a cost.
    """
    cell = step(creature.cell, dx, dy, level.width, level.height)
    if cell is None or (dx, dy) not in level.campaign.directions or level.terrain[cell] != Terrain.DOOR_OPEN:
        return Impossible("There is no open door there.")
    if not level.can_open(creature):
        return Impossible("You cannot close doors.")
    other = level.at(cell)
    if other is not None and not other.hidden:
        return Impossible("Another creature stands in the doorway.")
    if cell in level.piles:
        return Impossible("Something lies in the doorway.")
    return CloseDoorDeed(cell) if other is None else RevealDeed(other.number)


def toggle_door(stage: TurnContext, creature: Creature, cell: int) -> None:
    """Open a closed door, or close an open one."""
    opens = stage.level.terrain[cell] == Terrain.DOOR_CLOSED
    stage.level.dig(cell, Terrain.DOOR_OPEN if opens else Terrain.DOOR_CLOSED)
    stage.emit("opens" if opens else "closes", creature)
