"""The surfaces of a level as a viewer sees them: those in sight, and what each kind does. Pure."""

from typing import Final

from msgspec import UNSET

from gloam_server.content.surfaces import SurfaceKind
from gloam_server.views.menace import damage_kind
from gloam_server.world.model.level import Level
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook

_SEEN: Final = b"\0" + b"\xff" * 255


def surfaces_in_sight(level: Level, sight: bytes) -> bytes:
    """Return one byte for each cell, the number of the surface that is seen there; nothing on a level without any."""
    surfaces = level.state.surfaces
    if surfaces is UNSET:
        return b""
    seen = int.from_bytes(surfaces.cells) & int.from_bytes(sight.translate(_SEEN))
    return seen.to_bytes(len(sight))


def surface_looks(level: Level) -> tuple[SurfaceLook, ...]:
    """Return the looks of the kinds of surfaces that were ever on a level, in the order of their numbers."""
    surfaces = level.state.surfaces
    if surfaces is UNSET:
        return ()
    return tuple([_look_of(level.campaign.surfaces[key]) for key in surfaces.kinds])


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
