"""Sight: what is seen, how far, and in both directions."""

import numpy as np
import pytest
import tcod.constants
import tcod.map
from numpy.typing import NDArray

from gloam_server.rules.dice import stream
from gloam_server.rules.line_of_sight import field_of_view
from gloam_shared.geometry import Grid
from support.run.effort import effort

WIDTH, HEIGHT = 40, 24


def cave(seed: int, walls_of_256: int = 80) -> NDArray[np.bool_]:
    noise = np.frombuffer(stream("sight", seed, size=WIDTH * HEIGHT), dtype=np.uint8)
    return (noise >= walls_of_256).reshape(HEIGHT, WIDTH)


def cells_of(seen: bytes) -> list[int]:
    return [cell for cell, bit in enumerate(seen) if bit]


@pytest.mark.rule("RG.3")
def test_an_open_hall_is_seen_in_a_circle() -> None:
    seen = field_of_view(np.ones((HEIGHT, WIDTH), dtype=np.bool_), 12 * WIDTH + 20, 6)
    assert len(seen) == WIDTH * HEIGHT
    assert set(seen) == {0, 1}
    for cell, bit in enumerate(seen):
        y, x = divmod(cell, WIDTH)
        assert bit == ((y - 12) ** 2 + (x - 20) ** 2 <= 42), (x, y)
    assert seen[12 * WIDTH + 26] == 1, "six cells straight ahead"
    assert seen[12 * WIDTH + 27] == 0


@pytest.mark.parametrize("seed", range(8))
def test_who_sees_is_seen(seed: int) -> None:
    transparent = cave(seed)
    floor = [int(cell) for cell in np.flatnonzero(transparent)]
    sights = {cell: field_of_view(transparent, cell, 7) for cell in floor}
    assert all(sights[b][a] for a in floor for b in floor if sights[a][b])


@pytest.mark.thorough
@pytest.mark.rule("F25")
@pytest.mark.parametrize("walls_of_256", [20, 80, 120])
@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_who_sees_can_hit_and_be_hit(seed: int, walls_of_256: int) -> None:
    """Between two cells in sight of each other runs a line without a wall, the same both ways."""
    transparent = cave(seed, walls_of_256)
    passes, grid = transparent.ravel(), Grid(WIDTH, HEIGHT)
    pairs = 0
    for cell in map(int, np.flatnonzero(transparent)):
        seen = np.frombuffer(field_of_view(transparent, cell, 9), dtype=np.uint8)
        for other in map(int, np.flatnonzero((seen > 0) & passes)):
            way = grid.line(cell, other, passes.__getitem__)
            pairs += 1
            assert passes[way].all(), (divmod(cell, WIDTH), divmod(other, WIDTH))
            assert [cell, *way] == [other, *grid.line(other, cell, passes.__getitem__)][::-1]
    assert pairs > 2_000


@pytest.mark.parametrize("radius", [1, 5, 6, 20])
@pytest.mark.parametrize("cell", [0, WIDTH - 1, WIDTH * HEIGHT - 1, WIDTH * (HEIGHT - 1), 12 * WIDTH + 20])
def test_the_window_changes_nothing(cell: int, radius: int) -> None:
    for seed in range(10):
        transparent = cave(seed)
        whole = tcod.map.compute_fov(
            transparent,
            divmod(cell, WIDTH),
            radius=0,
            light_walls=True,
            algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST,
        )
        seen = field_of_view(transparent, cell, radius)
        for other in range(WIDTH * HEIGHT):
            y, x = divmod(other, WIDTH)
            square = (y - cell // WIDTH) ** 2 + (x - cell % WIDTH) ** 2
            expected = other == cell or (whole[y, x] and square <= radius * (radius + 1))
            assert seen[other] == expected, (x, y)


def test_walls_are_seen_and_hide_what_is_behind_them() -> None:
    transparent = np.ones((HEIGHT, WIDTH), dtype=np.bool_)
    transparent[:, 22] = False
    seen = field_of_view(transparent, 12 * WIDTH + 20, 6)
    assert seen[12 * WIDTH + 22] == 1
    assert not any(cell % WIDTH > 22 for cell in cells_of(seen))


@pytest.mark.parametrize("radius", [0, -1])
def test_not_look_sees_cell(radius: int) -> None:
    """A creature that does not look about sees only its own cell."""
    assert cells_of(field_of_view(cave(1), 500, radius)) == [500]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("walls_of_256", [30, 80, 140])
def test_an_unseen_wall_decides_nothing(seed: int, walls_of_256: int) -> None:
    """So a field of view without a wall stays the same when that wall is dug."""
    transparent, cell = cave(seed, walls_of_256), 12 * WIDTH + 20
    seen = field_of_view(transparent, cell, 7)
    for wall in np.flatnonzero(~transparent).tolist():
        if not seen[wall]:
            dug = transparent.copy()
            dug.flat[wall] = True
            assert field_of_view(dug, cell, 7) == seen


def test_the_map_is_left_as_it_was() -> None:
    transparent = cave(3)
    before = transparent.copy()
    field_of_view(transparent, 500, 8)
    assert np.array_equal(transparent, before)
