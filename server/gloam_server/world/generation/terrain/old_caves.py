"""Old caves: smoothed as in rules TG.1 and TG.2, where later passes read what they have just written. Pure."""

from typing import Final

from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import stream
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.level_numbers import PartitionId

_BLOCK: Final = 9
"""A cell and its eight neighbors."""


def old_cave_terrain(rules: LevelKind, seed: int, partition: PartitionId, attempt: int = 0) -> bytes:
    """Return the floor and walls of a level (rules TG.1, TG.2).

    `fill_percent` of the cells begin as floor. Each of `passes` turns a cell to floor if floors are at least as many as
    rocks among itself and its neighbors; what is out of bounds counts as neither. The first pass writes into a second
    map, which all later passes read and write in place: column by column, each from the top down. Regions of fewer than
    `region_min` cells are filled.
    """
    width, height = rules.width, rules.height
    noise = stream("caves", seed, partition, attempt, size=width * height)
    columns = [[0] * (height + 2) for _ in range(width + 2)]
    for x in range(width):
        columns[x + 1][1:-1] = [
            int(noise[y * width + x] * 100 < rules.fill_percent * 256) for y in range(height)
        ]
    for number in range(rules.passes):
        columns = _first_pass(columns, width, height) if number == 0 else _pass(columns, width, height)
    cells = bytearray(
        Terrain.FLOOR if columns[x + 1][y + 1] else Terrain.WALL for y in range(height) for x in range(width)
    )
    for region in find_regions(cells, rules.grid, DIRECTIONS).cells:
        if len(region) < rules.region_min:
            for cell in region:
                cells[cell] = Terrain.WALL
    return bytes(cells)


def _first_pass(columns: list[list[int]], width: int, height: int) -> list[list[int]]:
    """Return the result of one pass over the noise; the pass reads only the old map."""
    after = [[0] * (height + 2) for _ in range(width + 2)]
    for x in range(1, width + 1):
        left, here, right = columns[x - 1 : x + 2]
        rows = [a + b + c for a, b, c in zip(left, here, right, strict=True)]
        for y in range(1, height + 1):
            floors = rows[y - 1] + rows[y] + rows[y + 1]
            after[x][y] = int(2 * floors >= _block(x, y, width, height))
    return after


def _pass(columns: list[list[int]], width: int, height: int) -> list[list[int]]:
    """Smooth in place, column by column: a cell reads the new values of the cells before it."""
    for x in range(1, width + 1):
        left, here, right = columns[x - 1 : x + 2]
        sides = [a + b for a, b in zip(left, right, strict=True)]
        for y in range(1, height + 1):
            floors = sides[y - 1] + sides[y] + sides[y + 1] + here[y - 1] + here[y] + here[y + 1]
            here[y] = int(2 * floors >= _block(x, y, width, height))
    return columns


def _block(x: int, y: int, width: int, height: int) -> int:
    """Return how many cells of a block are within bounds; columns and rows count from 1."""
    if 1 < x < width and 1 < y < height:
        return _BLOCK
    return (3 - (x == 1) - (x == width)) * (3 - (y == 1) - (y == height))
