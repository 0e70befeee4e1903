"""The common parts of lists and questions: a box over the map, moving a mark, the answer to a wrong key."""

from collections.abc import Sequence
from itertools import pairwise

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.state.client_effects import ShowMessage
from gloam_client.state.model import Model, Update
from gloam_client.terminal.canvas import (
    BRIGHT,
    CUT,
    MARKED,
    PLAIN,
    PLAIN_RIM,
    QUIET,
    TITLE,
    Canvas,
    Listing,
    Rect,
    Rim,
    fit_text,
    wrap_text,
)
from gloam_shared.text import cells, cut, pad

_LEAST = 5
"""The number of list lines that fit before its header is shown, too."""
_WHOLE_MAX = 4
"""The most rows of a marked line that is too long for the window."""
_SPELLED_MAX = 5
"""The most letters that a hint spells, where there are gaps between them."""
_COUNT_CELLS = 17
"""The cells of the upper rim for corners, the blanks around the title, and the number of the lines above."""


def draw_window(
    canvas: Canvas,
    model: Model,
    title: str,
    lines: list[str],
    marked: int | None = None,
    *,
    faint: frozenset[int] = frozenset(),
    headings: frozenset[int] = frozenset(),
    head: list[str] | None = None,
    foot: str = "",
    rim: Rim = PLAIN_RIM,
    within: Rect | None = None,
) -> None:
    """Draw a box with lines over the middle of the map, scrolled so that the marked line is visible.

    The line numbers in `faint` are drawn faint, those in `headings` as headings. `head` and `foot` are above and below the lines and do not
    scroll; if there is too little room, the foot is dropped first, then the end of the head. Where a line is too long for the window, the marked
    one stands whole below the lines if there is room. After a life the window covers the line of the goal, too. `within` is the area for it, if that is not the whole map.
    """
    area = within or layout(*model.surface.size).overlay
    if model.dead:
        area = area._replace(y=area.y - 1, height=area.height + 1)
    above = [line for text in head or [] for line in wrap_text(text, area.width - 4)]
    below = ["", *wrap_text(foot, area.width - 4)] if foot else []
    least = min(len(lines), _LEAST)
    if marked is not None and (whole := _whole_line(lines, marked, area.width - 4)):
        fits = len(above) + len(whole) + len(below) + least + 2 <= area.height
        below = [*whole, *below] if fits else below
    if len(above) + len(below) + least + 2 > area.height:
        below = []
        above = shortened(above, max(area.height - least - 2, 0))
    if marked is None and len(lines) + len(above) + len(below) + 2 > area.height:
        lines = [line for line in lines if line.strip()]
    widest = max([cells(title) + 2, *map(cells, lines), *map(cells, above), *map(cells, below)])
    width = min(widest + 4, area.width)
    height = min(len(lines) + len(above) + len(below) + 2, area.height)
    room = max(height - 2 - len(above) - len(below), min(len(lines), 1))
    first = first_shown(len(lines), room, marked or 0)
    title = fit_text(title, width - _COUNT_CELLS).rstrip() if first > 0 else title
    inside = canvas.box(_place(model, area, width, height), title, rim)
    right = inside.x + inside.width
    for row, line in enumerate(above):
        canvas.put(inside.x + 1, inside.y + row, line, PLAIN, right)
    top = inside.y + len(above)
    for row, line in enumerate(lines[first : first + room]):
        at = first + row
        style = MARKED if at == marked else TITLE if at in headings else QUIET if at in faint else PLAIN
        canvas.put(inside.x, top + row, pad(f" {line} ", inside.width), style, right)
    if lines:
        draw_more(canvas, inside, first, len(lines) - first - room)
    rows = Rect(inside.x, top, inside.width, min(len(lines) - first, room))
    canvas.listing = Listing(title, tuple(lines), marked, tuple(head or ()), foot, headings, rows, first)
    for row, line in enumerate(below):
        canvas.put(inside.x + 1, top + room + row, line, PLAIN, right)


def _whole_line(lines: list[str], marked: int, width: int) -> list[str]:
    """Return the marked line in rows for below the list, as many as the longest line needs; none if all lines fit."""
    if all(cells(line) <= width for line in lines):
        return []
    texts = [cut(" ".join(line.split()), _WHOLE_MAX * width) for line in lines]
    rows = [wrap_text(text, width)[:_WHOLE_MAX] for text in texts]
    shown = rows[marked] if cells(lines[marked]) > width else []
    return ["", *shown, *[""] * (max(map(len, rows)) - len(shown))]


def shortened(lines: list[str], room: int) -> list[str]:
    """Return the first lines, with two dots at the end of the last if any is left out."""
    if len(lines) <= room or not room:
        return lines[:room]
    return [*lines[: room - 1], f"{lines[room - 1].rstrip(' .,:;')}{CUT}"]


def _place(model: Model, area: Rect, width: int, height: int) -> Rect:
    """Return the middle of an area for a box of this size: beside the side panel, or over the whole of its rows."""
    side = layout(*model.surface.size, model.view.place.width).side
    if side is not None and area.x <= side.x < area.x + area.width:
        beside = side.x - 1 - area.x
        area = area._replace(width=beside) if width <= beside else area
        width = width if width <= beside else area.width
    return Rect(area.x + (area.width - width) // 2, area.y + (area.height - height) // 2, width, height)


def draw_pages(canvas: Canvas, model: Model, title: str, lines: list[str], first: int) -> None:
    """Draw a box over the map with the lines from `first` on, and on its rim how many are above and below."""
    area = layout(*model.surface.size).overlay
    height = min(len(lines) + 2, area.height)
    inside = canvas.box(Rect(area.x, area.y + (area.height - height) // 2, area.width, height), title)
    for row, line in enumerate(lines[first : first + inside.height]):
        canvas.put(inside.x + 1, inside.y + row, line, PLAIN, inside.x + inside.width)
    draw_more(canvas, inside, first, max(len(lines) - first - inside.height, 0))


def in_columns(entries: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a line for each entry, in columns that are as wide as their longest part."""
    widths = [max(map(cells, column)) for column in zip(*entries, strict=True)]
    return ["  ".join(map(pad, row, widths)).rstrip() for row in entries]


def draw_more(canvas: Canvas, inside: Rect, above: int, below: int) -> None:
    """Write on the rim of a box how many lines are out of sight above and below."""
    right = inside.x + inside.width
    for count, y in ((above, inside.y - 1), (below, inside.y + inside.height)):
        words = f" {count} more "
        if count > 0:
            canvas.put(max(right - len(words) - 1, inside.x), y, words, TITLE, right)


def first_shown(count: int, window: int, marked: int) -> int:
    """Return the first line of a list to show, so that the marked one is visible."""
    return max(0, min(marked - window // 2, count - window))


def with_letters(letters: str, word: str) -> list[tuple[str, str]]:
    """Return the hint for the letters of a list, in their order: "a", "a b", "a-g", or with gaps "f j m".

    No hint without letters. Many letters are a range in spite of gaps.
    """
    gaps = any(ord(after) - ord(before) > 1 for before, after in pairwise(letters))
    spelled = len(letters) <= (_SPELLED_MAX if gaps else 2)
    shown = " ".join(letters) if spelled else f"{letters[0]}-{letters[-1]}"
    return [(shown, word)] if shown else []


def move_selection(marked: int, count: int, intent: str) -> int:
    """Return the mark of a list after "up" or "down", with wrap-around."""
    step = {"up": -1, "down": 1}[intent]
    return (marked + step) % max(count, 1)


def draw_question(canvas: Canvas, model: Model, words: str) -> None:
    """Draw a question with a one-key answer over the map's first row; the map stays visible."""
    area = layout(*model.surface.size, model.view.place.width).map
    canvas.put(area.x, area.y, pad(f" {words} ", area.width), BRIGHT)


def wrong_key(model: Model, key: str) -> Update:
    """Return the message for a key without a meaning here; it names valid keys."""
    valid = ", ".join(f"{shown} {word}" for shown, word in model.top.hints(model)[:3])
    return Update(intents=(ShowMessage(f"No command on {keymap.key_label(key)} here. {valid}.", "quiet"),))
