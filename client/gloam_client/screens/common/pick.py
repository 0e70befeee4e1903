"""A short list of choices, each with its letter: the friend to give an item to, the use of the prize."""

from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import NamedTuple

from gloam_client.input import keymap
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import draw_window, move_selection, with_letters
from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.model import Model, Pop, Replace, Update
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
        at = ascii_lowercase.find(key)
        if len(key) == 1 and 0 <= at < len(self.ways):
            return Update(Pop(), self.ways[at].then)
        match keymap.intent(model.options.keys, self.state, key):
            case "take":
                return Update(Pop(), self.ways[self.marked].then)
            case "up" | "down" as intent:
                return Update(
                    Replace(replace(self, marked=move_selection(self.marked, len(self.ways), intent)))
                )
            case other:
                return answer_common_key(model, self.state, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list with its letters."""
        lines = [f"{ascii_lowercase[at : at + 1]:1} - {way.words}" for at, way in enumerate(self.ways)]
        draw_window(canvas, model, self.caption, lines, self.marked)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        letters = with_letters(ascii_lowercase[: len(self.ways)], "take that one")
        return [*letters, *keymap.hints(model.options.keys, self.state)]
