"""Looking at generated levels: an independent walk over floor and stairs, and levels as text."""

from collections.abc import Sequence

from gloam_server.world.generation import LevelMap
from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import Direction

_OPEN = bytes(ord("1") if terrain in WALKABLE else ord("0") for terrain in range(256))


def walkable(levels: Sequence[LevelMap]) -> list[int]:
    """Return the walkable cells of each level as the bits of one number, a row and one closed column at a time."""
    return [_bits(level, level.terrain.translate(_OPEN)) for level in levels]


def walk(levels: Sequence[LevelMap], start: int, directions: tuple[Direction, ...]) -> list[int]:
    """Return what can be reached on foot from a cell of the first level, over floor and stairs, as such numbers."""
    free = walkable(levels)
    stairs = [_stairs(level, Terrain.STAIRS_DOWN) for level in levels]
    reached = [0] * len(levels)
    width = levels[0].width
    reached[0] = 1 << (start + start // width)
    before: list[int] = []
    while reached != before:
        before = list(reached)
        for at in range(len(levels)):
            reached[at] = _spread(reached[at], free[at], width + 1, directions)
            if at + 1 < len(levels):
                both = (reached[at] | reached[at + 1]) & stairs[at]
                reached[at] |= both
                reached[at + 1] |= both
    return reached


def _spread(reached: int, free: int, stride: int, directions: tuple[Direction, ...]) -> int:
    """Step from all cells at once, until nothing is new."""
    before = -1
    while reached != before:
        before = reached
        for dx, dy in directions:
            offset = dy * stride + dx
            reached |= (before << offset if offset > 0 else before >> -offset) & free
    return reached


def _stairs(level: LevelMap, kind: Terrain) -> int:
    return _bits(level, bytes(ord("1") if terrain == kind else ord("0") for terrain in level.terrain))


def _bits(level: LevelMap, digits: bytes) -> int:
    """Return cells marked "1" as bits: the first cell is the lowest, and a 0 ends each row."""
    rows = [digits[at : at + level.width] + b"0" for at in range(0, len(digits), level.width)]
    return int(b"".join(rows)[::-1], 2)


def drawn(level: LevelMap) -> list[str]:
    """Return a level as one text a row."""
    text = "".join(TERRAIN_LOOKS[Terrain(terrain)].ascii for terrain in level.terrain)
    return [text[at : at + level.width] for at in range(0, len(text), level.width)]


def parsed(*rows: str) -> bytearray:
    """Return the terrain that rows of text draw."""
    of = {look.ascii: terrain for terrain, look in TERRAIN_LOOKS.items()}
    return bytearray(of[letter] for row in rows for letter in row)
