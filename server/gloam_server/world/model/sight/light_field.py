"""The light on a level that is not lit everywhere: fixed lights, carried ones, and what can be seen by them."""

from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from gloam_server.content.campaign import Campaign
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.surfaces import WHOLE_LEVEL
from gloam_server.rules.line_of_sight import disc_around, field_of_view
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.surfaces.surface_state import LightReach, Surfaces, sources_of_light
from gloam_shared.appearance import Terrain
from gloam_shared.bitboard import neighbor_bits
from gloam_shared.geometry import Grid
from gloam_shared.kept import Kept

BRAZIER_RADIUS: Final = 4
"""The radius of a brazier's light in cells."""

_SIGHT_LINES_BYTES: Final = 4 << 20

Cells: TypeAlias = NDArray[np.bool_]
"""One boolean for each cell, as rows and columns."""


class _CarriedLights(NamedTuple):
    """The lights that bodies carry."""

    radii: dict[int, int]
    """The radius of each body's light, by number; a body without light is not there."""
    lights: tuple[tuple[int, int], ...]
    """The cell and the radius of each, rising."""


class LightField:
    """The light on a level that is not lit everywhere, for one state of its terrain."""

    __slots__ = (
        "_carried",
        "_carriers",
        "_dark",
        "_fixed",
        "_glow",
        "_grid",
        "_light_sources",
        "_lit",
        "_lit_cells",
        "_noted",
        "_shapes",
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
        self._carried = Kept[_CarriedLights]("the lights that bodies carry")
        self._noted: set[int] = set()
        """The bodies whose light may have changed since it was looked at."""

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

    def note_gear(self, number: int) -> None:
        """Look again at the light of a body: it arrived or left, or its items or traits changed."""
        self._noted.add(number)
        self._carried.invalidate()

    def note_move(self, number: int) -> None:
        """Look again at the place of a light, if the body that moved carries one."""
        carried = self._carried.value
        if carried is not None and number in carried.radii:
            self._carried.invalidate()

    def lit_cells(self, bodies: Mapping[int, Creature]) -> Cells:
        """Return the dark cells that a light reaches: the same object while no light moves.

        Each view and each turn asks for them, and few bodies that move carry a light: so the writers note a change.
        """
        carriers = self._carried.get((), True, partial(self._carried_by, bodies)).lights
        if carriers != self._carriers:
            lights = (*self._fixed, *carriers)
            self._shapes = {light: self._shape(light) for light in lights}
            falls = self._glow.copy()
            for shape in self._shapes.values():
                falls |= shape
            self._lit_cells = falls & self._dark
            self._carriers = carriers
        return self._lit_cells

    def _carried_by(self, bodies: Mapping[int, Creature], before: _CarriedLights | None) -> _CarriedLights:
        """Return the lights of all bodies: as before, except for those noted."""
        radii = dict(before.radii) if before is not None else {}
        for number in bodies if before is None else sorted(self._noted):
            body = bodies.get(number)
            radius = 0 if body is None else self._light_radius(body)
            if radius:
                radii[number] = radius
            else:
                radii.pop(number, None)
        self._noted.clear()
        return _CarriedLights(radii, tuple(sorted([(bodies[each].cell, radii[each]) for each in radii])))

    def _light_radius(self, body: Creature) -> int:
        """Return the radius of the light that a body carries, 0 for none."""
        kinds, items, traits = self._light_sources
        carried = [items.get(item.kind, 0) for item in body.slots if item is not None]
        return max([kinds.get(body.kind, 0), *carried, *[traits.get(key, 0) for key in body.learned]])

    def fall_asleep(self) -> None:
        """Forget the sight lines from cells: the level has no players."""
        self._sight_lines.clear()

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
            if len(self._sight_lines) * self._grid.size >= _SIGHT_LINES_BYTES:
                self._sight_lines.clear()
            line = self._sight_lines[cell] = self._field_around(cell, SIGHT_MAX)
        return line

    def _field_around(self, cell: int, radius: int) -> Cells:
        field = field_of_view(self._transparent, cell, radius)
        return np.frombuffer(field, dtype=np.bool_).reshape(self._dark.shape)
