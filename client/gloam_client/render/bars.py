"""Bars of health and mana: a line of text with a short bar at its end, and a bar of signs."""

from typing import Final

from gloam_client.terminal.canvas import QUIET, Canvas, Style, fit_text
from gloam_shared.text import cells

_LOST: Final = Style("red", bold=True)
"""The style of the part of a bar that was just lost."""
_WIDTH: Final = 4, 12
"""The least and the largest width of a bar beside a text. Longer ones would outshine the map."""
_ASCII: Final = "#=-"
_UNICODE: Final = "━╍─"
"""The signs of a bar: for what is there, for what was just lost, and for what is lacking."""


def share(part: int, most: int, cells: int) -> int:
    """Return how many of `cells` stand for `part` of `most`: none only for zero, all only for the whole."""
    if most <= 0 or part <= 0:
        return 0
    if part >= most:
        return cells
    return max(1, min(part * cells // most, cells - 1))


def health_style(now: int, most: int) -> Style:
    """Return the style of health: green, orange below a half, red below a quarter."""
    if now * 4 < most:
        return Style("red", bold=True)
    return Style("orange", bold=True) if now * 2 < most else Style("green")


def draw_bar(
    canvas: Canvas,
    at: tuple[int, int, int],
    text: str,
    part: tuple[int, int, int],
    style: Style,
    *,
    unicode: bool,
) -> None:
    """Draw a text at `at` (column, row, width), and a bar at the end of its row if there is room for one.

    `part` is the number, the most that it can be, and what it has just lost: that part is marked.
    """
    x, y, width = at
    shown = fit_text(text, width)
    canvas.put(x, y, shown, style)
    least, most = _WIDTH
    long = min(width - cells(shown.rstrip()) - 1, most)
    if long < least:
        return
    now, whole, lost = part
    counts = _counts(now, whole, lost, long)
    x += width - long
    for sign, count, look in zip(_UNICODE if unicode else _ASCII, counts, (style, _LOST, QUIET), strict=True):
        x = canvas.put(x, y, sign * count, look)


def _counts(now: int, most: int, lost: int, cells: int) -> tuple[int, int, int]:
    """Return how many cells of a bar are full, just lost, and empty."""
    full = share(now, most, cells)
    gone = max(share(min(now + lost, most), most, cells), full) if lost > 0 else full
    return full, gone - full, cells - gone


def bar_signs(now: int, most: int, lost: int, cells: int, *, unicode: bool = False) -> str:
    """Return a bar of signs: "######==----" has half of its health, and has just lost a sixth."""
    signs = zip(_UNICODE if unicode else _ASCII, _counts(now, most, lost, cells), strict=True)
    return "".join(sign * count for sign, count in signs)
