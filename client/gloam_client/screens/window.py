"""What lists and questions share: a box over the map, moving a mark in a list, and the answer to a wrong key."""

from gloam_client import keymap
from gloam_client.intents import Note
from gloam_client.model import Model, Reaction
from gloam_client.render.canvas import MARKED, PLAIN, Canvas, Rect
from gloam_client.render.layout import layout


def draw_window(
    canvas: Canvas, model: Model, title: str, lines: list[str], marked: int | None = None
) -> None:
    """Draw a box over the middle of the map with lines in it, one of them marked; it scrolls to show that one."""
    area = layout(*model.size).overlay
    width = min(max([len(title) + 6, *(len(line) + 4 for line in lines)]), area.width)
    height = min(len(lines) + 2, area.height)
    box = Rect(area.x + (area.width - width) // 2, area.y + (area.height - height) // 2, width, height)
    inside = canvas.box(box, title)
    first = first_shown(len(lines), inside.height, marked or 0)
    for row, line in enumerate(lines[first : first + inside.height]):
        style = MARKED if first + row == marked else PLAIN
        canvas.put(inside.x, inside.y + row, f" {line} ".ljust(inside.width), style, inside.x + inside.width)


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
