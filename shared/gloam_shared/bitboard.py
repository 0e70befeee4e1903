"""Sets of a level's cells as whole numbers, one bit a cell: a flood over them costs microseconds a ring.

Plans and bots search a whole level many times each turn. So this flood stands apart from `gloam_shared.search`, which goes
from cell to cell and would take some fifty times as long.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from gloam_shared.geometry import Grid


@cache
def grid_bits(kinds: frozenset[int]) -> bytes:
    """Return the translation table that `where` uses to find the cells of these `kinds`."""
    return bytes(0x31 if value in kinds else 0x30 for value in range(256))


def cells_where(cells: bytes, kinds: frozenset[int]) -> int:
    """Return the set of the cells of a level, one byte each, that have one of these `kinds`."""
    return int(cells.translate(grid_bits(kinds))[::-1], 2) if cells else 0


def bits_of(cells: Iterable[int]) -> int:
    """Return the set of these cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def cells_of(mask: int) -> list[int]:
    """Return the cells of a set, rising."""
    bits = bin(mask)[:1:-1]
    cells, cell = [], bits.find("1")
    while cell >= 0:
        cells.append(cell)
        cell = bits.find("1", cell + 1)
    return cells


def lowest(mask: int) -> int:
    """Return the lowest cell of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def neighbor_bits(mask: int, grid: Grid, *, orthogonal: bool = False) -> int:
    """Return a set with all cells at most one step from it: in the eight directions, or in the four straight ones."""
    full, not_first, not_last = _bounds(grid)
    rows = mask | (mask << 1) & not_first | (mask >> 1) & not_last
    columns = mask if orthogonal else rows
    return (rows | columns << grid.width | columns >> grid.width) & full


def rings(start: int, ground: int, grid: Grid, *, orthogonal: bool = False) -> Iterator[int]:
    """Yield the rings of a flood from the cell `start` over `ground`, as far as it spreads; the first is the start."""
    ring = 1 << start
    left = ground & ~ring
    while ring:
        yield ring
        ring = neighbor_bits(ring, grid, orthogonal=orthogonal) & left
        left ^= ring


def flood_fill_rings(
    start: int, ground: int, goals: int, grid: Grid, *, orthogonal: bool = False
) -> list[int]:
    """Return the rings of a flood from the cell `start` over `ground`, up to the first that holds a goal.

    It spreads in the eight directions, or in the four straight ones. The first ring is the start; the last holds at
    least one of the goals. An empty list: none can be reached. The start is no goal.
    """
    full, not_first, not_last = _bounds(grid)
    ring = 1 << start
    left = ground & full & ~ring
    found = [ring]
    while ring:  # `neighbor_bits`, without a call: a bot's way takes some fifteen rings
        rows = ring | (ring << 1) & not_first | (ring >> 1) & not_last
        columns = ring if orthogonal else rows
        ring = (rows | columns << grid.width | columns >> grid.width) & left
        left ^= ring
        found.append(ring)
        if ring & goals:
            return found
    return []


def nearest_cells(found: list[int], goals: int, grid: Grid, *, orthogonal: bool = False) -> int:
    """Return those cells of the first ring of `rings` from which a shortest way leads to a goal in the last."""
    _, not_first, not_last = _bounds(grid)
    ways = found[-1] & goals
    for ring in reversed(found[1:-1]):
        rows = ways | (ways << 1) & not_first | (ways >> 1) & not_last
        columns = ways if orthogonal else rows
        ways = (rows | columns << grid.width | columns >> grid.width) & ring
    return ways


@cache
def _bounds(grid: Grid) -> tuple[int, int, int]:
    """Return all cells of a level, those that are not in its first column, and those that are not in its last."""
    full = (1 << grid.size) - 1
    first = sum(1 << y * grid.width for y in range(grid.height))
    return full, full & ~first, full & ~(first << (grid.width - 1))
