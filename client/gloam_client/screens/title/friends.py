"""Letting friends into one's own world: the line to send to them, and what to do if they cannot reach it."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.state.client_effects import StartJoining
from gloam_client.state.model import Model, Update
from gloam_client.terminal.canvas import Canvas, Rect, wrap_text
from gloam_shared.text import clean

_HELP = (
    "Friends on the same network reach it at once.",
    (
        "If they cannot: let your firewall accept the port (TCP), and for friends elsewhere forward it in your router "
        "and put your public address into the line; or host on a machine that they reach: gloam-server run."
    ),
)


@dataclass(frozen=True, slots=True)
class FriendsScreen(KeyedScreen):
    """The line, once the server that other machines reach has started."""

    name: str
    state: str = "friends"

    def on_key(self, model: Model, key: str) -> Update:
        """Begin to play, or go back."""
        match keymap.intent(model.options.keys, self.state, key):
            case "begin":
                return Update(intents=(StartJoining(self.name),))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the line whole, over several rows where it is long, and the help."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        home, width = model.home, layout(*model.surface.size).overlay.width - 6
        if home.invite_fault:
            lines = list(wrap_text(clean(home.invite_fault), width))
        elif not home.invite:
            lines = ["Starting your world so that other machines reach it ..."]
        else:
            line = clean(home.invite)
            pieces = [line[at : at + width] for at in range(0, len(line), width)]
            help_ = [row for text in _HELP for row in ("", *wrap_text(text, width))]
            lines = ["Send your friends this line, whole:", "", *pieces, *help_]
        foot = "Enter begins to play; the world is open while you or your friends are in it."
        draw_window(canvas, model, "Let friends in", lines, foot=foot)
