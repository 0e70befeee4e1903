"""The map: terrain and items remembered and seen, creatures, a cursor. Important differences use glyphs and marks, not only color."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import cycle
from types import MappingProxyType
from typing import Final, NamedTuple

from gloam_client.render.falling_light import light_levels
from gloam_client.state.map.stains import NO_STAINS, Kind
from gloam_client.terminal.canvas import LIGHTS, REMEMBERED, Canvas, Cell, MapPart, Rect, Style
from gloam_client.terminal.terrain_glyphs import GlyphSet, terrain_glyph
from gloam_shared.appearance import COLORS, FLOOR_SIGNS, TERRAIN_LOOKS, TINTS, WALL_SIGNS, Terrain
from gloam_shared.text import cells, clean, clusters
from gloam_shared.view.place import Look
from gloam_shared.view.surfaces import SurfaceLook
from gloam_shared.view.view import Creature, CreatureFlag, Item, View

_PLAYER: Final = int(CreatureFlag.PLAYER)
_STANDING: Final = int(CreatureFlag.PLAYER | CreatureFlag.SELF | CreatureFlag.DOWN)
"""Plain numbers, as elsewhere: these are compared in every frame."""
PATH: Final = ("1234567890", Style("magenta", bold=True, underline=True))
"""The marks of the path to a cursor, which count its steps, and their style (rules JG.22, TG.28)."""
BEYOND: Final = (";", Style("darkgray"))
"""The mark of the path's cells that are out of range or behind an obstacle."""
CURSOR: Final = "{}"
CALL_MARKS: Final = {
    "come": ("--", "cyan"),
    "danger": ("XX", "red"),
    "mine": ("$$", "yellow"),
    "heal": ("nn", "green"),
    "wanted": ("]]", "magenta"),
}
"""The marks of a ping: the characters before and after its cell, and their color, and of who is wanted; an unknown ping has the first.

No mark of this module is a sign of a shipped campaign or of terrain.
"""


class MapWindow(NamedTuple):
    """The part of a level that is drawn: what `area` of the canvas shows, from the column and row `camera`."""

    canvas: Canvas
    area: Rect
    view: View
    camera: tuple[int, int]
    lying: Mapping[int, Item] = MappingProxyType({})
    """The remembered items out of sight, by cell."""
    struck: frozenset[int] = frozenset()
    """The creatures that flash now after a blow, by handle."""
    tints: Mapping[str, str] = MappingProxyType({})
    """The colors of the other players, by name."""
    lights: bool = False
    """Whether the light that falls on cells is drawn."""
    stains: Mapping[int, Kind] = NO_STAINS
    """The stains on the floor, by cell, which light shows."""

    def on_screen(self, cell: int) -> tuple[int, int] | None:
        """Return the place of a level's cell on the canvas, or None if it is outside the window."""
        y, x = divmod(cell, self.view.place.width)
        x, y = x - self.camera[0], y - self.camera[1]
        inside = 0 <= x < self.area.width and 0 <= y < self.area.height
        return (self.area.x + x, self.area.y + y) if inside else None

    def occupied_cells(self) -> set[int]:
        """Return the cells with a creature or an item."""
        view = self.view
        return {one.cell for one in view.creatures} | {item.cell for item in view.items} | set(self.lying)


class Overlay(NamedTuple):
    """Cells marked over the map: the path to the cursor, its unreachable part, and the area of effect."""

    path: tuple[int, ...] = ()
    beyond: tuple[int, ...] = ()
    blast: tuple[int, ...] = ()


_RED: Final = LIGHTS * TINTS.index("blood")
"""The levels of light of blood follow this one. In a place whose light has that tint, blood is dark."""
_LIKE_CREATURES: Final = frozenset({Terrain.HOLE, Terrain.BRAZIER})
"""Kinds whose glyphs creatures have, too; they are drawn in reverse so that they differ."""


def terrain_cell(
    terrain: Terrain, *, seen: bool, glyphs: GlyphSet, look: Look | None = None, grain: int = 0
) -> Cell:
    """Return how terrain is drawn: bold and in its color if in sight, faint and cold if remembered.

    Walls and floor have the signs and colors of the level's look; `grain`, 0 or 1, is which of its two colors.
    """
    glyph = terrain_glyph(terrain, glyphs, seen=seen)
    if not seen:
        return glyph, REMEMBERED
    if look is not None and terrain in (Terrain.WALL, Terrain.FLOOR):
        is_wall = terrain is Terrain.WALL
        sign, allowed = (look.wall, WALL_SIGNS) if is_wall else (look.floor, FLOOR_SIGNS)
        colors = look.wall_colours if is_wall else look.floor_colours
        own = glyphs is GlyphSet.UNICODE and len(sign) == 1 and sign in allowed
        tint = colors[grain % len(colors)] if colors else TERRAIN_LOOKS[terrain].colour
        return sign if own else glyph, Style(color(tint), bold=is_wall)
    reverse = terrain in _LIKE_CREATURES and glyph.isascii()
    return glyph, Style(TERRAIN_LOOKS[terrain].colour, bold=terrain is not Terrain.UNKNOWN, reverse=reverse)


def creature_cell(creature: Creature, *, struck: bool = False) -> Cell:
    """Return how a creature is drawn: players and creatures that hold the player underlined, awake ones bold.

    The player's own body and grown monsters are reversed; a named one is underlined, too. A downed player is red. A creature that was just
    struck is reversed, or not reversed if it is otherwise.
    """
    return _creature_look(creature.glyph, creature.colour, creature.marks, struck)


@lru_cache(maxsize=1_024)  # by position: it makes a key of keywords more slowly
def _creature_look(sign: str, tint: str, marks: int, struck: bool) -> Cell:  # noqa: FBT001  # see the cache
    style = Style(
        "red" if marks & CreatureFlag.DOWN else color(tint),
        bold=not marks & CreatureFlag.ASLEEP,
        underline=bool(marks & (CreatureFlag.PLAYER | CreatureFlag.HOLDS_YOU | CreatureFlag.NAMED))
        and not marks & CreatureFlag.SELF,
        reverse=bool(marks & (CreatureFlag.SELF | CreatureFlag.GROWN | CreatureFlag.DOWN)) != struck,
        dim=bool(marks & (CreatureFlag.CUT_OFF | CreatureFlag.AWAY)),
    )
    return glyph(sign), style


def player_style(tints: Mapping[str, str], name: str, look: Style) -> Style:
    """Return a look in the color of another player; as it is for a name that is no player's."""
    return look._replace(color=tints[name]) if name in tints else look


def item_cell(item: Item, *, seen: bool = True) -> Cell:
    """Return how a pile of items is drawn: by its top one, and faint if it is only remembered."""
    return _item_look(item.glyph, item.colour, seen)


@lru_cache(maxsize=1_024)
def _item_look(sign: str, tint: str, seen: bool) -> Cell:  # noqa: FBT001  # as above
    return glyph(sign), Style(color(tint), dim=not seen)


def color(name: str) -> str:
    """Return a drawable color: an unknown one becomes gray."""
    return name if name in COLORS else "gray"


def glyph(text: str) -> str:
    """Return the one character of a glyph; a server's glyph is not trusted to be one, nor to be one cell wide."""
    first = clusters(clean(text) or "?")[0]
    return first if len(first) == cells(first) == 1 else "?"


def draw_map(window: MapWindow, *, glyphs: GlyphSet) -> None:
    """Draw the part of the level in the window; cells out of sight are drawn as last seen."""
    canvas, area, view, camera, *_ = window
    canvas.map_part = MapPart(area, camera, view.place.width, view.place.height)
    place, ground, cells = view.place, _ground_codes(view, lights=window.lights), canvas.cells
    width, left = place.width, area.x - camera[0]
    first, last = max(camera[0], 0), min(camera[0] + area.width, width)
    top = area.y - camera[1]
    for y in range(max(camera[1], 0), min(camera[1] + area.height, place.height)):
        row = ground[y * width + first : y * width + last]
        cells[top + y][left + first : left + last] = _ground_cells(row, glyphs, place.look)
    for cell, look in _things(window, glyphs).items():
        y, x = divmod(cell, width)
        if first <= x < last and 0 <= y - camera[1] < area.height:
            cells[top + y][left + x] = _in_light(look, ground[cell] >> _LIT & 3, place.look)
    if window.lights:
        _draw_stains(window, ground)


def _draw_stains(window: MapWindow, ground: bytes) -> None:
    """Let lit cells with stains have another background: blood the red of its light, soot none."""
    for cell, kind in window.stains.items():
        light = ground[cell] >> _LIT & 3 if cell < len(ground) else 0
        if light and (where := window.on_screen(cell)) is not None:
            x, y = where
            char, style = window.canvas.cells[y][x]
            plain = kind == "soot" or _RED < style.light <= _RED + LIGHTS
            window.canvas.cells[y][x] = char, style._replace(light=0 if plain else _RED + light)


@lru_cache(maxsize=4_096)
def _in_light(cell: Cell, light: int, look: Look | None) -> Cell:
    """Return a cell in light of this level, in the tint of the level's look."""
    if not light:
        return cell
    tint = TINTS.index(look.tint) if look is not None and look.tint in TINTS else 0
    return cell[0], cell[1]._replace(light=LIGHTS * tint + light)


@lru_cache(maxsize=64)
def _surface_look(look: SurfaceLook, glyphs: GlyphSet) -> Cell:
    """Return how a surface is drawn: by its sign for this set of glyphs, in its color; what harms is reversed."""
    own = look.unicode if glyphs is GlyphSet.UNICODE else look.sign
    return glyph(own), Style(color(look.colour), bold=True, reverse=bool(look.harm))


def _surface_cells(view: View, glyphs: GlyphSet) -> dict[int, Cell]:
    """Return how the surfaces in sight are drawn, by cell; a kind that has no look is not drawn."""
    looks = [_surface_look(look, glyphs) for look in view.surface_looks]
    return {cell: looks[number - 1] for cell, number in enumerate(view.surfaces) if 0 < number <= len(looks)}


def _things(window: MapWindow, glyphs: GlyphSet) -> dict[int, Cell]:
    """Return how surfaces, items and creatures on the map are drawn, by cell; creatures stand on items."""
    view = window.view
    drawn = _surface_cells(view, glyphs) if view.surfaces else {}
    drawn |= {cell: _item_look(item.glyph, item.colour, False) for cell, item in window.lying.items()}  # noqa: FBT003  # as above
    for item in view.items:
        drawn[item.cell] = item_cell(item)
    for one in view.creatures:
        sign, look = creature_cell(one, struck=one.handle in window.struck)
        if one.marks & _STANDING == _PLAYER:
            look = player_style(window.tints, one.name, look)
        drawn[one.cell] = (sign, look)
    return drawn


@lru_cache(maxsize=8_192)  # most rows of a frame were in the one before, of 200 clients in one process, too
def _ground_cells(codes: bytes, glyphs: GlyphSet, look: Look | None) -> list[Cell]:
    """Return how a row of the level is drawn, without creatures and items."""
    looks = _code_looks(glyphs, look)
    return [looks[code] for code in codes]


_SEEN: Final = 128
"""Added to a cell's code while the cell is in sight."""
_LIT: Final = 5
"""The place of the two bits of light in a cell's code."""
_GRAIN: Final = 4
"""The place of the bit that says which of the two colors of a look a cell has. The four below are its terrain."""
_KINDS: Final = bytes(kind if kind in list(Terrain) else Terrain.UNKNOWN for kind in range(256))
_SIGHT: Final = bytes(_SEEN * (seen & 1) for seen in range(256))


def _ground_codes(view: View, *, lights: bool) -> bytes:
    """Return the terrain and the grain of each cell, with `_SEEN` and its light added in sight.

    As whole numbers all cells are added in one operation.
    """
    terrain, sight = view.terrain.translate(_KINDS), view.sight.translate(_SIGHT)
    light = int.from_bytes(light_levels(view)) << _LIT if lights else 0
    grain = _grain(view.place.width, view.place.height) if view.place.look is not None else 0
    return (int.from_bytes(terrain) | int.from_bytes(sight) | light | grain).to_bytes(len(terrain))


@lru_cache(maxsize=64)
def _grain(width: int, height: int) -> int:
    """Return the grain of each cell of a level, as `_ground_codes` adds it: the same for all viewers at all times."""
    return int.from_bytes(
        bytes((cell * 2_654_435_761 >> 16) % 4 // 3 << _GRAIN for cell in range(width * height))
    )


@lru_cache(maxsize=64)
def _code_looks(glyphs: GlyphSet, look: Look | None) -> tuple[Cell, ...]:
    """Return how each code of a cell is drawn."""
    known = set(Terrain)
    looks = []
    for code in range(256):
        kind, grain = code % (1 << _GRAIN), code >> _GRAIN & 1
        terrain = Terrain(kind if kind in known else 0)
        cell = terrain_cell(terrain, seen=code >= _SEEN, glyphs=glyphs, look=look, grain=grain)
        looks.append(_in_light(cell, min(code >> _LIT & 3, LIGHTS), look))
    return tuple(looks)


def draw_pings(window: MapWindow, calls: Mapping[int, str]) -> None:
    """Mark the pinged cells, without covering the cells next to them."""
    if not calls:
        return
    taken = window.occupied_cells() | set(calls)
    for cell, word in calls.items():
        marks, tint = CALL_MARKS.get(word, CALL_MARKS["come"])
        _draw_marks(window, cell, marks, Style(tint, bold=True, reverse=True), taken)


def draw_overlay(window: MapWindow, overlay: Overlay, cursor: int) -> None:
    """Draw a cursor, the path to it and its area of effect over the map; creatures and items stay visible."""
    canvas, taken = window.canvas, window.occupied_cells()
    for cell in overlay.blast:
        if (where := window.on_screen(cell)) is not None:
            x, y = where
            char, style = canvas.cells[y][x]
            canvas.put(x, y, char, style._replace(underline=True, reverse=not style.reverse, dim=False))
    for way, (signs, look) in ((overlay.path, PATH), (overlay.beyond, BEYOND)):
        for cell, sign in zip(way, cycle(signs), strict=False):
            if cell in taken or (where := window.on_screen(cell)) is None:
                continue
            x, y = where
            char, style = canvas.cells[y][x]
            canvas.put(x, y, sign, look._replace(reverse=cell in overlay.blast))
    _draw_marks(window, cursor, CURSOR, Style("yellow", bold=True), taken)


def _draw_marks(window: MapWindow, cell: int, marks: str, look: Style, taken: set[int]) -> None:
    """Draw a cell in reverse between two marks, which do not cover creatures and items next to it."""
    where = window.on_screen(cell)
    if where is None:
        return
    canvas, area, width = window.canvas, window.area, window.view.place.width
    x, y = where
    char, style = canvas.cells[y][x]
    canvas.put(x, y, char, style._replace(color=look.color, reverse=True, bold=True))
    column = cell % width
    for by, mark in zip((-1, 1), marks, strict=True):
        on_level = 0 <= column + by < width
        if on_level and area.x <= x + by < area.x + area.width and cell + by not in taken:
            canvas.put(x + by, y, mark, look)
