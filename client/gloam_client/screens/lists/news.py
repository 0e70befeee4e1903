"""The chronicle of the realm: the creatures that bear a name, and what has happened, the newest last."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_pages, wrong_key
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared.protocol.messages import AskNews
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class NewsScreen:
    """The chronicle; `back` is how many lines it is scrolled up from its end."""

    back: int = 0
    state: str = "news"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, or go back to the game."""
        room = layout(*model.size).overlay.height - 2
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" | "page up" | "page down" as intent:
                by = {"up": 1, "down": -1, "page up": room, "page down": -room}[intent]
                most = max(len(_lines(model)) - room, 0)
                return Update(Replace(replace(self, back=max(0, min(self.back + by, most)))))
            case "help":
                return Update(Push(Help(self.state)))
            case "back":
                return Update(Pop())
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the lines that are scrolled to."""
        lines = _lines(model)
        room = layout(*model.size).overlay.height - 2
        draw_pages(canvas, model, "Chronicle", lines, max(len(lines) - room - self.back, 0))

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the chronicle."""
        return keymap.hints(model.options.keys, self.state)


def open_news(model: Model) -> Update:
    """Ask the server for the chronicle, and show it when it comes."""
    if "history" not in model.abilities:
        return Update(intents=(ShowMessage("This server is older and keeps no chronicle for you.", "quiet"),))
    return Update(Push(NewsScreen()), (SendMessage(AskNews()),))


def _lines(model: Model) -> list[str]:
    width = layout(*model.size).overlay.width - 4
    if model.news is None:
        return ["The server is asked ..."]
    told = ["With a name:", *(f"  {clean(one)}" for one in model.news.named), ""] if model.news.named else []
    told += [clean(one) for one in model.news.events] or ["Nothing worth telling has happened yet."]
    return [line for text in told for line in wrap_text(text, width) or [""]]
