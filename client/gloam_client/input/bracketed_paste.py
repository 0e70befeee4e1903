"""Pasted text among keystrokes: what a terminal puts between two marks is text, never keys.

The same holds for a burst without marks that is more than a person types. Pure.

The marks are found here, among the keystrokes of blessed, because blessed takes a paste that arrives in pieces for keys.
"""

from itertools import takewhile
from typing import Final, Generic, TypeVar

from gloam_shared import limits

_BEGIN: Final = "\x1b[200~"
_END: Final = "\x1b[201~"
KEPT_MAX: Final = 4 * limits.CHAT_CELLS_MAX
"""The most characters of a paste; more than a chat line, because some may not be printable."""
_STALLED_S: Final = 5.0
"""The silence after which a paste is over, because its end was lost."""

BURST_MIN: Final = 25
BURST_KINDS_MIN: Final = 4
"""At least this many characters in one burst, of at least this many kinds, are a paste; a held key over a slow
connection has few kinds.
"""
BURST_PAUSE_S: Final = 0.05
"""The longest time between two pieces of one burst."""

Stroke = TypeVar("Stroke")


class Pasted(str):
    """The pasted text, unchanged."""

    __slots__ = ()


def split_text(burst: str) -> tuple[str, str]:
    """Split a burst into the text at its start, and the rest from the first key that is no text."""
    text = "".join(takewhile(_is_text, burst))
    return text, burst[len(text) :]


def is_burst(text: str) -> bool:
    """Return whether a burst of text is a paste without marks."""
    return len(text) >= BURST_MIN and len(set(text)) >= BURST_KINDS_MIN


def _is_text(char: str) -> bool:
    return char.isprintable() or char in "\r\n\t"


class BracketedPaste(Generic[Stroke]):
    """Takes strokes in order and returns those that are keys. A paste may arrive in pieces of any size."""

    def __init__(self) -> None:
        self.inside = False
        self._held: list[Stroke] = []
        self._kept = self._tail = ""
        self._last_s = 0.0

    @property
    def idle(self) -> bool:
        """Whether no part of a paste, or of what may become its mark, is pending."""
        return not self.inside and not self._held

    def take(self, stroke: Stroke, now_s: float) -> list[Stroke | Pasted]:
        """Take one stroke; return the strokes now known to be keys, and the paste if it is complete."""
        stalled, self._last_s = now_s - self._last_s > _STALLED_S, now_s
        if not self.inside:
            return list(self._outside(stroke))
        if stalled:
            return [self._finish(), *self._outside(stroke)]
        paste, _ = self.swallow(str(stroke))
        return [] if paste is None else [paste]

    def swallow(self, text: str) -> tuple[Pasted | None, str]:
        """Add a piece to the current paste; return the paste if it is complete, and what follows it."""
        searched = self._tail + text
        at = searched.find(_END)
        before = len(self._tail)
        if at < 0:
            self._tail = searched[1 - len(_END) :]
            self._kept = (self._kept + text)[:KEPT_MAX]
            return None, ""
        if at >= before:
            self._kept += searched[before:at]
        else:  # the end had begun in what is kept
            self._kept = self._kept[: at - before]
        return self._finish(), searched[at + len(_END) :]

    def _outside(self, stroke: Stroke) -> list[Stroke]:
        """Hold back what may be the beginning of a mark; a mark begins in one stroke with more than its Esc."""
        held = [*self._held, stroke]
        begun = "".join(map(str, held))
        if begun == _BEGIN:
            self._held, self.inside = [], True
            return []
        if len(begun) > 1 and _BEGIN.startswith(begun):
            self._held = held
            return []
        self._held = []
        return held

    def _finish(self) -> Pasted:
        text = Pasted(self._kept[:KEPT_MAX])
        self.inside, self._kept, self._tail = False, "", ""
        return text
