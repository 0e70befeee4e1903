"""The surfaces of a level as a viewer sees them: those in sight, and what each kind does. Pure."""

from typing import Final

from msgspec import UNSET

from gloam_server.content.surfaces import SurfaceKind
from gloam_server.views.device_looks import device_kinds, device_looks, known_devices
from gloam_server.views.menace import damage_kind
from gloam_server.world.model.level import Level
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook

_SEEN: Final = b"\0" + b"\xff" * 255


def surfaces_in_sight(level: Level, sight: bytes, memory: bytes | bytearray) -> bytes:
    """Return one byte for each cell, the number of the surface that is seen there; nothing where none is seen.

    A patch packs a view without any as nothing, so there is one form of it. The devices that are known are among them,
    also out of sight; a surface covers them.
    """
    surfaces, devices = level.state.surfaces, level.state.devices
    if devices is UNSET:
        return b"" if surfaces is UNSET else _in_sight(surfaces.cells, sight)
    cells = bytearray(len(sight))
    if surfaces is not UNSET:
        shifted = bytes([0, *range(len(device_kinds(level)) + 1, 256)]).ljust(256, b"\xff")
        cells = bytearray(_in_sight(surfaces.cells, sight).translate(shifted)) or cells
    for cell, number in known_devices(level, devices, memory).items():
        cells[cell] = cells[cell] or number
    return bytes(cells) if cells.count(0) < len(cells) else b""


def _in_sight(cells: bytearray, sight: bytes) -> bytes:
    seen = int.from_bytes(cells) & int.from_bytes(sight.translate(_SEEN))
    return seen.to_bytes(len(sight)) if seen else b""


def surface_looks(level: Level) -> tuple[SurfaceLook, ...]:
    """Return the looks of the devices of a level, then of the kinds of surfaces that were ever there, as their numbers go."""
    surfaces = level.state.surfaces
    kinds = () if surfaces is UNSET else surfaces.kinds
    return (*device_looks(level), *(_look_of(level.campaign.surfaces[key]) for key in kinds))


def _look_of(kind: SurfaceKind) -> SurfaceLook:
    marks = {
        SurfaceFlag.SPREADS: bool(kind.burns),
        SurfaceFlag.ENDS: bool(kind.lasts),
        SurfaceFlag.HOLDS: kind.holds,
        SurfaceFlag.SLOWS: bool(kind.slows),
        SurfaceFlag.HIDES: kind.hides,
        SurfaceFlag.BREAKS: kind.over_water and bool(kind.harm),
        SurfaceFlag.SHINES: bool(kind.lights),
    }
    return SurfaceLook(
        kind.name,
        kind.words,
        kind.sign,
        kind.unicode,
        kind.colour,
        kind.harm,
        damage_kind(kind.damage_type),
        sum(int(flag) for flag, has in marks.items() if has),
    )
