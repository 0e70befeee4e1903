"""Generated levels: an independent walk over floor and stairs, and levels as text."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from gloam_server.world.generation import LevelMap, generate_round
from gloam_shared.appearance import TERRAIN_LOOKS, WALKABLE, Terrain
from gloam_shared.geometry import Direction
from support.content.shipped_files import campaign

_OPEN = bytes(
    ord("1") if terrain in WALKABLE or terrain == Terrain.DOOR_CLOSED else ord("0") for terrain in range(256)
)
_DOWN = (Terrain.STAIRS_DOWN, Terrain.HOLE)


@lru_cache(maxsize=64)
def generated(seed: int, key: str = "jsrogue") -> tuple[LevelMap, ...]:
    """Return the levels of a shipped campaign, made once for the tests of one process that look at them."""
    return tuple(generate_round(campaign(key), seed))


def walkable(levels: Sequence[LevelMap]) -> list[int]:
    """Return the walkable cells of each level as the bits of one number, a row and one closed column at a time.

    Gates and cages are open.
    """
    return [_bits(level, opened(level).translate(_OPEN)) for level in levels]


def opened(level: LevelMap) -> bytes:
    """Return the terrain of a level after its devices have opened all gates and cages."""
    terrain = bytearray(level.terrain)
    for device in level.devices:
        for cell in device.works:
            terrain[cell] = Terrain.FLOOR
    return bytes(terrain)


def walk(levels: Sequence[LevelMap], start: int, directions: tuple[Direction, ...]) -> list[int]:
    """Return what can be reached on foot from a cell of the first level, over floor, doors, stairs and holes, as such numbers."""
    free = walkable(levels)
    stairs = [_stairs(*pair) for pair in pairwise(levels)]
    reached = [0] * len(levels)
    reached[0] = _bit(levels[0], start)
    before: list[int] = []
    while reached != before:
        before = list(reached)
        for at, level in enumerate(levels):
            reached[at] = _spread(reached[at], free[at], level.grid.width + 1, directions)
            for upper, lower in stairs[at] if at + 1 < len(levels) else ():
                if reached[at] & upper or reached[at + 1] & lower:
                    reached[at] |= upper
                    reached[at + 1] |= lower
    return reached


def _spread(reached: int, free: int, stride: int, directions: tuple[Direction, ...]) -> int:
    """Step from all cells together, until nothing is new."""
    before = -1
    while reached != before:
        before = reached
        for dx, dy in directions:
            offset = dy * stride + dx
            reached |= (before << offset if offset > 0 else before >> -offset) & free
    return reached


def _stairs(above: LevelMap, below: LevelMap) -> list[tuple[int, int]]:
    """Return the staircases between two levels, as bits of both: each must lead up again to where it came from."""
    links, back = dict(above.links), dict(below.links)
    found = []
    for upper, what in enumerate(above.terrain):
        if what in _DOWN:
            lower = links.get(upper, upper)
            assert below.terrain[lower] == Terrain.STAIRS_UP
            assert back.get(lower, lower) == upper
            found.append((_bit(above, upper), _bit(below, lower)))
    assert len(found) == below.terrain.count(Terrain.STAIRS_UP)
    return found


def _bit(level: LevelMap, cell: int) -> int:
    return 1 << (cell + cell // level.grid.width)


def _bits(level: LevelMap, digits: bytes) -> int:
    """Return cells marked "1" as bits: the first cell is the lowest, and a 0 ends each row."""
    rows = [digits[at : at + level.grid.width] + b"0" for at in range(0, len(digits), level.grid.width)]
    return int(b"".join(rows)[::-1], 2)


def drawn(level: LevelMap) -> list[str]:
    """Return a level as one text a row."""
    text = "".join(TERRAIN_LOOKS[Terrain(terrain)].ascii for terrain in level.terrain)
    return [text[at : at + level.grid.width] for at in range(0, len(text), level.grid.width)]


def parsed(*rows: str) -> bytearray:
    """Return the terrain that rows of text draw."""
    of = {look.ascii: terrain for terrain, look in TERRAIN_LOOKS.items()}
    return bytearray(of[letter] for row in rows for letter in row)
