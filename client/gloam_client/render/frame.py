"""The whole frame: the stack of screens from the bottom up, and the line of keys. Model in, canvas out."""

from gloam_client.render.layout import layout
from gloam_client.render.panels.log_panel import draw_flash
from gloam_client.render.panels.status_panel import draw_keys
from gloam_client.state.model import HEIGHT_MIN, WIDTH_MIN, Model
from gloam_client.terminal.canvas import BRIGHT, PLAIN, Canvas


def draw(model: Model, made: type[Canvas] = Canvas) -> Canvas:
    """Return the frame of a model, on a canvas of the kind `made`."""
    width, height = model.surface.size
    canvas = made(width, height)
    if model.too_small:
        _draw_too_small(canvas, width, height)
        return canvas
    for screen in model.screens:
        screen.draw(model, canvas)
    parts = layout(width, height, model.view.place.width)
    draw_flash(canvas, parts, model)
    draw_keys(canvas, parts.keys, model.top.hints(model))
    return canvas


def _draw_too_small(canvas: Canvas, width: int, height: int) -> None:
    lines = (
        "This window is too small:",
        f"needs {WIDTH_MIN}x{HEIGHT_MIN}, now {width}x{height}.",
        "Ctrl-C leaves.",
    )
    top = max((height - len(lines)) // 2, 0)
    for row, line in enumerate(lines):
        canvas.put(max((width - len(line)) // 2, 0), top + row, line, BRIGHT if row == 1 else PLAIN)
