"""Sight: what can be seen from a cell. tcod does the work; this module bounds it and speaks in flat bytes."""

from functools import cache

import numpy as np
import tcod.constants
import tcod.map
from numpy.typing import NDArray

from gloam_shared.geometry import Grid


def field_of_view(transparent: NDArray[np.bool_], cell: int, radius: int) -> bytes:
    """Return one byte a cell, row by row: 1 where it is seen from `cell`, else 0.

    `transparent` has one row for each row of the level. Between two cells that light passes, sight is
    symmetric. Walls in range are seen, and the own cell always. The range is a circle that reaches `radius` cells
    straight ahead: dx^2 + dy^2 <= radius (radius + 1) (rule RG.3). With radius 0 or below only the own cell is seen.
    """
    height, width = transparent.shape
    y, x = divmod(cell, width)
    seen = np.zeros((height, width), dtype=np.bool_)
    if radius > 0:
        # Nothing out of range can be seen or hide anything, so a window does: it costs a tenth of a whole level.
        top, left = max(0, y - radius), max(0, x - radius)
        window = transparent[top : y + radius + 1, left : x + radius + 1]
        rows, columns = window.shape
        lit = tcod.map.compute_fov(
            window,
            (y - top, x - left),
            radius=0,  # no limit but the window's: the circle is ours, because tcod's falls one cell short
            light_walls=True,
            algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST,
        )
        up, back = radius - (y - top), radius - (x - left)
        in_range = _disc(radius)[up : up + rows, back : back + columns]
        np.logical_and(lit, in_range, out=seen[top : top + rows, left : left + columns])
    seen[y, x] = True
    return seen.tobytes()


def disc_around(cell: int, radius: int, grid: Grid) -> NDArray[np.bool_]:
    """Return the cells of a level that are in range of a cell, through walls too, as rows and columns."""
    x, y = grid.point(cell)
    top, left = grid.height - 1 - y, grid.width - 1 - x
    return _around(radius, grid)[top : top + grid.height, left : left + grid.width]


@cache
def _around(radius: int, grid: Grid) -> NDArray[np.bool_]:
    """Return the cells in range of the middle of a field so large that every level of that size is a part of it."""
    across, down = np.arange(1 - grid.width, grid.width), np.arange(1 - grid.height, grid.height)
    near: NDArray[np.bool_] = (down * down)[:, np.newaxis] + across * across <= radius * (radius + 1)
    return near


@cache
def _disc(radius: int) -> NDArray[np.bool_]:
    """Return the cells in range, as a square around the own cell."""
    offsets = np.arange(-radius, radius + 1)
    squares: NDArray[np.int_] = offsets * offsets
    return squares[:, np.newaxis] + squares <= radius * (radius + 1)
