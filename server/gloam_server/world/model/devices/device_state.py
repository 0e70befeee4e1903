"""The devices of a level: where they stand, what they work, and whether they are on. Data and queries only.

A level without devices has no record of them, so a turn there costs nothing more. `effects.device_turn` changes them.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from gloam_server.content.campaign import Campaign
from gloam_server.content.places.devices import DeviceKind
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Grid


class Device(Struct, array_like=True):
    """A device on a cell."""

    kind: str
    """The key of its kind."""
    works: list[int] = field(default_factory=list)
    """The cells of the gates and cages that it works, rising."""
    on: bool = False
    """Whether it is on; of a gate or a cage, whether it is open."""


class Devices(Struct):
    """The devices of one level."""

    placed: dict[int, Device] = field(default_factory=dict)
    """Each device, by its cell, rising."""
    sealed: list[int] = field(default_factory=list)
    """The cells that cannot be reached on foot while all gates are shut, rising."""

    def kind_at(self, campaign: Campaign, cell: int) -> DeviceKind | None:
        """Return the kind of device on a cell, None without one."""
        device = self.placed.get(cell)
        return None if device is None else campaign.devices[device.kind]

    def workers_of(self, campaign: Campaign, cell: int) -> Iterator[tuple[int, Device, DeviceKind]]:
        """Yield the devices that work the gate or cage on a cell, with their cells and kinds, in the order of cells."""
        for at, device in self.placed.items():
            if cell in device.works:
                yield at, device, campaign.devices[device.kind]

    def force_on(self, campaign: Campaign, cell: int) -> int:
        """Return the force of the devices that are on and work the gate or cage on a cell."""
        return sum(kind.force for _, device, kind in self.workers_of(campaign, cell) if device.on)

    def closes(self, grid: Grid, cell: int) -> bool:
        """Return whether a wall belongs to what gates shut off: it holds a device, or stands beside a sealed cell."""
        sealed = self.sealed
        return cell in self.placed or any(near in sealed for near in grid.neighbors(cell))


def scattered_ground(terrain: bytes | bytearray, sealed: tuple[int, ...] | list[int]) -> bytes:
    """Return the terrain of a level where chance may put creatures and items: the cells that gates shut off count as wall."""
    if not sealed:
        return bytes(terrain)
    ground = bytearray(terrain)
    for cell in sealed:
        ground[cell] = Terrain.WALL
    return bytes(ground)
