"""The question before leaving: what happens to the body, and to a private server that others use."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.session.secret_line import Asked, SecretScreen
from gloam_client.state.client_effects import LeaveGame
from gloam_client.state.model import Model, Replace, Update
from gloam_client.terminal.canvas import Canvas


@dataclass(frozen=True, slots=True)
class Quit(KeyedScreen):
    """The question."""

    state: str = "quit"

    def on_key(self, model: Model, key: str) -> Update:
        """Leave or stay."""
        match keymap.intent(model.options.keys, self.state, key):
            case "yes" if model.login.guarded is False and asks_when_leaving(model) and not model.pace.held:
                return Update(Replace(SecretScreen(Asked.LEAVING)))
            case "yes":
                return Update(intents=(LeaveGame(),))
            case "stop" if is_shared(model):
                return Update(intents=(LeaveGame(stop_server=True),))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question."""
        lines = ["Quit the game?", "", *_body(model), *_server(model), "", *_answers(model)]
        draw_window(canvas, model, "Quit", lines)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the question."""
        stop = [("s", "quit and stop the server")] if is_shared(model) else []
        intents = ("yes", "back")
        return [*keymap.hints(model.options.keys, self.state, intents), *stop, ("?", "help")]


def asks_when_leaving(model: Model) -> bool:
    """Return whether a player without a password is asked for one before leaving: visitors have other means."""
    return model.login.means == "password"


def is_shared(model: Model) -> bool:
    """Return whether others play on this client's private server."""
    return model.server.private and model.in_company


def _body(model: Model) -> list[str]:
    if model.dead:
        return ["This life is over: the next begins when you come back."]
    if model.pace.held:
        return [
            "Something is after you: your body stays on guard until",
            "nothing holds it, at most ten turns. Then it is safe.",
        ]
    return ["Your body leaves the dungeon at once and is safe.", "You come back where you left."]


def _server(model: Model) -> list[str]:
    if not model.server.private:
        return []
    others = len(model.friends)
    if not others:
        return ["", "Your private server stops by itself and keeps the world."]
    several = others > 1
    return [
        "",
        f"{others} other{'s' if several else ''} still play{'' if several else 's'} on your private server.",
    ]


def _answers(model: Model) -> list[str]:
    stay = "n  stay (Enter and Esc too)"
    if not is_shared(model):
        return ["y  quit", stay]
    return [
        "y  quit, and keep it running until the last has left",
        "s  quit, and stop it for all (nothing is lost)",
        stay,
    ]
