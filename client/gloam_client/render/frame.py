"""The whole frame: the stack of screens from the bottom up, and the line of keys. Model in, canvas out."""

from gloam_client.render.ember import next_breath_ms
from gloam_client.render.layout import layout
from gloam_client.render.panels.log_panel import draw_flash
from gloam_client.render.panels.status_panel import SILENT_MS, UNANSWERED_MS, draw_keys
from gloam_client.render.thin_rims import thin_rims
from gloam_client.state import thinking_notice
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
    if model.surface.unicode:
        thin_rims(canvas)
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


def next_change_ms(model: Model) -> int | None:
    """Return the time of the next change on the screen without any input, or None."""
    wire, now_ms = model.connection, model.now_ms
    moments: list[int] = []
    if (breath_ms := next_breath_ms(model)) is not None:
        moments.append(breath_ms)
    if wire.state == "down":
        moments.append(now_ms + 1_000 - (now_ms - wire.since_ms) % 1_000)
    if wire.state == "joined":
        moments.append(_later(wire.heard_ms + SILENT_MS, now_ms))
        if wire.unanswered_since_ms is not None:
            moments.append(_later(wire.unanswered_since_ms + UNANSWERED_MS, now_ms))
        counts = model.options.motion == "full" and model.pace.for_names
        if counts and model.pace_ms + model.pace.ms > now_ms:
            left_ms = model.pace_ms + model.pace.ms - now_ms
            moments.append(now_ms + (left_ms % 1_000 or 1_000))
    if (due_ms := thinking_notice.thinking_due_ms(model)) is not None:
        moments.append(due_ms)
    if model.flash.text:
        moments.append(model.flash.until_ms)
    moments += [call.until_ms for call in model.active_pings]
    moments += [until_ms for until_ms in model.fights.struck.values() if until_ms > now_ms]
    return min(moments, default=None)


def _later(moment_ms: int, now_ms: int) -> int:
    """Return a future time: the given one, or, if it is past, the next whole second after it."""
    if moment_ms > now_ms:
        return moment_ms
    return now_ms + 1_000 - (now_ms - moment_ms) % 1_000
