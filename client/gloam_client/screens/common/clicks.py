"""The meaning of a click on parts that many screens have: the hints of the bottom line, and the rows of a list.

Pure.
"""

from functools import lru_cache
from typing import Final

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.render.panels.status_panel import key_places
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import Canvas, Listing

_TAKES: Final = ("toggle", "take", "begin", "next")
"""The intents that a click on a row has: the first that the state has."""
_MARKED_ONLY: Final = frozenset({"dead"})
"""States whose rows a click only marks, because their Enter does something else."""
_ANY_KEY: Final = "any key"


def hint_key(model: Model, x: int, y: int) -> str | None:
    """Return the key of the hint at a place of the bottom line; None without a hint, "" for one without a single key."""
    area = layout(*model.surface.size).keys
    if y != area.y:
        return None
    for first, label, word in key_places(area, model.top.hints(model)):
        if first <= x < first + len(label) + 1 + len(word):
            return _key_at(model, label, x - first)
    return None


def row_keys(model: Model, listing: Listing, x: int, y: int) -> tuple[str, ...]:
    """Return the keys that do what a click on a row of a list means; none outside its rows."""
    at = listing.line_at(x, y)
    if at is None:
        return ()
    if listing.marked is None:
        label, gap, _ = listing.lines[at].strip().partition("  ")
        key = keys_by_label(model.options.keys).get(label)
        return (key,) if gap and key else ()
    if at in listing.headings:
        return ()
    low, high = sorted((at, listing.marked))
    steps = sum(line not in listing.headings for line in range(low, high))
    move = key_of(model, "down" if at > listing.marked else "up")
    return (*(move,) * steps, *_take(model)) if move or not steps else ()


def key_of(model: Model, *intents: str) -> str:
    """Return the first key of the first of these intents that the top screen has; "" for none."""
    keys = {row.intent: row.keys[0] for row in keymap.rows(model.options.keys, model.top.state) if row.keys}
    return next((keys[intent] for intent in intents if intent in keys), "")


def draw_top_screen(model: Model) -> Canvas:
    """Return the picture of the top screen alone, with what it says about its list, its map and its boxes."""
    canvas = Canvas(*model.surface.size)
    model.top.draw(model, canvas)
    return canvas


def _take(model: Model) -> tuple[str, ...]:
    key = "" if model.top.state in _MARKED_ONLY else key_of(model, *_TAKES)
    return (key,) if key else ()


def _key_at(model: Model, label: str, offset: int) -> str:
    """Return the key of a label such as "Up/Down" at the clicked letter; behind the label, its first key."""
    if label == _ANY_KEY:
        return "ENTER"
    known = keys_by_label(model.options.keys)
    if label in known:
        return known[label]
    at = 0
    for part in label.split("/"):
        at += len(part) + 1
        if offset < at:
            return known.get(part, "")
    return known.get(label.split("/", maxsplit=1)[0], "")


@lru_cache(maxsize=256)
def keys_by_label(preset: str) -> dict[str, str]:
    """Return all keys of the table by their labels."""
    return {keymap.key_label(key): key for row in keymap.table(preset) for key in row.keys}
