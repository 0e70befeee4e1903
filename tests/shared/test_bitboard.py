"""Sets of cells: floods over them reach what steps reach, in as many rings."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gloam_shared import bitboard
from gloam_shared.geometry import DIRECTIONS, ORTHOGONAL, Grid
from gloam_shared.search import reachable

GRID = Grid(9, 6)
SIZE = GRID.size


def cells_of(mask: int) -> set[int]:
    return {cell for cell in range(mask.bit_length()) if mask >> cell & 1}


def flooded(start: int, ground: set[int]) -> dict[int, int]:
    """Return the steps to every cell that can be reached."""
    return dict(reachable(start, ground.__contains__, GRID))


def test_cells_are_found_by_what_stands_in_them() -> None:
    assert cells_of(bitboard.cells_where(b"\x01\x02\x00\x03\x01", frozenset({1, 3}))) == {0, 3, 4}
    assert bitboard.cells_where(b"", frozenset({1})) == 0


@pytest.mark.parametrize("cell", range(SIZE))
def test_beside_cell_not_wrap_round_edge(cell: int) -> None:
    """The cells beside a cell do not wrap round an edge."""
    assert cells_of(bitboard.neighbor_bits(1 << cell, GRID)) == {
        cell,
        *GRID.neighbors(cell),
    }
    straight = bitboard.neighbor_bits(1 << cell, GRID, orthogonal=True)
    assert cells_of(straight) == {cell, *GRID.neighbors(cell, ORTHOGONAL)}


@given(
    some.sets(some.integers(0, SIZE - 1)), some.integers(0, SIZE - 1), some.sets(some.integers(0, SIZE - 1))
)
def test_a_flood_takes_as_many_rings_as_steps(ground: set[int], start: int, goals: set[int]) -> None:
    steps = flooded(start, ground)
    reached = sorted(steps[goal] for goal in goals & set(steps) if goal != start)
    rings = bitboard.flood_fill_rings(
        start, bitboard.bits_of(ground), bitboard.bits_of(goals) & bitboard.bits_of(ground), GRID
    )
    if not reached:
        assert rings == []
        return
    assert len(rings) == reached[0] + 1
    firsts = bitboard.nearest_cells(rings, bitboard.bits_of(goals), GRID)
    assert firsts
    for first in cells_of(firsts):
        beyond = flooded(first, ground - {start})
        assert min(beyond[goal] for goal in goals if goal in beyond) == reached[0] - 1


def test_the_lowest_cell_is_reported() -> None:
    assert bitboard.lowest(bitboard.bits_of([7, 3, 50])) == 3


@given(some.sets(some.integers(0, SIZE - 1)), some.integers(0, SIZE - 1), some.booleans())
def test_rings_hold_every_cell_by_its_steps(ground: set[int], start: int, orthogonal: bool) -> None:
    ways = ORTHOGONAL if orthogonal else DIRECTIONS
    steps = dict(reachable(start, ground.__contains__, GRID, ways))
    found = bitboard.rings(start, bitboard.bits_of(ground), GRID, orthogonal=orthogonal)
    assert {cell: at for at, ring in enumerate(found) for cell in bitboard.cells_of(ring)} == steps


@given(some.sets(some.integers(0, SIZE - 1)))
def test_a_set_lists_its_cells_rising(cells: set[int]) -> None:
    assert bitboard.cells_of(bitboard.bits_of(cells)) == sorted(cells)
