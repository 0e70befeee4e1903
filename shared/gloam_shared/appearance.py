"""Terrain and colors: the numbers that both sides agree on, and their looks."""

from enum import IntEnum
from typing import Final, NamedTuple


class Terrain(IntEnum):
    """The content of a cell. UNKNOWN is a cell that the player has never seen; no level contains it."""

    UNKNOWN = 0
    FLOOR = 1
    WALL = 2
    STAIRS_UP = 3
    STAIRS_DOWN = 4
    HOLE = 5
    WATER = 6
    DOOR_CLOSED = 7
    DOOR_OPEN = 8
    TRAP = 9
    SHRINE = 10
    EXIT = 11
    SHALLOWS = 12
    GRASS = 13
    BRAZIER = 14


class TerrainLook(NamedTuple):
    """The characters, color and words of a terrain."""

    ascii: str
    unicode: str
    colour: str
    words: str


TERRAIN_LOOKS: Final[dict[Terrain, TerrainLook]] = {
    Terrain.UNKNOWN: TerrainLook(" ", " ", "black", "unknown"),
    Terrain.FLOOR: TerrainLook(".", "·", "gray", "a cave floor"),
    Terrain.WALL: TerrainLook("#", "▒", "goldenrod", "a cave wall"),
    Terrain.STAIRS_UP: TerrainLook("<", "<", "white", "a rock staircase leading upwards"),
    Terrain.STAIRS_DOWN: TerrainLook(">", ">", "white", "a rock staircase leading downwards"),
    Terrain.HOLE: TerrainLook("O", "O", "white", "a great dark hole in the ground"),
    Terrain.WATER: TerrainLook("~", "≈", "blue", "murky blue water"),
    Terrain.DOOR_CLOSED: TerrainLook("+", "+", "brown", "a closed door"),
    Terrain.DOOR_OPEN: TerrainLook("'", "'", "brown", "an open door"),
    Terrain.TRAP: TerrainLook("^", "^", "red", "a trap"),
    Terrain.SHRINE: TerrainLook("_", "Ω", "cyan", "a shrine"),
    Terrain.EXIT: TerrainLook("=", "∩", "yellow", "the way out, into daylight"),
    Terrain.SHALLOWS: TerrainLook(",", "~", "teal", "shallow water"),
    Terrain.GRASS: TerrainLook('"', '"', "green", "pale cave grass"),
    Terrain.BRAZIER: TerrainLook("&", "&", "orange", "a burning brazier"),
}

WALL_SIGNS: Final = "▒▓█▚▞╬"
"""The signs that walls of a place may have: they fill a cell, and are one column wide where signs of ambiguous width are."""
FLOOR_SIGNS: Final = "·∙˙⋅‧¸˚"
"""The signs that its floor may have."""
TINTS: Final = ("ember", "moss", "frost", "blood", "dusk")
"""The colors of the light that falls on a place."""

WALKABLE: Final = frozenset(
    {
        Terrain.FLOOR,
        Terrain.STAIRS_UP,
        Terrain.STAIRS_DOWN,
        Terrain.HOLE,
        Terrain.DOOR_OPEN,
        Terrain.TRAP,
        Terrain.SHRINE,
        Terrain.EXIT,
        Terrain.SHALLOWS,
        Terrain.GRASS,
    }
)
TRANSPARENT: Final = WALKABLE | {Terrain.WATER, Terrain.BRAZIER}

# Terminal color numbers 0-15 are the fallback for terminals without 256 colors and true color.
COLORS: Final[dict[str, tuple[tuple[int, int, int], int]]] = {
    "black": ((0, 0, 0), 0),
    "white": ((235, 235, 235), 15),
    "gray": ((150, 150, 150), 7),
    "darkgray": ((95, 95, 95), 8),
    "red": ((225, 75, 70), 9),
    "darkred": ((160, 40, 40), 1),
    "orange": ((240, 150, 50), 3),
    "brown": ((165, 110, 60), 3),
    "goldenrod": ((218, 165, 32), 3),
    "yellow": ((240, 225, 90), 11),
    "green": ((70, 190, 80), 2),
    "lightgreen": ((144, 238, 144), 10),
    "teal": ((60, 170, 170), 6),
    "cyan": ((90, 220, 230), 14),
    "blue": ((85, 130, 240), 12),
    "magenta": ((215, 95, 215), 13),
    "purple": ((150, 100, 220), 5),
}
"""Color name -> (red, green, blue 0-255; terminal color 0-15). Campaigns name their colors by these."""
