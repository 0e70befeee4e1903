"""The log: newest line last, repeats folded, long lines wrapped. Each tone has its own mark besides its color."""

from functools import cache
from typing import Final

from gloam_client.render.layout import Layout
from gloam_client.render.repeated_lines import collapse_repeats
from gloam_client.state.guidance.tips import tip
from gloam_client.state.model import Entry, Model
from gloam_client.terminal.canvas import QUIET, Canvas, Rect, Style, wrap_text
from gloam_client.terminal.kept_panel import keep

TONES: Final[dict[str, tuple[str, Style]]] = {
    "plain": (" ", Style("gray")),
    "fight": ("*", Style("orange")),
    "hurt": ("!", Style("red", bold=True)),
    "good": ("+", Style("lightgreen")),
    "quiet": (".", Style("darkgray")),
    "chat": (":", Style("cyan")),
    "party": ("&", Style("green")),
    "whisper": ("<", Style("magenta")),
    "emote": ("~", Style("cyan")),
    "refused": ("-", Style("yellow")),
    "note": ("=", Style("teal")),
    "urgent": ("#", Style("white", bold=True)),
}
"""The mark before a line and its style, by the tone of the line."""


TURN: Final = "|"
"""The sign after the mark of a turn's first line."""


def _log_inputs(model: Model) -> object:
    return model.messages.entries, model.messages.fresh, tip(model)


@keep(_log_inputs)
def draw_log(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the last lines of the log, as many as fit; lines since the last key are bright (rule RG.27).

    While they leave room, a tip stands below them.
    """
    fresh = model.messages.entries[-model.messages.fresh :] if model.messages.fresh else ()
    count = len(collapse_repeats(fresh, area.height))
    entries = collapse_repeats(model.messages.entries, area.height)
    old, new = entries[: len(entries) - count], entries[len(entries) - count :]
    lines = visible_entries(old, area.width) + [
        (mark, text, _bold(style)) for mark, text, style in visible_entries(new, area.width, old[-1:])
    ]
    advice = wrap_text(tip(model), area.width - 2)
    if advice[0] and len(lines) + len(advice) <= area.height:
        lines += [(".", text, QUIET) for text in advice]
    for row, (mark, text, style) in enumerate(lines[-area.height :] if area.height else []):
        y = area.y + row
        canvas.put(area.x, y, mark, style)
        canvas.put(area.x + 2, y, text, style, area.x + area.width)
    return area.y + area.height


@cache
def _bold(style: Style) -> Style:
    return style._replace(bold=True)


def visible_entries(
    entries: list[Entry], width: int, before: list[Entry] | None = None
) -> list[tuple[str, str, Style]]:
    """Return log lines as screen rows: mark, text and style; a sign marks the first row of a turn.

    `before` is the line above them, if there is one.
    """
    rows: list[tuple[str, str, Style]] = []
    turn = (before or entries)[0].turn if entries else 0
    for entry in entries:
        mark, style = TONES.get(entry.tone, TONES["plain"])
        if entry.turn != turn:
            turn, mark = entry.turn, mark + TURN
        for at, text in enumerate(wrap_text(entry.text, width - 2)):
            rows.append((mark if at == 0 else " ", text, style))
    return rows


def draw_flash(canvas: Canvas, parts: Layout, model: Model) -> None:
    """Draw the message line over the last row of the map, or over its first if the player is near the last.

    While a window is open, the message line stands above the newest lines of the log, and the whole window stays in sight.
    """
    flash, opened = model.flash, len(model.screens) > 1
    area = parts.log if opened else parts.map
    if not flash.text or not area.height:
        return
    mark, style = TONES.get(flash.tone, TONES["note"])
    times = f" x{flash.times}" if flash.times > 1 else ""
    rows = wrap_text(f"{flash.text}{times}", area.width - 4)[: area.height]
    low = _own_row(model) >= area.height - len(rows) - 1
    top = area.y if opened or low else area.y + area.height - len(rows)
    if opened:
        canvas.fill(area)
        draw_log(canvas, area._replace(y=area.y + len(rows), height=area.height - len(rows)), model)
    else:
        canvas.fill(area._replace(y=top, height=len(rows)))
    for row, text in enumerate(rows):
        head = mark if row == 0 else " "
        canvas.put(area.x, top + row, f"{head} {text}", style, area.x + area.width)


def _own_row(model: Model) -> int:
    """Return the player's row on the map."""
    width = model.view.place.width
    return model.view.cell // width - model.camera[1] if width else 0
