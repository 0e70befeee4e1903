"""The parts of a drawn room that gates shut off, and the devices that open them. Pure functions of a drawing."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from gloam_server.content.places.devices import IN_WALLS, DeviceKind
from gloam_server.content.places.drawn_rooms import DrawnRoom, RoomCell
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Direction
from gloam_shared.search import reachable

Kinds: TypeAlias = Mapping[str, DeviceKind]

_OPEN = WALKABLE | {Terrain.DOOR_CLOSED}


def numbered(room: DrawnRoom) -> list[tuple[int, RoomCell]]:
    """Return the cells of a drawing, each with its place row by row."""
    return [(cell.y * room.grid.width + cell.x, cell) for cell in room.cells]


def device_on(kinds: Kinds, cell: RoomCell) -> DeviceKind | None:
    """Return the kind of device that a cell of a drawing has; None without one, and for a kind that is not known."""
    return None if cell.entry is None else kinds.get(cell.entry.device)


def terrain_of(kinds: Kinds, cell: RoomCell) -> Terrain:
    """Return the terrain of a cell while all gates are open: devices in walls are wall, gates are floor."""
    device = device_on(kinds, cell)
    if device is None:
        return cell.terrain
    if device.mechanism == "gate":
        return Terrain.FLOOR
    return Terrain.WALL if device.mechanism in IN_WALLS else cell.terrain


def gates_of(room: DrawnRoom, kinds: Kinds) -> frozenset[int]:
    """Return the gates of a drawing, each as its place row by row."""
    return frozenset(
        at
        for at, cell in numbered(room)
        if (device := device_on(kinds, cell)) is not None and device.mechanism == "gate"
    )


def enclosed_parts(room: DrawnRoom, kinds: Kinds, directions: tuple[Direction, ...]) -> list[frozenset[int]]:
    """Return the parts of a room that cannot be reached from its entrances while its gates are shut."""
    gates = gates_of(room, kinds)
    ground = {at for at, cell in numbered(room) if terrain_of(kinds, cell) in _OPEN} - gates
    starts = [cell.y * room.grid.width + cell.x for cell in room.entrances]
    left = ground - _flood(room, ground, starts, directions)
    parts = []
    while left:
        parts.append(_flood(room, left, [min(left)], directions))
        left -= parts[-1]
    return parts


def workers_of(room: DrawnRoom, kinds: Kinds, sign: str) -> list[tuple[int, DeviceKind]]:
    """Return the devices of a drawing that work the gates or cages with a letter, each with its place."""
    return [
        (at, device)
        for at, cell in numbered(room)
        if cell.entry is not None
        and sign in cell.entry.works
        and (device := device_on(kinds, cell)) is not None
    ]


def _flood(
    room: DrawnRoom, ground: Iterable[int], starts: Iterable[int], directions: tuple[Direction, ...]
) -> frozenset[int]:
    open_, found = set(ground), set[int]()
    for start in starts:
        if start in open_ and start not in found:
            found |= {at for at, _ in reachable(start, open_.__contains__, room.grid, directions)}
    return frozenset(found)
