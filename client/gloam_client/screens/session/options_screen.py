"""Options, in sections. A change is visible at once, and only this client keeps it."""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.screens.session.keys_screen import KeysScreen
from gloam_client.state.client_effects import SetOptions
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.state.options import CHOICES, Choice
from gloam_client.terminal.canvas import Canvas


@dataclass(frozen=True, slots=True)
class OptionsScreen:
    """The options with one marked."""

    marked: int = 0
    state: str = "options"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark an option, change it, or go back."""
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                return Update(
                    Replace(replace(self, marked=move_selection(self.marked, len(CHOICES), intent)))
                )
            case "next" | "previous" as intent:
                turned = model.options.turned(CHOICES[self.marked], 1 if intent == "next" else -1)
                return Update(intents=(SetOptions(turned),))
            case "own keys":
                return Update(Push(KeysScreen()))
            case other:
                return answer_common_key(model, self.state, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw each option under the heading of its section, with all its values or, if they are many, the chosen one."""
        lines: list[str] = []
        headings: set[int] = set()
        marked = 0
        for at, choice in enumerate(CHOICES):
            if at == 0 or choice.section != CHOICES[at - 1].section:
                headings.add(len(lines))
                lines.append(choice.section)
            marked = len(lines) if at == self.marked else marked
            lines.append(f"  {choice.words:{_LABEL_WIDTH}} {_values(choice, model)}")
        draw_window(canvas, model, "Options (saved at once)", lines, marked, headings=frozenset(headings))

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the options."""
        return keymap.hints(model.options.keys, self.state)


_LABEL_WIDTH: Final = max(len(choice.words) for choice in CHOICES)
_VALUES_WIDTH: Final = 32


def _values(choice: Choice, model: Model) -> str:
    """Return all values with the chosen one in brackets, or that one and its place where they are too many."""
    chosen = model.options.value(choice)
    values = " ".join(f"[{value}]" if value == chosen else f" {value} " for value in choice.values)
    if len(values) <= _VALUES_WIDTH:
        return values
    return f"[{chosen}]  {choice.values.index(chosen) + 1} of {len(choice.values)}"
