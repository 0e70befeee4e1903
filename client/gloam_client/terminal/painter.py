"""The difference of two canvases as the shortest escape sequences, with cursor and style tracked. Pure."""

from functools import cache, lru_cache
from typing import Final

from gloam_client.terminal.canvas import Canvas, Cell, Style
from gloam_client.terminal.terrain_glyphs import TERRAIN_GLYPHS
from gloam_shared.appearance import COLOURS
from gloam_shared.text import as_cell

DEPTHS: Final = ("none", "16", "256", "true")
_GAP_MAX: Final = 4
"""Unchanged cells up to this many are written again where that is shorter than moving the cursor."""
_OWN: Final = "39"
"""The code of the terminal's own colour of text."""
_READABLE: Final = 4.5
_FAINT: Final = COLOURS["darkgray"][1]
_LEVELS: Final = (0, 95, 135, 175, 215, 255)
SYNC_BEGIN: Final = "\x1b[?2026h"
SYNC_END: Final = "\x1b[?2026l"


class Painter:
    """What a terminal shows now, with its cursor and style; turns the next canvas into bytes."""

    def __init__(self, depth: str, *, synchronized: bool = False) -> None:
        self._depth = depth
        self._synchronized = synchronized
        self._light = False
        self._shown: Canvas | None = None

    def forget(self) -> None:
        """Forget what the terminal shows: the next canvas is painted completely."""
        self._shown = None

    def use(self, depth: str, *, synchronized: bool, light: bool = False) -> None:
        """Use these capabilities from now on, on a light background or not.

        The next canvas is painted completely.
        """
        self._depth, self._synchronized, self._light = depth, synchronized, light
        self._shown = None

    def paint(self, canvas: Canvas) -> str:
        """Return the sequences that make the terminal show `canvas`; "" if it does already."""
        shown = self._shown
        whole = shown is None or (shown.width, shown.height) != (canvas.width, canvas.height)
        before = Canvas(canvas.width, canvas.height) if whole or shown is None else shown
        text = difference(before, canvas, self._depth, light=self._light)
        self._shown = canvas
        if whole:
            text = f"\x1b[0m\x1b[2J{text}"
        if not text:
            return ""
        return f"{SYNC_BEGIN}{text}{SYNC_END}" if self._synchronized else text


def difference(before: Canvas, after: Canvas, depth: str, *, light: bool = False) -> str:
    """Return the sequences that turn one canvas into another of the same size.

    The style is reset at the end.
    """
    width = after.width
    out: list[str] = []
    at: int | None = None
    style = _RESET
    old, new = before.cells, after.cells
    for cell, look in enumerate(new):
        if old[cell] == look:
            continue
        if at != cell:
            out.append(_move_to(at, cell, width, new, style))
        char, wanted = look
        if not _fits(look, style):
            out.append(_sgr(wanted, depth, light=light))
            style = wanted
        out.append(char if " " <= char <= "~" else _safe(char))
        at = cell + 1 if (cell + 1) % width else None
    if style != _RESET:
        out.append("\x1b[0m")
    return "".join(out)


_RESET: Final = Style()


def _fits(look: Cell, style: Style) -> bool:
    """Return whether a cell looks right when written in `style`: a blank needs only its background."""
    char, wanted = look
    if char == " ":
        return wanted.reverse == style.reverse and wanted.underline == style.underline and not wanted.reverse
    return wanted == style


def _move_to(at: int | None, cell: int, width: int, cells: list[Cell], style: Style) -> str:
    """Return the shortest sequence to move the cursor: rewrite a small gap, step right, or jump."""
    y, x = divmod(cell, width)
    if at is None or at // width != y or at > cell:
        return f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"
    between = cells[at:cell]
    if len(between) <= _GAP_MAX and all(_fits(look, style) for look in between):
        return "".join(_safe(char) for char, _ in between)
    return f"\x1b[{cell - at}C" if cell - at > 1 else "\x1b[C"


@lru_cache(maxsize=4_096)
def _safe(char: str) -> str:
    """Return the safe text of a cell. The caller should have cleaned it; this is the last check."""
    return char if char in TERRAIN_GLYPHS else as_cell(char)


@cache
def _sgr(style: Style, depth: str, *, light: bool) -> str:
    """Return the sequence that sets a style from any other."""
    codes = ["0"]
    codes += [code for wanted, code in zip(style[1:], ("1", "4", "7", "2"), strict=True) if wanted]
    if depth != "none":
        if style.dim:
            codes.remove("2")  # dark gray is enough; both together are unreadable
        if style != _RESET:
            codes.append(colour_code(style.colour, depth, light=light))
    return "\x1b[" + ";".join(codes) + "m" if codes != ["0"] else "\x1b[0m"


def colour_code(name: str, depth: str, *, light: bool = False) -> str:
    """Return the code of a colour for text on the terminal's own background.

    White is the terminal's own text colour, which is readable on any background; on a light one all others
    are darkened.
    """
    rgb, fallback = COLOURS[name]
    if name == "white":
        return _OWN
    if light:
        rgb, fallback = _darken(rgb), fallback if fallback == _FAINT else fallback % 8
    if light and name == "gray":
        return _OWN
    red, green, blue = rgb
    if depth == "true":
        return f"38;2;{red};{green};{blue}"
    if depth == "256":
        return f"38;5;{_cube(red, green, blue)}"
    return str(30 + fallback if fallback < 8 else 82 + fallback)


def _darken(rgb: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return a colour dark enough to be read on white (contrast 4.5:1)."""
    while contrast_with_white(rgb) < _READABLE:
        rgb = (rgb[0] * 9 // 10, rgb[1] * 9 // 10, rgb[2] * 9 // 10)
    return rgb


def contrast_with_white(rgb: tuple[int, int, int]) -> float:
    """Return the contrast of a colour with white as WCAG 2 defines it, 1 to 21."""
    red, green, blue = (
        part / 3_294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb
    )
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _cube(red: int, green: int, blue: int) -> int:
    """Return the nearest of the 256 colours: a gray of the ramp, or a corner of the 6x6x6 cube."""
    if max(red, green, blue) - min(red, green, blue) < 12:
        return 232 + max(0, min(23, (red - 3) // 10))
    r, g, b = (min(range(6), key=lambda at: abs(_LEVELS[at] - part)) for part in (red, green, blue))
    return 16 + 36 * r + 6 * g + b
