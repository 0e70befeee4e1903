"""The devices of a level as a viewer knows them: those seen at any time, on the cells as they remember them. Pure."""

from msgspec import UNSET

from gloam_server.content.places.devices import DeviceKind
from gloam_server.world.model.devices.device_state import Devices
from gloam_server.world.model.level import Level
from gloam_shared.appearance import Terrain
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook


def device_kinds(level: Level) -> tuple[str, ...]:
    """Return the keys of the kinds of devices on a level, by key: their looks precede the looks of surfaces."""
    devices = level.state.devices
    return () if devices is UNSET else tuple(sorted({device.kind for device in devices.placed.values()}))


def known_devices(level: Level, devices: Devices, memory: bytes | bytearray) -> dict[int, int]:
    """Return the numbers of the looks of the devices that a viewer knows, by cell; a gate that they saw open has none."""
    kinds, campaign = device_kinds(level), level.campaign
    numbers = {key: number for number, key in enumerate(kinds, start=1)}
    return {
        cell: numbers[device.kind]
        for cell, device in devices.placed.items()
        if _is_known(campaign.devices[device.kind], memory[cell])
    }


def device_looks(level: Level) -> tuple[SurfaceLook, ...]:
    """Return the looks of the kinds of devices on a level, in the order of their numbers."""
    return tuple([_look_of(level.campaign.devices[key]) for key in device_kinds(level)])


def _is_known(kind: DeviceKind, remembered: int) -> bool:
    return remembered == Terrain.WALL if kind.mechanism == "gate" else remembered != Terrain.UNKNOWN


def _look_of(kind: DeviceKind) -> SurfaceLook:
    mark = SurfaceFlag.SINKS if kind.mechanism == "plate" else SurfaceFlag.STAYS
    return SurfaceLook(kind.name, kind.words, kind.sign, kind.unicode, kind.colour, marks=int(mark))
