"""Companions and plates: one near its owner steps onto a plate and holds it, so that two bodies open a gate (rule F179)."""

from typing import Final

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.devices.device_state import Device, Devices
from gloam_server.world.model.level import Level

PLATE_CELLS: Final = 4
"""The distance from its owner of a plate that a companion goes to."""
HOLD_CELLS: Final = 12
"""The distance to its owner from which a companion leaves the plate that it holds."""


def plate_to_hold(level: Level, devices: Devices, companion: Creature, owner: Creature) -> int | None:
    """Return the plate that a companion holds or goes to: its own, else the nearest free one near its owner; None for none."""
    wanted = [cell for cell, device in devices.placed.items() if _is_wanted(level, devices, device)]
    if companion.cell in wanted:
        return companion.cell if level.distance(companion, owner) <= HOLD_CELLS else None
    seen = level.field_of_view(companion)
    free = [
        cell
        for cell in wanted
        if seen[cell] and cell not in level.occupied and level.grid.distance(cell, owner.cell) <= PLATE_CELLS
    ]
    return min(free, key=lambda cell: (level.grid.distance(companion.cell, cell), cell), default=None)


def _is_wanted(level: Level, devices: Devices, device: Device) -> bool:
    """Return whether a device is a plate that works something which is shut, or shuts without it, and has no price."""
    kinds = level.campaign.devices
    kind = kinds[device.kind]
    if kind.mechanism != "plate" or kind.spell or kind.wakes:
        return False
    worked = [devices.placed[cell] for cell in device.works]
    return any(not each.on or not kinds[each.kind].stays for each in worked)
