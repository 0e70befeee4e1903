"""Regions: the walkable cells of one level that are connected on foot. Pure; stairs connect nothing here.

Generation asks for the regions of a level hundreds of times, and needs no distances. So its flood stands apart from
`gloam_shared.search`: over padded bytes every step is one addition.
"""

from dataclasses import dataclass
from typing import Final

from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Direction, Grid

_OPEN: Final = bytes(terrain in WALKABLE or terrain == Terrain.DOOR_CLOSED for terrain in range(256))
"""Terrain that bodies can enter on foot; a closed door can be opened."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of a level. `cells[i]` are the cells of region i, never empty, ordered by their first cell.

    `of` is the region of each cell of the level, -1 for cells that are not walkable.
    """

    cells: tuple[tuple[int, ...], ...]
    of: tuple[int, ...]

    @property
    def largest(self) -> int:
        """The region with the most cells, the first among equals. At least one must exist."""
        return max(range(len(self.cells)), key=lambda region: len(self.cells[region]))


def find_regions(terrain: bytes | bytearray, grid: Grid, directions: tuple[Direction, ...]) -> Regions:
    """Return the regions of a level, by flood fill along `directions` (rule J7.5: all eight)."""
    # A border of one closed column and row makes every step from an open cell a plain addition.
    width, stride = grid.width, grid.width + 1
    rows = terrain.translate(_OPEN)
    unseen = bytearray(stride) + b"".join(rows[at : at + width] + b"\0" for at in range(0, len(rows), width))
    unseen += bytes(stride + 1)
    offsets = [dy * stride + dx for dx, dy in directions]
    found: list[tuple[int, ...]] = []
    of = [-1] * grid.size
    start = unseen.find(1)
    while start >= 0:
        region = _flood_fill(unseen, start, offsets)
        cells = [at - stride - (at // stride - 1) for at in region]
        for cell in cells:
            of[cell] = len(found)
        found.append(tuple(sorted(cells)))
        start = unseen.find(1, start)
    return Regions(tuple(found), tuple(of))


def _flood_fill(unseen: bytearray, start: int, offsets: list[int]) -> list[int]:
    """Return all cells that are connected with `start`, and mark them as seen."""
    unseen[start] = 0
    found = [start]
    for at in found:
        for offset in offsets:
            beside = at + offset
            if unseen[beside]:
                unseen[beside] = 0
                found.append(beside)
    return found
