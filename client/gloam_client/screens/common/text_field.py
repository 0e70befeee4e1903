"""A line of text as it is typed: one editor for every field, by clusters and in cells. Pure."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from gloam_client.terminal.canvas import BRIGHT, MARKED, Canvas, Style
from gloam_shared.text import cells, clusters, cut

_WORD: Final = re.compile(r"\S*\s*\Z")
_AHEAD: Final = 3
"""The part of a narrow field that shows what is behind the cursor: one third."""


class TextField(NamedTuple):
    """The text before and behind the cursor, which is never inside a cluster."""

    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The whole line."""
        return self.before + self.after

    def edited(self, intent: str | None) -> "TextField | None":
        """Return the line after an editing key (`input/key_table.py`), None if the intent is none of theirs."""
        before, after = self
        match intent:
            case "erase":
                return TextField(before[: _last_start(before)], after)
            case "erase next":
                return TextField(before, after[_first_end(after) :])
            case "erase word":
                return TextField(_WORD.sub("", before), after)
            case "clear":
                return TextField("", after)
            case "cursor left":
                at = _last_start(before)
                return TextField(before[:at], before[at:] + after)
            case "cursor right":
                at = _first_end(after)
                return TextField(before + after[:at], after[at:])
            case "cursor start":
                return TextField("", before + after)
            case "cursor end":
                return TextField(before + after)
            case _:
                return None

    def typed(self, added: str, most: int, measure: Callable[[str], int] = cells) -> "TextField":
        """Return the line with text at the cursor, as much of it as leaves the whole within `most`."""
        before, after = self
        for cluster in clusters(added):
            if measure(before + cluster + after) > most:
                break
            before += cluster
        return TextField(before, after)

    def shown(self, width: int) -> "TextField":
        """Return the part around the cursor that fits in `width` cells, one of them for a cursor at the end."""
        ahead = cells(self.after)
        if cells(self.before) + max(ahead, 1) > width:
            ahead = min(ahead, width // _AHEAD)
        before = _tail(self.before, width - max(ahead, 1))
        return TextField(before, cut(self.after, width - cells(before)))

    def with_cursor(self, width: int) -> str:
        """Return the shown part with a _ for the cursor, for a text that is drawn in one style."""
        before, after = self.shown(width - 1)
        return f"{before}_{after}"

    def hidden(self) -> "TextField":
        """Return a star for each cluster, in place of a secret."""
        return TextField("*" * len(clusters(self.before)), "*" * len(clusters(self.after)))

    def draw(self, canvas: Canvas, x: int, y: int, width: int, style: Style = BRIGHT) -> None:
        """Draw the shown part, with the sign at the cursor in reverse."""
        before, after = self.shown(width)
        end = _first_end(after)
        x = canvas.put(x, y, before, style)
        x = canvas.put(x, y, after[:end] or " ", MARKED)
        canvas.put(x, y, after[end:], style)


EMPTY: Final = TextField()


def _last_start(text: str) -> int:
    """Return where the last cluster begins."""
    return len(text) - len(clusters(text)[-1]) if text else 0


def _first_end(text: str) -> int:
    """Return where the first cluster ends."""
    return len(clusters(text)[0]) if text else 0


def _tail(text: str, width: int) -> str:
    """Return the end of a text in at most `width` cells."""
    kept: list[str] = []
    for cluster in reversed(clusters(text)):
        width -= cells(cluster)
        if width < 0:
            break
        kept.append(cluster)
    return "".join(reversed(kept))
