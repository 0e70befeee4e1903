"""The private server has stopped during play: why, and the question whether to start it again."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_window, wrong_key
from gloam_client.state.client_effects import LeaveGame, StartJoining
from gloam_client.state.model import Model, Push, Update
from gloam_client.terminal.canvas import Canvas, wrap_text


@dataclass(frozen=True, slots=True)
class ServerStoppedScreen:
    """The question, with the server's last message."""

    why: str
    state: str = "stopped"

    def on_key(self, model: Model, key: str) -> Update:
        """Start it again, or leave."""
        match keymap.intent(model.options.keys, self.state, key):
            case "again":
                return Update(intents=(StartJoining(model.name),))
            case "help":
                return Update(Push(Help(self.state)))
            case "quit":
                return Update(intents=(LeaveGame(),))
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the reason and the question."""
        why = wrap_text(self.why, layout(*model.surface.size).overlay.width - 6)
        lines = [*why, "", "Enter starts your private server again, where you left it.", "Q leaves the game."]
        draw_window(canvas, model, "The dungeon has stopped", lines)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the question."""
        return keymap.hints(model.options.keys, self.state)
