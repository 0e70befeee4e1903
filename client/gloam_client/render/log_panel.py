"""The log: newest line last, repeats folded, long lines wrapped. Each tone has a mark of its own besides its colour."""

from typing import Final

from gloam_client.model import Entry, Model, folded
from gloam_client.render.canvas import Canvas, Rect, Style, wrapped

TONES: Final[dict[str, tuple[str, Style]]] = {
    "plain": (" ", Style("gray")),
    "fight": ("*", Style("orange")),
    "hurt": ("!", Style("red", bold=True)),
    "good": ("+", Style("lightgreen")),
    "quiet": (".", Style("darkgray")),
    "chat": (":", Style("cyan")),
    "refused": ("-", Style("yellow")),
    "note": ("=", Style("teal")),
    "urgent": ("#", Style("white", bold=True)),
}
"""The mark before a line and its style, by the tone of the line."""


def draw_log(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw the last lines of the log, as many as fit; those that came since the last key are bright (rule RG.27)."""
    fresh = model.entries[-model.fresh :] if model.fresh else ()
    count = len(folded(fresh, area.height))
    entries = folded(model.entries, area.height)
    old, new = entries[: len(entries) - count], entries[len(entries) - count :]
    lines = shown(old, area.width) + [
        (mark, text, style._replace(bold=True)) for mark, text, style in shown(new, area.width)
    ]
    for row, (mark, text, style) in enumerate(lines[-area.height :] if area.height else []):
        y = area.y + row
        canvas.put(area.x, y, mark, style)
        canvas.put(area.x + 2, y, text, style, area.x + area.width)


def shown(entries: list[Entry], width: int) -> list[tuple[str, str, Style]]:
    """Return the rows of screen that log lines take: mark, text and style."""
    rows: list[tuple[str, str, Style]] = []
    for entry in entries:
        mark, style = TONES.get(entry.tone, TONES["plain"])
        for at, text in enumerate(wrapped(entry.text, width - 2)):
            rows.append((mark if at == 0 else " ", text, style))
    return rows
