"""What lists and questions share: a box over the map, moving a mark in a list, and the answer to a wrong key."""

from gloam_client import keymap
from gloam_client.intents import Note
from gloam_client.model import Model, Reaction
from gloam_client.render.canvas import MARKED, PLAIN, PLAIN_RIM, QUIET, Canvas, Rect, Rim, wrapped
from gloam_client.render.layout import layout


def draw_window(
    canvas: Canvas,
    model: Model,
    title: str,
    lines: list[str],
    marked: int | None = None,
    *,
    faint: frozenset[int] = frozenset(),
    foot: str = "",
    rim: Rim = PLAIN_RIM,
) -> None:
    """Draw a box over the middle of the map with lines in it, one of them marked; it scrolls to show that one.

    The lines numbered in `faint` are drawn so; `foot` is a text below them that does not scroll.
    """
    area = layout(*model.size).overlay
    below = ["", *wrapped(foot, area.width - 4)] if foot else []
    widest = max([len(title) + 2, *map(len, lines), *map(len, below)])
    width = min(widest + 4, area.width)
    height = min(len(lines) + len(below) + 2, area.height)
    box = Rect(area.x + (area.width - width) // 2, area.y + (area.height - height) // 2, width, height)
    inside = canvas.box(box, title, rim)
    room = max(inside.height - len(below), 1)
    first = first_shown(len(lines), room, marked or 0)
    right = inside.x + inside.width
    for row, line in enumerate(lines[first : first + room]):
        at = first + row
        style = MARKED if at == marked else QUIET if at in faint else PLAIN
        canvas.put(inside.x, inside.y + row, f" {line} ".ljust(inside.width), style, right)
    for row, line in enumerate(below):
        canvas.put(inside.x + 1, inside.y + room + row, line, PLAIN, right)


def first_shown(count: int, window: int, marked: int) -> int:
    """Return which line of a list stands first in a window, so that the marked one is in it."""
    return max(0, min(marked - window // 2, count - window))


def moved(marked: int, count: int, intent: str) -> int:
    """Return the mark of a list after "up" or "down", round and round."""
    step = {"up": -1, "down": 1}[intent]
    return (marked + step) % max(count, 1)


def wrong_key(model: Model, key: str) -> Reaction:
    """Return the answer to a key that means nothing here: it names keys that do."""
    valid = ", ".join(f"{shown} {word}" for shown, word in model.top.hints(model)[:3])
    return Reaction(intents=(Note(f"No command on {keymap.told(key)} here. {valid}.", "quiet"),))
