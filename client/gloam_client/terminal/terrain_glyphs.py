"""The glyphs of terrain that the client draws by itself, in three sets. Each glyph is one column wide."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from gloam_shared.appearance import TERRAIN_LOOKS, Terrain


class GlyphSet(StrEnum):
    """The sets: plain ASCII, the characters of the IBM PC (code page 437), and all of Unicode."""

    ASCII = "ascii"
    CP437 = "cp437"
    UNICODE = "unicode"


_PC: Final[Mapping[Terrain, str]] = {
    Terrain.FLOOR: "·",
    Terrain.WALL: "█",
    Terrain.HOLE: "○",
    Terrain.WATER: "≈",
    Terrain.DOOR_CLOSED: "■",
    Terrain.SHRINE: "Ω",
    Terrain.EXIT: "∩",
    Terrain.SHALLOWS: "~",
    Terrain.BRAZIER: "☼",
}
_SEEN: Final[Mapping[GlyphSet, Mapping[Terrain, str]]] = {
    GlyphSet.ASCII: {terrain: look.ascii for terrain, look in TERRAIN_LOOKS.items()},
    GlyphSet.CP437: {terrain: _PC.get(terrain, look.ascii) for terrain, look in TERRAIN_LOOKS.items()},
    GlyphSet.UNICODE: {terrain: look.unicode for terrain, look in TERRAIN_LOOKS.items()},
}
_REMEMBERED: Final[Mapping[GlyphSet, Mapping[Terrain, str]]] = {
    GlyphSet.ASCII: {},
    GlyphSet.CP437: {Terrain.FLOOR: ".", Terrain.WALL: "▒"},
    GlyphSet.UNICODE: {Terrain.FLOOR: ".", Terrain.WALL: "░"},
}
"""Glyphs for remembered terrain, if the set has another glyph that no other terrain uses."""
_GLYPHS: Final = MappingProxyType(
    {
        (glyphs, seen): {**_SEEN[glyphs], **({} if seen else _REMEMBERED[glyphs])}
        for glyphs in GlyphSet
        for seen in (False, True)
    }
)
ARROWS: Final = "\u2191\u2197\u2192\u2198\u2193\u2199\u2190\u2196"
"""Arrows to the eight neighbors, clockwise from the north."""


def terrain_glyph(terrain: Terrain, glyphs: GlyphSet, *, seen: bool) -> str:
    """Return the glyph of terrain in a set, in sight or remembered."""
    return _GLYPHS[glyphs, seen][terrain]


def glyph_set(wanted: str, *, unicode: bool) -> GlyphSet:
    """Return the set to draw with: the one that an option names, or for "auto" what the terminal can show."""
    if not unicode:
        return GlyphSet.ASCII
    return GlyphSet(wanted) if wanted != "auto" else GlyphSet.UNICODE
