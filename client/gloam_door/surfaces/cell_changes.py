"""The cells that differ between two canvases, as parts of what a page gets, and the numbers of their styles."""

from itertools import compress
from operator import is_not
from typing import Any, Final

from gloam_client.terminal.canvas import PLAIN, Canvas, Cell, Style
from gloam_client.terminal.themes import Rgb, Theme

Part = list[Any]
"""One part of what a page gets: its name, and its values."""
_NIGHT: Final[Rgb] = (12, 12, 14)
"""The background of a theme that leaves it to the terminal."""
_FIRST_WIDE: Final = "\u1100"
"""The first of the signs that may take two cells."""
_NO_CELL: Final[Cell] = ("", PLAIN)


class CellChanges:
    """Compares canvases in one theme. `styles` are the parts that tell a page the numbers of all styles so far."""

    def __init__(self, theme: Theme) -> None:
        self.styles: list[Part] = []
        self._theme = theme
        self._numbers: dict[Style, int] = {}

    def between(self, shown: Canvas, canvas: Canvas) -> list[Part]:
        """Return the rows with cells that differ: the number of the row, then column, style and text of each run."""
        rows = enumerate(zip(shown.cells, canvas.cells, strict=True))
        changed = [self._changed_row(row, was, now) for row, (was, now) in rows if was != now]
        return [row for row in changed if len(row) > 1]

    def begin(self, canvas: Canvas) -> tuple[Canvas, Part]:
        """Return the picture of an empty page of a canvas's size, and the part that makes it."""
        empty = Canvas(canvas.width, canvas.height)
        empty.cells = [[_NO_CELL] * canvas.width for _ in range(canvas.height)]
        return empty, ["size", canvas.width, canvas.height, _hex(self._ground())]

    def _changed_row(self, row: int, was: list[Cell], now: list[Cell]) -> Part:
        """Return the changed cells of a row, those side by side in one style together, and a wide sign alone.

        Most cells of a row are the same objects; one that is another object with the same content is rare, and is sent.
        """
        changed: Part = [row]
        end, last, size = -1, None, len(now)
        for x in compress(range(size), map(is_not, was, now)):
            char, style = now[x]
            if not char:
                continue
            wide = char >= _FIRST_WIDE and x + 1 < size and not now[x + 1][0]
            if x == end and not wide and (style is last or style == last):
                changed[-1] += char
            else:
                changed += (x, self._number(style), char)
            end, last = (-1 if wide else x + 1), style
        return changed

    def _number(self, style: Style) -> int:
        """Return the page's number of a style, which `styles` has from then on."""
        number = self._numbers.get(style)
        if number is None:
            number = self._numbers[style] = len(self._numbers)
            name, ground = style.ink, self._ground(style.light)
            ink = self._theme.colors[name]
            if style.light:
                ink = self._theme.lit_colors.get(name, ink)
            if style.reverse:
                ink, ground = ground, ink
            self.styles.append(["style", number, _hex(ink), _hex(ground), style.bold + 2 * style.underline])
        return number

    def _ground(self, light: int = 0) -> Rgb:
        lights = self._theme.lights
        return lights[light - 1] if light and lights else self._theme.ground or _NIGHT


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
