"""Changes of the devices of a level that no rule makes: those for another version of its campaign."""

from msgspec import UNSET

from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain


def forget_unknown_devices(level: Level) -> None:
    """Take all devices from a level that has one of a kind that the campaign does not have any more; its gates stay open."""
    devices = level.state.devices
    if devices is UNSET or all(device.kind in level.campaign.devices for device in devices.placed.values()):
        return
    for cell in {worked for device in devices.placed.values() for worked in device.works}:
        if level.terrain[cell] == Terrain.WALL:
            level.dig(cell, Terrain.FLOOR)
    level.state.devices = UNSET
