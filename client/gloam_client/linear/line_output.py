"""The client's second output: each change of the model as lines of text, added below what the terminal shows.

It draws nothing, moves no cursor, and says nothing twice. What is typed into a line is echoed as on a typewriter.
"""

from collections import Counter
from typing import Final

from gloam_client.input import keymap
from gloam_client.linear.play_news import NOTHING_SAID, tell
from gloam_client.linear.spoken_screen import SpokenScreen, read_screen
from gloam_client.render.repeated_lines import collapse_repeats
from gloam_client.state.model import NO_FLASH, Entry, Model
from gloam_shared.text import clean

_DUNGEON: Final = frozenset({"play", "watching"})
"""The states whose screen is the map: what is there is said as news."""
_LIST_MAX: Final = 25
"""The most lines of a list that are said in one go."""
_CURSOR: Final = "_"
"""The character that ends a line that is typed into, on some screens."""


class LineOutput:
    """The lines that were said so far; turns the next state of the client into text."""

    def __init__(self) -> None:
        self._said = NOTHING_SAID
        self._entry: Entry | None = None
        self._flash = NO_FLASH
        self._stack: tuple[str, ...] = ()
        self._screen = SpokenScreen()
        self._typing = False
        self._began = False

    def show(self, model: Model) -> str:
        """Return what to write for this state: lines, a part of one that is typed, or ""."""
        lines = [*self._greeting(model), *self._log(model), *self._answer(model)]
        news, self._said = tell(self._said, model)
        lines += news
        more, typed = self._top(model)
        lines += more
        if lines:
            text = "".join(f"{_safe(line)}\r\n" for line in lines if line)
            begin = "\r\n" if self._typing else ""
            self._typing = False
            return begin + text
        if typed:
            self._typing = True
        return typed

    def forget(self) -> None:
        """Say the open screen again: the player has asked for it."""
        self._stack = ()

    def _greeting(self, model: Model) -> list[str]:
        """Say once, in the dungeon, which keys tell the rest."""
        if self._began or not model.in_dungeon:
            return []
        self._began = True
        status, around, menu, help_ = (
            keymap.key_for(model.options.keys, "play", intent)
            for intent in ("status", "surroundings", "menu", "help")
        )
        words = (
            f"{status} says your status, {around} what is around you, {menu} every action, {help_} the keys."
        )
        return [f"Lines of text: {words}"]

    def _log(self, model: Model) -> list[str]:
        """Say the log's lines that are new, repeated ones as one."""
        entries = model.messages.entries
        at = len(entries)
        while at and entries[at - 1] is not self._entry:
            at -= 1
        self._entry = entries[-1] if entries else None
        return [entry.text for entry in collapse_repeats(entries[at:])] if at < len(entries) else []

    def _answer(self, model: Model) -> list[str]:
        """Say the message line when it changes."""
        flash, before = model.flash, self._flash
        self._flash = flash
        same = (flash.text, flash.until_ms, flash.times) == (before.text, before.until_ms, before.times)
        return [flash.text] if flash.text and not same else []

    def _top(self, model: Model) -> tuple[list[str], str]:
        """Return the lines of the top screen that are new, or what was typed into one of them."""
        stack = tuple(screen.state for screen in model.screens)
        before, was = self._stack, self._screen
        self._stack = stack
        if stack[-1] in _DUNGEON:
            self._screen = SpokenScreen()
            return ["Closed."] if len(before) > len(stack) and before[-1] not in _DUNGEON else [], ""
        now = self._screen = read_screen(model, model.top)
        if before != stack:
            back = len(before) > len(stack) and before[: len(stack)] == stack
            return (_short(now) if back else _whole(now, model)), ""
        return _changes(was, now)


def _whole(screen: SpokenScreen, model: Model) -> list[str]:
    """Return a screen that opens: title, lines, and the keys that it has."""
    lines = [f"Marked: {line}" if at == screen.marked else line for at, line in enumerate(screen.lines)]
    more = len(lines) - _LIST_MAX
    if more > 0 and screen.marked is not None:
        lines = [*lines[:_LIST_MAX], f"{more} more lines."]
    hints = ", ".join(f"{key} {word}" for key, word in model.top.hints(model))
    return [_heading(screen), *lines, f"Keys: {hints}." if hints else ""]


def _short(screen: SpokenScreen) -> list[str]:
    """Return a screen that is shown again: title and marked line."""
    return [
        _heading(screen),
        f"Marked: {screen.marked_line}" if screen.marked_line else "",
    ]


def _heading(screen: SpokenScreen) -> str:
    """Return a screen's title with a colon, unless it ends with a sign of its own."""
    return f"{screen.title}:" if screen.title[-1:].isalnum() or screen.title.endswith(")") else screen.title


def _changes(was: SpokenScreen, now: SpokenScreen) -> tuple[list[str], str]:
    """Return the lines of an open screen that are new, or the end of the line that grows while it is typed."""
    typed = _typed(was.lines, now.lines)
    if typed:
        return [], typed
    title = [_heading(now)] if now.title != was.title else []
    fresh = Counter(now.lines) - Counter(was.lines)
    new = [line for line in now.lines if fresh[line]]
    if now.marked_line and (now.marked, now.marked_line) != (was.marked, was.marked_line):
        new = [line for line in new if line != now.marked_line]
        return [*title, f"Marked: {now.marked_line}", *new], ""
    return [*title, *new], ""


def _typed(was: tuple[str, ...], now: tuple[str, ...]) -> str:
    """Return what to echo if one line has grown or shrunk at its end, as a line does that is typed into; else ""."""
    if len(was) != len(now):
        return ""
    other = [(old, new) for old, new in zip(was, now, strict=True) if old != new]
    if len(other) != 1:
        return ""
    old, new = (line.removesuffix(_CURSOR).rstrip() for line in other[0])
    if new.startswith(old) and 0 < len(new) - len(old) <= 2:
        return _safe(new[len(old) :])
    return "\b \b" * (len(old) - len(new)) if old.startswith(new) and len(old) - len(new) <= 2 else ""


def _safe(line: str) -> str:
    """Return a line with no character that a terminal would obey."""
    return clean(line) if not line.startswith(" ") else f" {clean(line)}"
