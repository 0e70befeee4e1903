"""Options: glyphs, colours, keys, hints and the question before stairs. A change is visible at once."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.state.client_effects import SetOptions
from gloam_client.state.model import Model, Replace, Update
from gloam_client.state.options import CHOICES
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
            case other:
                return answer_common_key(model, self.state, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw each option with all its values, the chosen one in brackets."""
        lines, width = [], max(len(choice.words) for choice in CHOICES)
        for choice in CHOICES:
            chosen = getattr(model.options, choice.name)
            values = (f"[{value}]" if value == chosen else f" {value} " for value in choice.values)
            lines.append(f"{choice.words:{width}} {' '.join(values)}")
        draw_window(canvas, model, "Options (saved at once)", lines, self.marked)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the options."""
        return keymap.hints(model.options.keys, self.state)
