"""Help: the keys of the state that asked first, then all others; typing searches."""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client import keymap
from gloam_client.keymap import Binding
from gloam_client.model import Model, Pop, Reaction, Replace
from gloam_client.render.canvas import KEY, PLAIN, QUIET, TITLE, Canvas, wrapped
from gloam_client.render.layout import layout
from gloam_client.screens.window import wrong_key

_WORDS: Final = (
    "Arrows, the keypad or hjklyubn move; with Shift they run.",
    "Walk into a foe to attack it. The dungeon waits while something is after you.",
)
_MOVING: Final = ("Moving", "Running")


@dataclass(frozen=True, slots=True)
class Help:
    """The keys, from the table, in the order of use from `asked_in`."""

    asked_in: str
    search: str = ""
    first: int = 0
    state: str = "help"

    def on_key(self, model: Model, key: str) -> Reaction:
        """Scroll, search by typing, or go back."""
        intent = keymap.intent(model.options.keys, self.state, key)
        page = max(layout(*model.size).overlay.height - 4, 1)
        match intent:
            case "back":
                return Reaction(Pop())
            case "up" | "down" | "page up" | "page down":
                by = {"up": -1, "down": 1, "page up": -page, "page down": page}[intent]
                last = max(len(lines(model, self.asked_in, self.search)) - page, 0)
                return Reaction(Replace(replace(self, first=max(0, min(self.first + by, last)))))
            case "erase":
                return Reaction(Replace(replace(self, search=self.search[:-1], first=0)))
            case _ if len(key) == 1:
                return Reaction(Replace(replace(self, search=(self.search + key)[:20].lstrip("?"), first=0)))
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the table, from the line that was scrolled to."""
        area = layout(canvas.width, canvas.height).overlay
        title = f"Keys: {self.search}" if self.search else "Keys (type to search)"
        inside = canvas.box(area, title)
        for row, (key, words) in enumerate(lines(model, self.asked_in, self.search)[self.first :]):
            if row >= inside.height:
                break
            y = inside.y + row
            if not key:
                canvas.put(inside.x + 1, y, words, TITLE, inside.x + inside.width)
                continue
            canvas.put(inside.x + 1, y, key, KEY, inside.x + 22)
            canvas.put(inside.x + 23, y, words, PLAIN, inside.x + inside.width)
        if not lines(model, self.asked_in, self.search):
            canvas.put(inside.x + 1, inside.y, "No key does that. Backspace erases.", QUIET)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of help."""
        return [*keymap.hints(model.options.keys, self.state), ("a-z", "search")]


def lines(model: Model, asked_in: str, search: str) -> list[tuple[str, str]]:
    """Return the rows of help as (keys, words); a row without keys is a heading."""
    table = keymap.table(model.options.keys)
    ordered = sorted(
        table, key=lambda row: (row.state != asked_in, row.state != "play", row.section in _MOVING)
    )
    wanted = [row for row in ordered if search.casefold() in _text(row).casefold()]
    told: list[tuple[str, str]] = [] if search else [("", words) for words in (*_story(model), *_WORDS)]
    heading = ""
    for row in wanted:
        if row.section != heading:
            heading = row.section
            told.append(("", heading))
        told.append((" ".join(keymap.told(key) for key in row.keys), row.help))
    return told


def _story(model: Model) -> list[str]:
    """Return what the campaign is about (rule JG.23), in lines as wide as the window."""
    return wrapped(model.story, layout(*model.size).overlay.width - 4) if model.story else []


def _text(row: Binding) -> str:
    return " ".join((row.section, row.help, *map(keymap.told, row.keys)))
