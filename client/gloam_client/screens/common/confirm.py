"""A yes-or-no question before an action with a risk; any other way to close it means no."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.model import Model, Pop, Update
from gloam_client.terminal.canvas import Canvas


@dataclass(frozen=True, slots=True)
class Confirm(KeyedScreen):
    """The question, its effect on yes, and the title of its box."""

    question: str
    then: tuple[ClientEffect, ...]
    title: str = "Are you sure?"
    state: str = "confirm"

    def on_key(self, model: Model, key: str) -> Update:
        """Return the effect on yes, and only close on no."""
        match keymap.intent(model.options.keys, self.state, key):
            case "yes":
                return Update(Pop(), self.then)
            case "back":
                return Update(Pop())
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question."""
        draw_window(canvas, model, self.title, [self.question, "", "y  yes", "n  no (Enter and Esc too)"])
