"""The greatest lives that are over in this realm, as the server's chronicle has them. Costs no time."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import draw_pages
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared.narration.rendering import end_of_life
from gloam_shared.protocol.messages import AskChronicle, PastLife
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class PastLives:
    """The list, from the line that was scrolled to."""

    first: int = 0
    state: str = "lives"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, or go back to the game."""
        room = layout(*model.size).overlay.height - 2
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" | "page up" | "page down" as intent:
                by = {"up": -1, "down": 1, "page up": -room, "page down": room}[intent]
                last = max(len(_lines(model)) - room, 0)
                return Update(Replace(replace(self, first=max(0, min(self.first + by, last)))))
            case other:
                return answer_common_key(model, self.state, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list over the map."""
        draw_pages(canvas, model, "Past lives", _lines(model), self.first)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list: those that scroll only where there is more than fits."""
        fits = len(_lines(model)) <= layout(*model.size).overlay.height - 2
        return keymap.hints(model.options.keys, self.state, ("help", "back") if fits else None)


def open_past_lives(model: Model) -> Update:
    """Return the list, and the question for the newest one; a message where the server cannot answer it."""
    if "chronicle" not in model.abilities:
        return message("This server is older and does not tell of past lives.")
    return offline_notice(model) or Update(Push(PastLives()), (SendMessage(AskChronicle()),))


def _lines(model: Model) -> list[str]:
    if model.past_lives is None:
        return ["Asking the server..."]
    if not model.past_lives:
        return ["No life has ended in this dungeon yet."]
    width = layout(*model.size).overlay.width - 8
    return [
        f"{f'{place}.' if at == 0 else '':4}{line}"
        for place, life in enumerate(model.past_lives, 1)
        for at, line in enumerate(wrap_text(_tell(life), width))
    ]


def _tell(life: PastLife) -> str:
    ending = f"won by {life.by}" if life.won else end_of_life(life.by)
    turns = "1 turn" if life.turns == 1 else f"{life.turns} turns"
    return clean(f"{life.name}, level {life.level}, reached depth {life.depth} in {turns} and {ending}.")
