"""The glyphs of terrain that the client draws by itself."""

from typing import Final

from gloam_shared.appearance import TERRAIN_LOOKS, Terrain

REMEMBERED_UNICODE: Final = {
    Terrain.FLOOR: ".",
    Terrain.WALL: "░",
}
"""Glyphs for remembered terrain, if the set has another glyph that no other terrain uses."""
TERRAIN_GLYPHS: Final = frozenset(
    {look.unicode for look in TERRAIN_LOOKS.values()} | set(REMEMBERED_UNICODE.values())
)
"""Glyphs that the client chooses itself on capable terminals; a server cannot change them."""
