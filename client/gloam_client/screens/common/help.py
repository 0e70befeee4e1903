"""Help: the keys of the state that asked first, then all others; typing searches."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from gloam_client.input import keymap
from gloam_client.input.chat_commands import CHAT_COMMANDS
from gloam_client.input.key_table import TYPING, KeyBinding
from gloam_client.render.layout import layout
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import wrong_key
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import KEY, PLAIN, QUIET, TITLE, Canvas, wrap_text

_WORDS: Final = (
    "Arrows, the keypad{letters} move; Shift-arrows{runs} run.",
    "Walk into a foe to attack it. While a foe hunts you, the dungeon waits for your move.",
    'At the top right, "at ease" means that no foe hunts you, "your move" that one does and waits.',
    "{dig} and a direction dig, if your kind can dig; in some campaigns, walking into rock digs, too.",
    (
        "A mouse, if the terminal reports one: a click travels, attacks, takes a row or presses a hint below; the right "
        "button looks; the wheel scrolls. Shift and the mouse select text."
    ),
)
_MOVING: Final = ("Moving", "Running")
_KEYS_WIDTH: Final = 22
_SEARCH_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Help:
    """The keys from the table; the keys of the state `asked_in` come first."""

    asked_in: str
    search: TextField = EMPTY
    first: int = 0
    state: str = "help"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, search by typing, or go back."""
        intent = keymap.intent(model.options.keys, self.state, key)
        room = layout(*model.surface.size).overlay.height - 2
        page = max(room - 2, 1)
        match intent:
            case "back":
                return Update(Pop())
            case "page down" if key == " " and self.search.text:
                return self._search(self.search.typed(key, _SEARCH_MAX))
            case "up" | "down" | "page up" | "page down":
                by = {"up": -1, "down": 1, "page up": -page, "page down": page}[intent]
                last = max(len(self._rows(model)) - room, 0)
                return Update(Replace(replace(self, first=max(0, min(self.first + by, last)))))
            case _ if (search := self.search.edited(intent)) is not None:
                return self._search(search)
            case _ if len(key) == 1:
                return self._search(self.search.typed(key, _SEARCH_MAX))
            case _:
                return wrong_key(model, key)

    def _search(self, search: TextField) -> Update:
        search = search._replace(before=search.before.lstrip("?"))
        return Update(Replace(replace(self, search=search, first=0)))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the table from the scroll position."""
        area = layout(canvas.width, canvas.height).overlay
        typed = self.search.with_cursor(_SEARCH_MAX + 1)
        title = f"Keys: {typed}" if self.search.text else "Keys (type to search)"
        inside = canvas.box(area, title)
        rows = self._rows(model)
        end = self.first + inside.height
        for y, (heading, keys, words) in enumerate(rows[self.first : end], inside.y):
            canvas.put(inside.x + 1, y, heading, TITLE)
            canvas.put(inside.x + 1, y, keys, KEY)
            canvas.put(inside.x + 1 + _KEYS_WIDTH + 1, y, words, PLAIN)
        if not rows:
            canvas.put(inside.x + 1, inside.y, "No key matches. Backspace erases.", QUIET)
        if end < len(rows):
            down = keymap.key_for(model.options.keys, self.state, "down")
            canvas.put(area.x + 2, area.y + area.height - 1, f" {down} shows more ", TITLE)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of help."""
        return [*keymap.hints(model.options.keys, self.state), ("a-z", "search")]

    def _rows(self, model: Model) -> list[tuple[str, str, str]]:
        """Return the rows of the window as (heading, keys, words), each wrapped to the available width."""
        width = layout(*model.surface.size).overlay.width - 4
        rows: list[tuple[str, str, str]] = []
        for keys, words in lines(model, self.asked_in, self.search.text):
            if keys:
                columns = wrap_text(keys, _KEYS_WIDTH), wrap_text(words, width - _KEYS_WIDTH - 1)
                rows += [("", *row) for row in zip_longest(*columns, fillvalue="")]
            else:
                rows += [(line, "", "") for line in wrap_text(words, width)]
        return rows


def lines(model: Model, asked_in: str, search: str) -> list[tuple[str, str]]:
    """Return the rows of help as (keys, words), the campaign's introduction last (rule JG.23).

    A row without keys is a heading.
    """
    table = keymap.table(model.options.keys)
    ordered = sorted(
        table, key=lambda row: (row.state != asked_in, row.state != "play", row.section in _MOVING)
    )
    found = [row for row in ordered if search.casefold() in _text(row).casefold()]
    wanted = [row for row in found if row.section != TYPING]
    typing = dict.fromkeys(_sections(row for row in found if row.section == TYPING))
    types_here = any(row.state == asked_in and row.section == TYPING for row in table)
    entries = [("", words) for words in _words(model)] if asked_in == "play" and not search else []
    entries += _sections(row for row in wanted if row.state == asked_in)
    commands = [row for row in CHAT_COMMANDS if search.casefold() in " ".join(row).casefold()]
    if asked_in == "say" and commands:
        entries += [("", "Commands of this line"), *commands]
    others = _sections(row for row in wanted if row.state != asked_in)
    entries += [*typing, *others] if types_here else [*others, *typing]
    return (
        [*entries, ("", "Your story"), ("", model.world.story)]
        if model.world.story and not search
        else entries
    )


def _sections(rows: Iterable[KeyBinding]) -> list[tuple[str, str]]:
    """Return rows of help, each section behind its heading."""
    entries: list[tuple[str, str]] = []
    heading = ""
    for row in rows:
        if row.section != heading:
            heading = row.section
            entries.append(("", heading))
        entries.append((" ".join(keymap.key_label(key) for key in row.keys), row.help))
    return entries


def _words(model: Model) -> list[str]:
    """Return the help about walking."""
    choice = model.options.keys
    letters, runs = keymap.walking_words(choice)
    keys = {"letters": letters, "runs": runs, "dig": keymap.key_for(choice, "play", "dig")}
    return [words.format(**keys) for words in _WORDS]


def _text(row: KeyBinding) -> str:
    return " ".join((row.section, row.help, *map(keymap.key_label, row.keys)))


def answer_common_key(model: Model, state: str, intent: str | None, key: str) -> Update:
    """Return the answer to a key that every screen has: help, back, or the notice of a key that means nothing here."""
    match intent:
        case "help":
            return Update(Push(Help(state)))
        case "back":
            return Update(Pop())
        case _:
            return wrong_key(model, key)
