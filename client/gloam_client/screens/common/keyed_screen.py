"""The bases of screens: the keys that every screen has, the mark of a list, and lines that scroll."""

from dataclasses import replace
from typing import Self

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import move_selection
from gloam_client.state.model import Model, Replace, Update


class KeyedScreen:
    """A screen whose keys stand in the key table."""

    __slots__ = ()

    @property
    def state(self) -> str:
        """The name of its state in the key table; a field of most screens."""
        raise NotImplementedError

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of this screen."""
        return keymap.hints(model.options.keys, self.state)

    def answer(self, model: Model, intent: str | None, key: str) -> Update:
        """Answer a key that the screen itself does not: help, back, or the notice that it means nothing here."""
        return answer_common_key(model, self.state, intent, key)


class MarkedScreen(KeyedScreen):
    """A list with one line marked."""

    __slots__ = ()
    marked: int

    def answer_list(self, model: Model, intent: str | None, key: str, count: int) -> Update:
        """Answer a key that the list itself does not: move the mark over this many lines, help, back, or the notice."""
        if intent in ("up", "down"):
            return Update(Replace(self._with(move_selection(self.marked, count, intent))))  # type: ignore[arg-type]  # each is a Screen
        return self.answer(model, intent, key)

    def shown_mark(self, count: int) -> int | None:
        """Return the marked one of `count` lines; None without lines."""
        return min(self.marked, count - 1) if count else None

    def _with(self, marked: int) -> Self:
        return replace(self, marked=marked)  # type: ignore[type-var]  # each list is a dataclass


class PagedScreen(KeyedScreen):
    """Lines in a box over the map, which scroll where they do not fit."""

    __slots__ = ()
    first: int

    def answer_pages(self, model: Model, intent: str | None, key: str, lines: list[str]) -> Update:
        """Answer a key that the screen itself does not: scroll its lines, help, back, or the notice."""
        room = _room(model)
        by = {"up": -1, "down": 1, "page up": -room, "page down": room}.get(intent or "")
        if by is None:
            return self.answer(model, intent, key)
        last = max(len(lines) - room, 0)
        first = max(0, min(self.first + by, last))
        return Update(Replace(replace(self, first=first)))  # type: ignore[arg-type,type-var]  # each is a Screen

    def hints_of(self, model: Model, lines: list[str], *intents: str) -> list[tuple[str, str]]:
        """Return these keys of the screen; all, with those for scrolling, where the lines do not fit."""
        return keymap.hints(model.options.keys, self.state, intents if len(lines) <= _room(model) else None)


def _room(model: Model) -> int:
    """Return the number of lines that the box has room for."""
    return layout(*model.surface.size).overlay.height - 2
