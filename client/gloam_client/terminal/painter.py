"""The difference of two canvases as the shortest escape sequences, with cursor and style tracked. Pure."""

from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import Final, TypeAlias

from gloam_client.terminal.canvas import LIGHTS, PLAIN, Canvas, Cell, Style
from gloam_client.terminal.themes import GLOAM, Rgb, Theme, theme_for
from gloam_shared.text import as_cell

DEPTHS: Final = ("none", "16", "256", "true")
_LIT_DEPTHS: Final = DEPTHS[2:]
"""The depths that can show light: among 16 colors no two backgrounds are near each other."""
OWN: Final = "39"
"""The code of the terminal's own color of text."""
OWN_GROUND: Final = "49"
"""The code of the terminal's own background."""
_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_CUBE: Final = tuple((red, green, blue) for red in _LEVELS for green in _LEVELS for blue in _LEVELS)
_RAMP: Final = tuple((gray, gray, gray) for gray in range(8, 248, 10))
XTERM: Final[tuple[Rgb, ...]] = (*_CUBE, *_RAMP)
"""The colors 16 to 255 of terminals with 256: the cube and the ramp of grays. The first 16 differ between terminals."""
_FIRST: Final = 16


def color_code(name: str, depth: str, theme: Theme, *, lit: bool = False) -> str:
    """Return the code of a color for text, or for a sign on a lit cell.

    A theme without a background of its own leaves its own color of text to the terminal.
    """
    if lit and name in theme.lit_colors and depth in _LIT_DEPTHS:
        return f"38;{_code(theme.lit_colors[name], depth)}"
    if name in theme.own:
        return OWN
    if depth == "16":
        code = theme.codes[name]
        return str(30 + code if code < 8 else 82 + code)
    return f"38;{_code(theme.colors[name], depth)}"


def ground_code(depth: str, theme: Theme, light: int = 0) -> list[str]:
    """Return the code of a background in this light; none where a theme has none."""
    if light and theme.lights and depth in _LIT_DEPTHS:
        return [f"48;{_code(theme.lights[light - 1], depth)}"]
    if theme.ground is None:
        return []
    if depth == "16":
        return [str(40 + theme.ground_code if theme.ground_code < 8 else 92 + theme.ground_code)]
    return [f"48;{_code(theme.ground, depth)}"]


def _code(rgb: Rgb, depth: str) -> str:
    red, green, blue = rgb
    return f"2;{red};{green};{blue}" if depth == "true" else f"5;{_FIRST + nearest(rgb)}"


@lru_cache(maxsize=512)
def nearest(rgb: Rgb) -> int:
    """Return the place in `XTERM` of the color nearest to another."""
    return min(
        range(len(XTERM)), key=lambda at: sum((a - b) ** 2 for a, b in zip(XTERM[at], rgb, strict=True))
    )


_GAP_MAX: Final = 4
"""Unchanged cells up to this many are written again where that is shorter than moving the cursor."""
_AT_ONCE: Final = 200
"""A text shorter than this arrives whole without being bracketed."""
_NEVER: Final[Cell] = ("", PLAIN)
"""A cell that equals none."""
SYNC_BEGIN: Final = "\x1b[?2026h"
SYNC_END: Final = "\x1b[?2026l"


class Painter:
    """The present content of a terminal, with its cursor and style; turns the next canvas into bytes."""

    def __init__(self, depth: str, *, synchronized: bool = False) -> None:
        self._depth = depth
        self._synchronized = synchronized
        self._theme = GLOAM
        self._shown: Canvas | None = None

    def forget(self) -> None:
        """Forget what the terminal shows: the next canvas is painted completely."""
        self._shown = None

    def use(self, depth: str, *, synchronized: bool, light: bool = False, theme: str = "gloam") -> None:
        """Use these capabilities from now on, on a light background or not, and the theme of this name.

        The next canvas is painted completely.
        """
        self._depth, self._synchronized, self._theme = depth, synchronized, theme_for(theme, light=light)
        self._shown = None

    @property
    def lights(self) -> bool:
        """Whether lit cells have another background on this terminal in this theme."""
        return ground_code(self._depth, self._theme, LIGHTS) != ground_code(self._depth, self._theme)

    def paint(self, canvas: Canvas) -> str:
        """Return the sequences that make the terminal show `canvas`; "" if it does already."""
        shown = self._shown
        whole = shown is None or (shown.width, shown.height) != (canvas.width, canvas.height)
        before = Canvas(canvas.width, canvas.height) if whole or shown is None else shown
        if whole and _fills(self._depth, self._theme):
            before.cells = [[_NEVER] * canvas.width] * canvas.height
        text = difference(before, canvas, self._depth, self._theme)
        self._shown = canvas
        if whole:
            text = f"\x1b[0m\x1b[2J{text}"
        if not text:
            return ""
        together = self._synchronized and (whole or len(text) > _AT_ONCE)
        return f"{SYNC_BEGIN}{text}{SYNC_END}" if together else text


def difference(before: Canvas, after: Canvas, depth: str, theme: Theme = GLOAM) -> str:
    """Return the sequences that turn one canvas into another of the same size, style by style.

    On the map the light moves with the player, and changes few styles in many rows: to move the cursor is shorter than
    to set a style again. The style is reset at the end.
    """
    out: list[str] = []
    at: tuple[int, int] | None = None
    first = style = None if _fills(depth, theme) else _RESET
    for wanted, runs in _changed_runs(before, after).items():
        for row, x, text, end in runs:
            out.append(_move_to(at, row, x, after.cells[row], style))
            if style is not wanted and style != wanted:
                out.append(_sgr(style, wanted, depth, theme))
            style = wanted
            out.append(text)
            at = (row, end) if end < after.width else None
    if style != first:
        out.append("\x1b[0m")
    return "".join(out)


_Runs: TypeAlias = dict[Style, list[tuple[int, int, str, int]]]
"""Runs of cells by their styles: row, column, text, and the column of the cursor after it."""
_LOST: Final = 1 << 16
"""The column of the cursor after a wide cluster: terminals do not agree on it, so the next run begins with a jump."""


def _changed_runs(before: Canvas, after: Canvas) -> _Runs:
    """Return the cells that differ, those side by side as one run.

    Most rows are equal, and a whole row is compared in one operation; so are most cells of the others, which are the
    same objects.
    """
    runs: _Runs = {}
    columns = range(after.width)
    for row, (was, now) in enumerate(zip(before.cells, after.cells, strict=True)):
        if was == now:
            continue
        first, end, text, style = 0, -1, "", PLAIN
        for x in compress(columns, map(is_not, was, now)):
            look = now[x]
            if look == was[x]:
                continue
            char, wanted = look
            if x == end and len(char) == 1 and (wanted is style or _fits(look, style)):
                text += char
            elif char:
                if text:
                    runs.setdefault(style, []).append((row, first, _safe(text), end))
                first, text, style = x, char, wanted
            else:  # the second half of a wide cluster
                continue
            end = x + 1
            if not char.isascii() and (len(char) > 1 or (end < len(now) and not now[end][0])):
                shown = _safe(text) if len(char) == 1 else _safe_cluster(char)
                runs.setdefault(style, []).append((row, first, shown, _LOST))
                end, text = -1, ""
        if text:
            runs.setdefault(style, []).append((row, first, _safe(text), end))
    return runs


def _fills(depth: str, theme: Theme) -> bool:
    """Return whether each cell gets the theme's own background."""
    return theme.ground is not None and depth != "none"


_RESET: Final = Style()


def _fits(look: Cell, style: Style) -> bool:
    """Return whether a cell looks right when written in `style`: a blank needs only its background."""
    char, wanted = look
    if char == " ":
        return wanted[2:4] == style[2:4] and wanted.light == style.light and not wanted.reverse
    return wanted == style


def _move_to(at: tuple[int, int] | None, row: int, x: int, cells: list[Cell], style: Style | None) -> str:
    """Return the shortest sequence to move the cursor to a cell of a row: rewrite a small gap, step, or jump."""
    if at is None:
        return _jump(row, x)
    at_row, at_x = at
    if row == at_row and at_x <= x <= at_x + _GAP_MAX and style is not None:
        between = cells[at_x:x]
        for look in between:
            if len(look[0]) != 1 or (look[1] is not style and not _fits(look, style)):
                break
        else:
            return _safe("".join([char for char, _ in between]))
    steps, jump = _vertical(row - at_row) + _horizontal(x - at_x), _jump(row, x)
    return steps if len(steps) < len(jump) else jump


@lru_cache(maxsize=1_024)
def _vertical(down: int) -> str:
    """Return the sequence for steps of the cursor down, or up where they are negative."""
    return _steps(abs(down), "B" if down > 0 else "A")


@lru_cache(maxsize=1_024)
def _horizontal(right: int) -> str:
    """Return the shortest sequence for steps to the right, or to the left: backspaces only move the cursor."""
    return _steps(right, "C") if right > 0 else min("\b" * -right, _steps(-right, "D"), key=len)


@lru_cache(maxsize=16_384)
def _jump(row: int, x: int) -> str:
    return f"\x1b[{row + 1};{x + 1}H" if x else f"\x1b[{row + 1}H"


def _steps(count: int, way: str) -> str:
    """Return the sequence for steps of the cursor: up A, down B, right C, left D; "" for none."""
    if not count:
        return ""
    return f"\x1b[{way}" if count == 1 else f"\x1b[{count}{way}"


@lru_cache(maxsize=4_096)  # most runs are a few signs of the map
def _safe(text: str) -> str:
    """Return the safe text of cells. The caller should have cleaned it; this is the last check."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_safe_cluster, text))


_safe_cluster: Final = lru_cache(maxsize=4_096)(as_cell)


_MARKS: Final = (("1", "22"), ("4", "24"), ("7", "27"))
"""The codes that turn bold, underline and reverse on and off."""


@lru_cache(maxsize=16_384)
def _sgr(before: Style | None, style: Style, depth: str, theme: Theme) -> str:
    """Return the shortest sequence that sets a style after another, or after None from a reset terminal."""
    codes = _whole(style, depth, theme)
    if depth != "none" and before is not None:
        marks = zip(_MARKS, before[1:4], style[1:4], strict=True)
        change = [on if now else off for (on, off), was, now in marks if was != now]
        color = _text_code(style, depth, theme)
        change += [color] if color != _text_code(before, depth, theme) else []
        ground = ground_code(depth, theme, style.light)
        if ground != ground_code(depth, theme, before.light):
            change += ground or [OWN_GROUND]
        codes = min(codes, ";".join(change), key=len)
    return f"\x1b[{codes}m" if codes else ""


@lru_cache(maxsize=4_096)
def _whole(style: Style, depth: str, theme: Theme) -> str:
    """Return the codes that set a style after any other."""
    marks = [on for (on, _), now in zip(_MARKS, style[1:4], strict=True) if now]
    if depth == "none":
        return ";".join(["0", *marks, *(["2"] if style.dim else [])])
    plain = style == _RESET and theme.ground is None
    return ";".join(
        [
            "0",
            *marks,
            *([] if plain else [_text_code(style, depth, theme)]),
            *ground_code(depth, theme, style.light),
        ]
    )


@lru_cache(maxsize=4_096)
def _text_code(style: Style, depth: str, theme: Theme) -> str:
    """Return the code of a style's color."""
    if style == _RESET and theme.ground is None:
        return OWN
    return color_code(style.ink, depth, theme, lit=style.light > 0)
