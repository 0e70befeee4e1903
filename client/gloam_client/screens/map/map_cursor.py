"""The common parts of the cursors for looking and aiming: moving, jumping to interesting cells, drawing."""

from gloam_client.input import keymap
from gloam_client.render.camera import scroll_to
from gloam_client.render.layout import layout
from gloam_client.render.panels.map_panel import MapWindow, Overlay, draw_map, draw_overlay, draw_pings
from gloam_client.screens.common.window import shortened
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import BLANK, BRIGHT, PLAIN, Canvas, Rect, wrap_text
from gloam_client.terminal.terrain_glyphs import glyph_set

_FAR = 8


def move_cursor(model: Model, cell: int, intent: str) -> int:
    """Return a cursor's cell after a direction key: one cell on, or eight with Shift, never off the level."""
    dx, dy = keymap.DIRECTION_OF[intent]
    steps = _FAR if intent.startswith("run") else 1
    place = model.view.place
    x, y = place.grid.point(cell)
    x = max(0, min(x + dx * steps, place.width - 1))
    y = max(0, min(y + dy * steps, place.height - 1))
    return y * place.width + x


def jump_cursor(cells: list[int], cell: int, step: int) -> int:
    """Return the next cell in a non-empty list, with wrap-around.

    From a cell outside the list, its first or last.
    """
    if cell in cells:
        return cells[(cells.index(cell) + step) % len(cells)]
    return cells[0 if step > 0 else -1]


def draw_map_cursor(model: Model, canvas: Canvas, cell: int, overlay: Overlay) -> MapWindow:
    """Draw the map around a cursor; return the map's window."""
    view = model.view
    area = layout(canvas.width, canvas.height, view.place.width).map
    x, y = view.place.grid.point(cell)
    camera = (
        scroll_to(model.camera[0], x, view.place.width, area.width),
        scroll_to(model.camera[1], y, view.place.height, area.height),
    )
    canvas.fill(area, *BLANK)
    struck = model.fights.flashing(model.now_ms)
    tints, lights = model.company.party.tints, model.surface.lights
    window = MapWindow(canvas, area, view, camera, model.floor_items, struck, tints, lights, model.stains)
    draw_map(window, glyphs=glyph_set(model.options.glyphs, unicode=model.surface.unicode))
    draw_pings(window, model.marked_cells)
    draw_overlay(window, overlay, cell)
    return window


def draw_words(window: MapWindow, cell: int, title: str, sentences: list[str]) -> None:
    """Draw a cell's description at the lower edge of the map, or at the upper one to keep the cell visible."""
    canvas, area = window.canvas, window.area
    lines = [line for text in sentences if text for line in wrap_text(text, area.width - 4)]
    lines = shortened(lines, max(area.height - 2, 0))
    low = cell // window.view.place.width - window.camera[1] >= area.height - len(lines) - 3
    top = area.y if low else area.y + area.height - len(lines) - 2
    inside = canvas.box(Rect(area.x, top, area.width, len(lines) + 2), title)
    for row, line in enumerate(lines):
        style = BRIGHT if row == 0 else PLAIN
        canvas.put(inside.x + 1, inside.y + row, line, style, inside.x + inside.width)
