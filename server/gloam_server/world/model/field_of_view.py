"""Field of view and light on levels that are not lit everywhere.

This is the only place of the rule; all results are derived.

Whether light passes between two cells is the same from both ends (`rules.sight`). Whether a cell is then seen depends
on the light on it, not on the viewer:

- what is in a lit place is visible within the viewer's own radius;
- what is in the dark is visible from adjacent cells, and within their own radius to those with dark sight;
- what is in the dark and in the light of a carried lamp is visible from SIGHT_MAX cells. So a light carrier sees and is
  seen, and so are all creatures in that light. A creature in the dark sees them without being seen.

A light falls on the cells that its carrier could see within its radius. In a lit place it adds nothing. A creature
with radius 0 sees only its own cell, with or without light.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.rules.line_of_sight import disc_around, field_of_view
from gloam_server.world.model.creature import Creature
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Grid

BRAZIER_RADIUS: Final = 4
"""The radius of a brazier's light in cells."""

_SIGHT_LINES_KEPT: Final = 256

Cells: TypeAlias = NDArray[np.bool_]
"""One boolean for each cell, as rows and columns."""


class LightField:
    """The light on a level that is not lit everywhere, for one state of its terrain."""

    __slots__ = (
        "_carriers",
        "_dark",
        "_fixed",
        "_grid",
        "_light_sources",
        "_lit",
        "_lit_cells",
        "_shapes",
        "_sight_lines",
        "_transparent",
    )

    def __init__(self, campaign: Campaign, terrain: bytes, dark: bytes, transparent: Cells) -> None:
        shape = transparent.shape
        self._grid = Grid(shape[1], shape[0])
        self._transparent = transparent
        self._dark: Cells = np.frombuffer(dark, dtype=np.uint8).reshape(shape).astype(np.bool_)
        self._lit: Cells = ~self._dark
        ground = np.frombuffer(terrain, dtype=np.uint8)
        braziers: list[int] = np.flatnonzero(ground == Terrain.BRAZIER).tolist()
        self._fixed = tuple((cell, BRAZIER_RADIUS) for cell in braziers)
        # This is called before every view: most bodies carry no light, so these two tables decide.
        self._light_sources = (
            {key: kind.light for key, kind in campaign.creatures.items() if kind.light},
            {key: kind.light for key, kind in campaign.items.items() if kind.light},
        )
        self._shapes: dict[tuple[int, int], Cells] = {}
        self._sight_lines: dict[int, Cells] = {}
        self._carriers: tuple[tuple[int, int], ...] | None = None
        self._lit_cells: Cells = np.zeros(shape, dtype=np.bool_)

    def is_lit(self, bodies: Iterable[Creature]) -> Cells:
        """Return the dark cells that a light reaches: the same object while no light moves."""
        kinds, things = self._light_sources
        shining = []
        for body in bodies:
            radius = kinds.get(body.kind, 0)
            for item in filter(None, body.slots):
                if item.kind in things:
                    radius = max(radius, things[item.kind])
            if radius:
                shining.append((body.cell, radius))
        bearers = tuple(sorted(shining))
        if bearers != self._carriers:
            lights = (*self._fixed, *bearers)
            self._shapes = {light: self._shape(light) for light in lights}
            falls = np.zeros(self._dark.shape, dtype=np.bool_)
            for shape in self._shapes.values():
                falls |= shape
            self._lit_cells = falls & self._dark
            self._carriers = bearers
        return self._lit_cells

    def visible(self, cell: int, radius: int, falls: Cells, *, in_dark: bool = False) -> bytes:
        """Return the field of view from a cell with a radius and these lights, one byte a cell.

        With `in_dark`, everything within the radius is seen with or without light.
        """
        near = disc_around(cell, radius, self._grid)
        near = near if in_dark else near & self._lit
        seen: Cells = near | falls
        x, y = self._grid.point(cell)
        if radius > 0:
            seen[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = True
            seen &= self._sight_line(cell)
        else:
            seen[:] = False
        seen[y, x] = True
        return seen.tobytes()

    def _shape(self, light: tuple[int, int]) -> Cells:
        """Return the cells that one light reaches."""
        known = self._shapes.get(light)
        return known if known is not None else self._field_around(*light)

    def _sight_line(self, cell: int) -> Cells:
        """Return the cells to which light passes from a cell, up to the largest sight radius."""
        line = self._sight_lines.get(cell)
        if line is None:
            if len(self._sight_lines) >= _SIGHT_LINES_KEPT:
                self._sight_lines.clear()
            line = self._sight_lines[cell] = self._field_around(cell, SIGHT_MAX)
        return line

    def _field_around(self, cell: int, radius: int) -> Cells:
        field = field_of_view(self._transparent, cell, radius)
        return np.frombuffer(field, dtype=np.bool_).reshape(self._dark.shape)
