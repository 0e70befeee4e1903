"""A short list of choices, each with its letter: the friend to give an item to, the use of the prize."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from gloam_client.screens.common.lettered_list import answer_list_key, list_hints, with_own_letters
from gloam_client.screens.common.window import draw_window
from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.model import Model, Pop, Update
from gloam_client.terminal.canvas import Canvas


class Way(NamedTuple):
    """One line of the list, and its effect when chosen."""

    words: str
    then: tuple[ClientEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class Pick:
    """The list with one marked line."""

    caption: str
    ways: tuple[Way, ...]
    marked: int = 0
    state: str = "pick"

    def on_key(self, model: Model, key: str) -> Update:
        """Choose a line by letter or mark, or close."""
        return answer_list_key(
            model,
            key,
            self,
            self.ways,
            self.marked,
            lambda at: Update(Pop(), self.ways[at].then),
            lambda at: replace(self, marked=at),
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list with its letters."""
        lines = with_own_letters(way.words for way in self.ways)
        draw_window(canvas, model, self.caption, lines, self.marked)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        return list_hints(model, self, self.ways, "take that one")
