"""Devices at the end of each input: plates follow who stands on them, altars take gifts, gates follow all of these.

The state of a gate follows from the devices that work it alone (rules F175 to F178), so however a body leaves a plate, by a
step, a spell, stairs, death or a lost connection, the gate follows.
"""

from msgspec import UNSET

from gloam_server.content.places.devices import DeviceKind
from gloam_server.world.combat.noise import wake_around
from gloam_server.world.effects import spells
from gloam_server.world.effects.traps import trigger_traps
from gloam_server.world.items.floor_items import destroy_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.devices.device_state import Device, Devices
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import end_surfaces
from gloam_shared.appearance import Terrain


def settle_devices(context: TurnContext) -> None:
    """Let the plates and altars of a level follow what is on them, then its gates and cages follow what works them."""
    devices = context.level.state.devices
    if devices is UNSET:
        return
    for cell, device in list(devices.placed.items()):
        kind = context.level.campaign.devices[device.kind]
        if kind.mechanism == "plate":
            _settle_plate(context, cell, device, kind)
        elif kind.mechanism == "altar" and not device.on:
            _take_gift(context, cell, kind)
    for cell, device in devices.placed.items():
        kind = context.level.campaign.devices[device.kind]
        if (
            kind.mechanism == "plate"
        ):  # a spell that another has cast may have moved or killed who stood there
            device.on = device.on and _is_held(context.level, cell)
    for cell, device in devices.placed.items():
        kind = context.level.campaign.devices[device.kind]
        if kind.mechanism in ("gate", "cage"):
            _settle_gate(context, devices, cell, kind)


def turn_on(context: TurnContext, cell: int, worker: Creature | None) -> None:
    """Turn a device on: it casts its spell, and wakes who sleeps near."""
    level = context.level
    assert level.state.devices, "a device stands there"
    device = level.state.devices.placed[cell]
    kind = level.campaign.devices[device.kind]
    device.on = True
    if kind.wakes and worker is not None and worker.account:
        wake_around(context, worker, cell, kind.wakes)
    if kind.spell:
        spells.cast_spell(context, kind.spell, None, cell if worker is None else worker.cell)
        trigger_traps(context)


def works_plates(creature: Creature) -> bool:
    """Return whether a body is heavy enough for plates: a player's, or a companion's (rule F175)."""
    return bool(creature.account) or creature.bond == "companion"


def _settle_plate(context: TurnContext, cell: int, device: Device, kind: DeviceKind) -> None:
    body = context.level.at(cell)
    if body is None or not _is_held(context.level, cell):
        device.on = False
    elif not device.on:
        context.emit("treads", body, source=kind.name)
        turn_on(context, cell, body)


def _is_held(level: Level, cell: int) -> bool:
    body = level.at(cell)
    return body is not None and works_plates(body)


def _take_gift(context: TurnContext, cell: int, kind: DeviceKind) -> None:
    """Let an altar take the first fitting item that a player has left on it."""
    level = context.level
    for item in level.piles.get(cell, ()):
        giver = level.creatures.get(item.left_by)
        if giver is not None and giver.account and _is_gift(level, kind, item):
            level.take_item(item, cell)
            context.emit_item_event("offers", item, giver, cell, source=kind.name)
            destroy_item(context, item, cell)
            turn_on(context, cell, giver)
            return


def _is_gift(level: Level, kind: DeviceKind, item: Item) -> bool:
    if item.bound not in (0, item.left_by):
        return False
    group = level.campaign.items[item.kind].group
    return item.kind == kind.takes or (bool(kind.group) and group == kind.group)


def _settle_gate(context: TurnContext, devices: Devices, cell: int, kind: DeviceKind) -> None:
    """Open or shut a gate or a cage; a gate does not shut on a body or an item."""
    level, device = context.level, devices.placed[cell]
    worked = devices.force_on(level.campaign, cell) >= kind.needs
    opens = worked or (device.on and kind.stays)
    if opens == device.on:
        return
    if kind.mechanism == "gate":
        if not opens and (cell in level.occupied or cell in level.piles):
            return
        if not opens and level.state.surfaces:
            end_surfaces(level, [cell], context.dice, leaves=False)
        level.dig(cell, Terrain.FLOOR if opens else Terrain.WALL)
    device.on = opens
    workers = [at for at, *_ in devices.workers_of(level.campaign, cell)]
    context.emit_place("gate_opens" if opens else "gate_shuts", cell, source=kind.name, also_on=workers)
