"""Doors and devices in walls: walking into one opens or works it, a command closes a door (rules A58, A59, F176).

Doors have no owner.
"""

from gloam_server.content.places.devices import DeviceKind
from gloam_server.world.effects.device_turn import turn_on
from gloam_server.world.growth.sounds import resound
from gloam_server.world.items.equipment import take_item
from gloam_server.world.items.floor_items import destroy_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Action, Impossible, Outcome, Verb
from gloam_server.world.model.powers import has_power
from gloam_server.world.population.starting_gear import reveal_creature
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import capital, with_article, with_definite_article
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


class Pull(Action, frozen=True):
    """Pull a lever."""

    noise = "door"
    cell: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Turn the lever on, or off; the gates follow at the end of the turn."""
        devices = context.level.state.devices
        assert devices, "plan found a lever there"
        device = devices.placed[self.cell]
        context.emit("pulls", creature, source=context.level.campaign.devices[device.kind].name)
        if device.on:
            device.on = False
        else:
            turn_on(context, self.cell, creature)


class Unlock(Action, frozen=True):
    """Open a lock with a key, which is used up."""

    noise = "door"
    cell: int
    key: int

    def execute(self, context: TurnContext, creature: Creature) -> None:
        """Use up the key, and turn the lock on."""
        devices = context.level.state.devices
        assert devices, "plan found a lock there"
        used = next(item for item in creature.carried if item.number == self.key)
        key = take_item(context.level, creature, used)
        name = context.level.campaign.devices[devices.placed[self.cell].kind].name
        context.emit_item_event("unlocks", key, creature, creature.cell, source=name)
        destroy_item(context, key, creature.cell)
        turn_on(context, self.cell, creature)


def plan_device(level: Level, creature: Creature, cell: int) -> Outcome | None:
    """Return the working of the device in the wall on a cell, or why it does nothing; None without one.

    Only players work devices.
    """
    devices = level.state.devices
    kind = devices.kind_at(level.campaign, cell) if devices else None
    if kind is None or not devices or not creature.account or level.is_walkable(cell):
        return None
    match kind.mechanism:
        case "lever":
            return Pull(cell)
        case "lock":
            return _plan_unlocking(level, creature, cell, kind, is_on=devices.placed[cell].on)
        case "gate":
            name = capital(with_definite_article(kind.name))
            return Impossible(f"{name} is shut: something else opens it.", "cannot_open")
        case _:
            return None


def plan_cage(level: Level, cell: int) -> Impossible | None:
    """Return why the captive on a cell cannot be freed: its cage is shut; None if it can."""
    devices = level.state.devices
    kind = devices.kind_at(level.campaign, cell) if devices else None
    if kind is None or not devices or kind.mechanism != "cage" or devices.placed[cell].on:
        return None
    name = capital(with_definite_article(kind.name))
    return Impossible(f"{name} is shut: something else opens it.", "cannot_open")


def _plan_unlocking(level: Level, creature: Creature, cell: int, kind: DeviceKind, *, is_on: bool) -> Outcome:
    name = capital(with_definite_article(kind.name))
    if is_on:
        return Impossible(f"{name} is open already.", "already")
    key = next((item for item in creature.carried if _fits(creature, kind, item)), None)
    if key is None:
        needed = with_article(level.campaign.items[kind.takes].name)
        return Impossible(f"{name} is shut: it takes {needed}.", "cannot_open")
    return Unlock(cell, key.number)


def _fits(creature: Creature, kind: DeviceKind, item: Item) -> bool:
    return item.kind == kind.takes and item.bound in (0, creature.number)
