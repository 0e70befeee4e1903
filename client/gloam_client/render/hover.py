"""The content of the cell under the mouse, in words over a row of the map. Pure."""

from gloam_client.render.descriptions import describe_cell, terrain_at
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import PLAIN, Canvas, Rect, wrap_text
from gloam_shared.appearance import Terrain

_ROWS_MAX = 2


def draw_hover(canvas: Canvas, area: Rect, model: Model, cell: int) -> None:
    """Draw the description of a cell over the last rows of the map, or over its first if the cell is among the last."""
    view = model.view
    if not 0 <= cell < len(view.terrain) or terrain_at(view, cell) is Terrain.UNKNOWN or not area.height:
        return
    _, *sentences, where = describe_cell(
        view, cell, model.world.damage, model.world.terrain_words, model.floor_items
    )
    things = sentences[:-1] or sentences
    rows = wrap_text(f"{where} {' '.join(things)}", area.width - 2)[:_ROWS_MAX]
    low = cell // view.place.width - model.camera[1] >= area.height - len(rows) - 1
    top = area.y if low else area.y + area.height - len(rows)
    for row, text in enumerate(rows):
        canvas.put(area.x, top + row, f" {text} ", PLAIN, area.x + area.width)
