"""The light on a level that is not lit everywhere: fixed lights, carried ones, and what can be seen by them."""

from collections.abc import Iterable
from operator import attrgetter, is_
from typing import Final, TypeAlias

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.surfaces import WHOLE_LEVEL
from gloam_server.rules.line_of_sight import disc_around, field_of_view
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.surfaces.surface_state import LightReach, Surfaces, sources_of_light
from gloam_shared.appearance import Terrain
from gloam_shared.bitboard import neighbor_bits
from gloam_shared.geometry import Grid

BRAZIER_RADIUS: Final = 4
"""The radius of a brazier's light in cells."""

_SIGHT_LINES_KEPT: Final = 256
_CARRIED: Final = attrgetter("slots", "learned")

Cells: TypeAlias = NDArray[np.bool_]
"""One boolean for each cell, as rows and columns."""


class LightField:
    """The light on a level that is not lit everywhere, for one state of its terrain."""

    __slots__ = (
        "_bodies",
        "_carried",
        "_carriers",
        "_dark",
        "_fixed",
        "_glow",
        "_grid",
        "_light_sources",
        "_lit",
        "_lit_cells",
        "_shapes",
        "_shining",
        "_sight_lines",
        "_surfaces",
        "_transparent",
    )

    def __init__(
        self,
        campaign: Campaign,
        terrain: bytes,
        dark: bytes,
        transparent: Cells,
        surfaces: Surfaces | UnsetType = UNSET,
    ) -> None:
        shape = transparent.shape
        self._grid = Grid(shape[1], shape[0])
        self._transparent = transparent
        self._dark: Cells = np.frombuffer(dark, dtype=np.uint8).reshape(shape).astype(np.bool_)
        self._lit: Cells = ~self._dark
        ground = np.frombuffer(terrain, dtype=np.uint8)
        braziers: list[int] = np.flatnonzero(ground == Terrain.BRAZIER).tolist()
        self._fixed = tuple((cell, BRAZIER_RADIUS) for cell in braziers)
        self._surfaces = sources_of_light(campaign, surfaces)
        self._glow = self._glow_of(self._surfaces)
        self._light_sources = (
            {key: kind.light for key, kind in campaign.creatures.items() if kind.light},
            {key: kind.light for key, kind in campaign.items.items() if kind.light},
            {
                key: power.amount
                for key, trait in campaign.traits.items()
                for power in trait.powers
                if power.does == "light"
            },
        )
        self._shapes: dict[tuple[int, int], Cells] = {}
        self._sight_lines: dict[int, Cells] = {}
        self._carriers: tuple[tuple[int, int], ...] | None = None
        self._lit_cells: Cells = np.zeros(shape, dtype=np.bool_)
        self._bodies: list[Creature] = []
        self._carried: list[tuple[list[Item | None], list[str]]] = []
        self._shining: list[tuple[Creature, int]] = []

    def follow_surfaces(self, shining: tuple[tuple[int, LightReach], ...]) -> bool:
        """Follow the surfaces that give light; return whether they changed."""
        if shining == self._surfaces:
            return False
        self._surfaces, self._glow, self._carriers = shining, self._glow_of(shining), None
        return True

    def _glow_of(self, shining: tuple[tuple[int, LightReach], ...]) -> Cells:
        """Return the cells that the light of surfaces reaches: it goes from cell to cell, and stops at walls.

        The light of a surface that lights its whole level is everywhere.
        """
        clear, lit = 0, 0
        for cells, radius in shining:
            if radius == WHOLE_LEVEL:
                return np.ones(self._dark.shape, dtype=np.bool_)
            clear = clear or int("".join(np.where(self._transparent.reshape(-1)[::-1], "1", "0")), 2)
            reached = cells
            for _ in range(radius):
                reached = neighbor_bits(reached & clear | cells, self._grid) | reached
            lit |= reached
        bits = lit.to_bytes(self._grid.size // 8 + 1, "little")
        flags = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")[: self._grid.size]
        return flags.astype(np.bool_).reshape(self._dark.shape)

    def lit_cells(self, bodies: Iterable[Creature]) -> Cells:
        """Return the dark cells that a light reaches: the same object while no light moves."""
        bearers = tuple(sorted([(body.cell, radius) for body, radius in self._light_bearers(list(bodies))]))
        if bearers != self._carriers:
            lights = (*self._fixed, *bearers)
            self._shapes = {light: self._shape(light) for light in lights}
            falls = self._glow.copy()
            for shape in self._shapes.values():
                falls |= shape
            self._lit_cells = falls & self._dark
            self._carriers = bearers
        return self._lit_cells

    def _light_bearers(self, bodies: list[Creature]) -> list[tuple[Creature, int]]:
        """Return the bodies that carry a light, with its radius.

        Each view asks for them, and few of them change: they are the same for the same bodies with the same items.
        """
        same = len(bodies) == len(self._bodies) and all(map(is_, bodies, self._bodies))
        if not same or list(map(_CARRIED, bodies)) != self._carried:
            radii = map(self._light_radius, bodies)
            self._shining = [(body, radius) for body, radius in zip(bodies, radii, strict=True) if radius]
            self._bodies, self._carried = bodies, [([*body.slots], [*body.learned]) for body in bodies]
        return self._shining

    def _light_radius(self, body: Creature) -> int:
        """Return the radius of the light that a body carries, 0 for none."""
        kinds, items, traits = self._light_sources
        carried = [items.get(item.kind, 0) for item in body.slots if item is not None]
        return max([kinds.get(body.kind, 0), *carried, *[traits.get(key, 0) for key in body.learned]])

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
