"""A short list whose entries have letters: a letter takes an entry, Enter the marked one."""

from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import NamedTuple

from gloam_client.input import keymap
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import draw_window, move_selection, with_letters
from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.model import Model, Pop, Replace, Screen, Update
from gloam_client.terminal.canvas import Canvas


def answer_list_key(
    model: Model,
    key: str,
    screen: Screen,
    entries: Sized,
    marked: int,
    take: Callable[[int], Update],
    mark: Callable[[int], Screen],
) -> Update:
    """Return the answer of a list to a key: `take` takes an entry, and `mark` is the list with another mark."""
    at = ascii_lowercase.find(key)
    if len(key) == 1 and 0 <= at < len(entries):
        return take(at)
    match keymap.intent(model.options.keys, screen.state, key):
        case "take":
            return take(marked)
        case "up" | "down" as intent:
            return Update(Replace(mark(move_selection(marked, len(entries), intent))))
        case other:
            return answer_common_key(model, screen.state, other, key)


def with_own_letters(lines: Iterable[str]) -> list[str]:
    """Return the lines of a list behind their letters; those after z have none."""
    return [f"{ascii_lowercase[at : at + 1]:1} - {line}" for at, line in enumerate(lines)]


def list_hints(model: Model, screen: Screen, entries: Sized, word: str) -> list[tuple[str, str]]:
    """Return the hints of a list: its letters with what they do, and its keys."""
    letters = with_letters(ascii_lowercase[: len(entries)], word)
    return [*letters, *keymap.hints(model.options.keys, screen.state)]


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
