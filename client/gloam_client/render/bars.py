"""Bars of health and mana: a line of text whose ground is full as far as the number is, and a short bar of signs."""

from functools import cache
from typing import Final

from gloam_client.terminal.canvas import Canvas, Style, fit_text
from gloam_shared.text import cut, pad

_LOST: Final = Style("red", bold=True, underline=True)
"""The style of the part of a bar that was just lost."""
FULL: Final = "#"
LOST: Final = "="
EMPTY: Final = "-"


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
    canvas: Canvas, at: tuple[int, int, int], text: str, part: tuple[int, int, int], style: Style
) -> None:
    """Draw a text over `at` (column, row, width), in reverse as far as a number reaches.

    `part` is the number, the most that it can be, and what it has just lost: that part is underlined.
    """
    x, y, width = at
    now, most, lost = part
    full = share(now, most, width)
    gone = share(min(now + lost, most), most, width) if lost > 0 else full
    filled, plain = _looks(style)
    left, rest = x, pad(fit_text(text, width), width)
    for last, look in ((full, filled), (gone, _LOST), (width, plain)):
        shown = cut(rest, left + last - x)
        x, rest = canvas.put(x, y, shown, look), rest[len(shown) :]


@cache
def _looks(style: Style) -> tuple[Style, Style]:
    """Return how the full and the empty part of a bar in this style look."""
    return style._replace(reverse=True), style._replace(bold=False)


def bar_signs(now: int, most: int, lost: int, cells: int) -> str:
    """Return a bar of signs: "######==----" has half of its health, and has just lost a sixth."""
    full = share(now, most, cells)
    gone = max(share(min(now + lost, most), most, cells), full) if lost > 0 else full
    return FULL * full + LOST * (gone - full) + EMPTY * (cells - gone)
