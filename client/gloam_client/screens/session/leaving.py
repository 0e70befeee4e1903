"""Leaving while a password is being set: the game ends when the server confirms it."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_window, wrong_key
from gloam_client.state.client_effects import LeaveGame
from gloam_client.state.model import Model, Push, Update
from gloam_client.terminal.canvas import Canvas


@dataclass(frozen=True, slots=True)
class LeavingScreen:
    """The wait for the confirmation."""

    state: str = "leaving"

    def on_key(self, model: Model, key: str) -> Update:
        """Leave without waiting."""
        match keymap.intent(model.options.keys, self.state, key):
            case "back":
                return Update(intents=(LeaveGame(),))
            case "help":
                return Update(Push(Help(self.state)))
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the reason for waiting."""
        draw_window(canvas, model, "Goodbye", ["Your password is being set; then the game ends."])

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of this screen."""
        return keymap.hints(model.options.keys, self.state)
