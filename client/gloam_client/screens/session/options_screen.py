"""Options, in sections. A change is visible immediately, and this client keeps it; who may watch, the server keeps."""

from dataclasses import dataclass
from itertools import chain
from typing import Final

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.render.panels.options_preview import PREVIEW_ROWS, draw_preview
from gloam_client.screens.common.keyed_screen import MarkedScreen
from gloam_client.screens.common.window import draw_more, first_shown
from gloam_client.screens.session.keys_screen import KeysScreen
from gloam_client.state.client_effects import SendMessage, SetOptions
from gloam_client.state.model import Model, Push, Update
from gloam_client.state.options import CHOICES, Choice, Options
from gloam_client.terminal.canvas import BRIGHT, MARKED, PLAIN, TITLE, Canvas, Listing, Rect
from gloam_client.terminal.themes import THEMES
from gloam_shared.protocol.messages.lives import BESIDE_CHOICE


@dataclass(frozen=True, slots=True)
class OptionsScreen(MarkedScreen):
    """The options with one marked."""

    marked: int = 0
    state: str = "options"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark an option, change it, or go back."""
        match keymap.intent(model.options.keys, self.state, key):
            case "next" | "previous" as intent:
                choice, by = CHOICES[self.marked], 1 if intent == "next" else -1
                turned = _as_kept(model).turned(choice, by)
                if choice.name == "watch" and model.company.watch.choice is not None:
                    return Update(intents=(SendMessage(turned.who_watches),))
                return Update(intents=(SetOptions(model.options.turned(choice, by)),))
            case "own keys":
                return Update(Push(KeysScreen()))
            case other:
                return self.answer_list(model, other, key, len(CHOICES))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the options in their sections, what the marked one can be, and what all of them look like."""
        area = layout(*model.surface.size).overlay
        columns = _columns(area.width - 4)
        lines = max(map(len, columns))
        height = min(lines + PREVIEW_ROWS + 4, area.height)
        width = min(2 * _COLUMN + _GAP + 4, area.width)
        box = Rect(area.x + (area.width - width) // 2, area.y + (area.height - height) // 2, width, height)
        inside = canvas.box(box, _TITLE)
        room = max(inside.height - PREVIEW_ROWS - 2, 1)
        marked = CHOICES[self.marked]
        row = next(column.index(marked) for column in columns if marked in column)
        first = first_shown(lines, room, row)
        parts = []
        for at, column in enumerate(columns):
            x = inside.x + 1 + at * (_COLUMN + _GAP)
            wide = _COLUMN if len(columns) > 1 else inside.width - 2
            parts.append(Rect(x, inside.y, wide, max(min(len(column) - first, room), 0)))
            _draw_column(canvas, parts[at], column[first : first + room], model, marked)
        canvas.listing = _listing(columns, parts, first, model, marked)
        draw_more(canvas, inside, first, lines - first - room)
        below = Rect(inside.x + 1, inside.y + room, inside.width - 2, PREVIEW_ROWS + 2)
        canvas.put(below.x, below.y, _values(marked, model), BRIGHT, below.x + below.width)
        canvas.put(below.x, below.y + 1, _help(marked, model), PLAIN, below.x + below.width)
        draw_preview(canvas, below._replace(y=below.y + 2, height=PREVIEW_ROWS), model)


_TITLE: Final = "Options (saved at once)"
_COLUMN: Final = 36
"""The width of a column of options."""
_GAP: Final = 2


def _as_kept(model: Model) -> Options:
    """Return the options with what the server keeps of them."""
    kept = model.company.watch.choice
    return model.options if kept is None else replace(model.options, watch=kept)


def _columns(width: int) -> list[list[Choice | str]]:
    """Return the options under the headings of their sections: in two columns of about equal height where they fit."""
    sections: list[list[Choice | str]] = [[section, *choices] for section, choices in _sections().items()]
    if width < 2 * _COLUMN + _GAP:
        return [list(chain(*sections))]
    cuts = [[list(chain(*sections[:cut])), list(chain(*sections[cut:]))] for cut in range(1, len(sections))]
    return min(cuts, key=lambda cut: max(map(len, cut)))


def _sections() -> dict[str, list[Choice]]:
    found: dict[str, list[Choice]] = {}
    for choice in CHOICES:
        found.setdefault(choice.section, []).append(choice)
    return found


def _draw_column(canvas: Canvas, area: Rect, lines: list[Choice | str], model: Model, marked: Choice) -> None:
    """Draw headings, and options with the chosen value at the right."""
    for row, line in enumerate(lines):
        if isinstance(line, str):
            canvas.put(area.x, area.y + row, line, TITLE, area.x + area.width)
            continue
        value = f"[{_as_kept(model).value(line)}]"
        words = f"  {line.words:{area.width - len(value) - 3}} {value}"
        canvas.put(area.x, area.y + row, words, MARKED if line is marked else PLAIN, area.x + area.width)


def _listing(
    columns: list[list[Choice | str]], parts: list[Rect], first: int, model: Model, marked: Choice
) -> Listing:
    """Return the list for players who click it and players who hear it: each option with all its values."""
    lines = list(chain(*columns))
    headings = frozenset(at for at, line in enumerate(lines) if isinstance(line, str))
    words = tuple(line if isinstance(line, str) else _values(line, model) for line in lines)
    beside = (parts[1], len(columns[0]) + first) if len(parts) > 1 else None
    return Listing(
        _TITLE, words, lines.index(marked), (), _help(marked, model), headings, parts[0], first, beside
    )


def _values(choice: Choice, model: Model) -> str:
    """Return all values with the chosen one in brackets, or that one and its place where they are too many."""
    chosen = _as_kept(model).value(choice)
    values = " ".join(f"[{value}]" if value == chosen else f" {value} " for value in choice.values)
    if len(values) + len(choice.words) + 2 <= _COLUMN + _COLUMN // 2:
        return f"{choice.words}: {values}"
    return f"{choice.words}: [{chosen}], {choice.values.index(chosen) + 1} of {len(choice.values)}"


def _help(choice: Choice, model: Model) -> str:
    """Return what an option does; for the theme, what the chosen one is; or why this server cannot follow it."""
    if (
        choice.name == "beside"
        and "beside" in model.world.abilities
        and BESIDE_CHOICE not in model.world.abilities
    ):
        return "This server is older: it lets everyone begin beside you."
    if choice.name == "watch" and model.company.watch.choice is not None:
        return "Kept here with your name. Everyone: by a link, too."
    return THEMES[model.options.theme].words if choice.name == "theme" else choice.help
