"""A grid of cells, each one character and one style: what a screen should look like. Knows no escape sequence."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from gloam_shared import text as texts
from gloam_shared.text import as_cell, cells, clusters, cut, pad

MEMORY: Final = "memory"
"""The color of what is remembered of the map. It is the client's own: no server sends it."""


class Style(NamedTuple):
    """The look of a cell. `color` is a name in `appearance.COLORS` or `MEMORY`; most of the rest are marks that need no color.

    `light` is the light on its background: 0 for none, else a level from 1 to `LIGHTS`, and `LIGHTS` more for each tint
    after the first (`appearance.TINTS`).
    """

    color: str = "gray"
    bold: bool = False
    underline: bool = False
    reverse: bool = False
    dim: bool = False
    light: int = 0

    @property
    def ink(self) -> str:
        """The name of the color that it is drawn in: dark gray stands for what is faint, which every terminal shows."""
        return "darkgray" if self.dim and self.color != MEMORY else self.color


LIGHTS: Final = 2
"""The number of levels of light. More levels cost too many bytes: with each step of a player all their rims move."""


class Rect(NamedTuple):
    """A part of the canvas."""

    x: int
    y: int
    width: int
    height: int

    def inset(self, by: int = 1) -> "Rect":
        """Return the rectangle without a rim of `by` cells."""
        return Rect(self.x + by, self.y + by, max(self.width - 2 * by, 0), max(self.height - 2 * by, 0))

    def holds(self, x: int, y: int) -> bool:
        """Return whether a cell is in the rectangle."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


Cell = tuple[str, Style]
"""A cluster and its style. A cluster of two cells has "" in its second one."""

PLAIN: Final = Style()
BRIGHT: Final = Style("white", bold=True)
QUIET: Final = Style("darkgray", dim=True)
REMEMBERED: Final = Style(MEMORY, dim=True)
MARKED: Final = Style("white", reverse=True)
KEY: Final = Style("yellow", bold=True)
BADGE: Final = Style("yellow", bold=True, reverse=True)
TITLE: Final = Style("goldenrod", bold=True)
CUT: Final = ".."
"""The mark after the last word of a text that is too long for its place."""
BLANK: Final[Cell] = (" ", PLAIN)


class Rim(NamedTuple):
    """The rim of a box: its corners, its sides, and the styles of rim and title."""

    corner: str = "+"
    bar: str = "-"
    side: str = "|"
    style: Style = QUIET
    title: Style = TITLE


PLAIN_RIM: Final = Rim()
VICTORY_RIM: Final = Rim("*", "*", "*", KEY, BADGE)
GRAVE_RIM: Final = Rim("+", "=", "|", Style("red"), Style("red", bold=True))


class _StyledCells(dict[str, Cell]):
    """The cells of one style by their characters.

    Equal cells are mostly one object, so that the painter finds what is unchanged without comparing characters.
    """

    def __init__(self, style: Style) -> None:
        self._style = style

    def __missing__(self, char: str) -> Cell:
        cell = (char, self._style)
        if len(self) < _CELLS_MAX:
            self[char] = cell
        return cell


_CELLS_MAX: Final = 256
"""The number of characters that are kept for a style."""


@lru_cache(maxsize=256)
def _cells_in(style: Style) -> _StyledCells:
    return _StyledCells(style)


@lru_cache(maxsize=4_096)  # most texts of a frame were in the one before
def _as_cells(text: str, style: Style, ambiguous: int) -> tuple[list[Cell], bool]:  # noqa: ARG001  # texts count with it
    """Return the cells of a text, and whether none of them is wide.

    A character that must not be shown becomes `?`, because callers may forget to clean it.
    """
    looks = _cells_in(style)
    if text.isascii():
        if not text.isprintable():
            text = "".join(char if char.isprintable() else "?" for char in text)
        return list(map(looks.__getitem__, text)), True
    found: list[Cell] = []
    for cluster in map(as_cell, clusters(text)):
        found.append(looks[cluster])
        if cells(cluster) == 2:
            found.append(looks[""])
    return found, looks[""] not in found


def is_wide(cell: Cell) -> bool:
    """Return whether a cell is the first of the two of a wide cluster."""
    return not cell[0].isascii() and cells(cell[0]) == 2


class Listing(NamedTuple):
    """A list in a window as its screen wants it: whole, and where its rows are on the canvas."""

    title: str
    lines: tuple[str, ...]
    marked: int | None
    head: tuple[str, ...]
    foot: str
    headings: frozenset[int]
    """The numbers of the lines that cannot be marked."""
    rows: Rect
    """The area in which the lines from `first` on are drawn."""
    first: int
    beside: tuple[Rect, int] | None = None
    """The area of a second column, and the first of its lines."""

    def line_at(self, x: int, y: int) -> int | None:
        """Return the number of the line that is drawn there; None for none."""
        for rows, first in ((self.rows, self.first), *([self.beside] if self.beside else [])):
            if rows.x <= x < rows.x + rows.width and rows.y <= y < rows.y + rows.height:
                return first + y - rows.y
        return None


class MapPart(NamedTuple):
    """The position of a part of a level: the area, the column and row at its top left, and the level's size."""

    area: Rect
    camera: tuple[int, int]
    width: int
    height: int

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell of the level that is drawn there; None for none."""
        column, row = x - self.area.x + self.camera[0], y - self.area.y + self.camera[1]
        on_level = 0 <= column < self.width and 0 <= row < self.height
        return row * self.width + column if on_level and self.area.holds(x, y) else None


class Canvas:
    """A grid of cells. Drawings beyond its edge are cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.cells: list[list[Cell]] = [[BLANK] * width for _ in range(height)]
        """The cells, row by row."""
        self.listing: Listing | None = None
        """The list drawn last."""
        self.map_part: MapPart | None = None
        """The part of the level drawn last."""
        self.boxes: list[Rect] = []
        """The boxes drawn so far."""
        self.narrow = True
        """Whether no cluster of two cells can be on it: then none can be cut in two."""

    def put(self, x: int, y: int, text: str, style: Style = PLAIN, right: int | None = None) -> int:
        """Write `text` from (x, y), not beyond column `right`; return the column after it.

        Of a text that is too long, whole words are drawn (`fit_text`). Unsafe characters, such as the start of an escape sequence, are drawn as `?`.
        """
        if right is None or right > self.width:
            right = self.width
        if not 0 <= y < self.height:
            return x
        drawn, narrow = _as_cells(text, style, 1 if text.isascii() else texts.ambiguous_cells())
        end = x + len(drawn)
        if end > right:
            end = right
            text = fit_text(text, max(end - x, 0))
            drawn, narrow = _as_cells(text, style, 1 if text.isascii() else texts.ambiguous_cells())
        if x < 0:
            drawn, x = drawn[-x:], 0
            if drawn and not drawn[0][0]:
                drawn[0] = (" ", style)
        if x < end:
            self.cells[y][x:end] = drawn
            self.narrow = self.narrow and narrow
            if not self.narrow:
                self._mend(y, x, end)
        return end

    def _mend(self, y: int, first: int, end: int) -> None:
        """Make blanks of the halves of wide clusters beside the new cells of a row, whose other halves are gone."""
        row = self.cells[y]
        if first > 0 and is_wide(row[first - 1]):
            row[first - 1] = (" ", row[first - 1][1])
        if end < len(row) and not row[end][0]:
            row[end] = (" ", row[end][1])

    def fill(self, area: Rect, char: str = " ", style: Style = PLAIN) -> None:
        """Write one character into every cell of an area."""
        below, right = area.y + area.height, area.x + area.width
        drawn, narrow = _as_cells(char * area.width, style, 1 if char.isascii() else texts.ambiguous_cells())
        if (
            len(drawn) == area.width
            and min(area.x, area.y) >= 0
            and right <= self.width
            and below <= self.height
        ):
            self.paste(area.x, area.y, [drawn] * area.height, narrow=narrow)
            return
        for y in range(area.y, below):
            self.put(area.x, y, char * area.width, style)

    def paste(self, x: int, y: int, rows: list[list[Cell]], *, narrow: bool) -> int:
        """Write rows of cells from (x, y) on, and return the row after them; they must fit.

        `narrow` says that no cluster of two cells is among them.
        """
        self.narrow = self.narrow and narrow
        for row in rows:
            self.cells[y][x : x + len(row)] = row
            if not self.narrow:
                self._mend(y, x, x + len(row))
            y += 1
        return y

    def box(self, area: Rect, title: str = "", rim: Rim = PLAIN_RIM) -> Rect:
        """Clear an area, draw a rim of plain characters with a title around it, and return the inner area."""
        self.listing = None
        self.boxes.append(area)
        self.fill(area)
        bar = rim.corner + rim.bar * (area.width - 2) + rim.corner
        self.put(area.x, area.y, bar, rim.style)
        self.put(area.x, area.y + area.height - 1, bar, rim.style)
        for y in range(area.y + 1, area.y + area.height - 1):
            self.put(area.x, y, rim.side, rim.style)
            self.put(area.x + area.width - 1, y, rim.side, rim.style)
        if title:
            self.put(area.x + 2, area.y, f" {title} ", rim.title, area.x + area.width - 1)
        return area.inset()

    def rows(self) -> Iterator[str]:
        """Return the characters, row by row."""
        for row in self.cells:
            yield "".join(char for char, _ in row)


def fit_text(text: str, room: int) -> str:
    """Return `text` in at most `room` cells: its whole words, and two dots for what is left out."""
    if cells(text) <= room:
        return text
    whole, kept = cut(text, room), cut(text, room - len(CUT))
    if text[len(whole) :].isspace() or not kept or not _has_word(text):
        return pad(whole, room)
    if text[len(kept)] != " ":
        space = kept.rfind(" ", len(kept) // 2)
        kept = kept[:space] if space > 0 else kept
    return pad(f"{kept.rstrip()}{CUT}", room)


def _has_word(text: str) -> bool:
    """Return whether there are two letters in a row: the glyphs of a map are no words."""
    return any(one.isalpha() and other.isalpha() for one, other in pairwise(text))


def wrap_text(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` cells, broken at spaces where possible, and never inside a cluster."""
    lines: list[str] = []
    rest = text
    width = max(width, 1)
    while cells(rest) > width:
        line = cut(rest, width) or clusters(rest)[0]
        at = len(line) if rest[len(line) :].startswith(" ") else line.rfind(" ", 1)
        line = line[:at] if at > 0 else line
        lines.append(line)
        rest = rest[len(line) :].removeprefix(" ")
    return [*lines, rest]


def wrap_facts(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` cells; facts with two spaces between them stay whole."""
    lines: list[str] = []
    for fact in text.split("  "):
        joined = f"{lines[-1]}  {fact}" if lines else fact
        lines[-1:] = [joined] if cells(joined) <= width or not lines else [lines[-1], fact]
    return [row for line in lines for row in wrap_text(line, width)]
