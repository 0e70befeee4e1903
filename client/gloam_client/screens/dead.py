"""The end of a life: what killed you and what you were. Enter begins the next; nothing is forced."""

from dataclasses import dataclass

from gloam_client import keymap
from gloam_client.intents import Send
from gloam_client.model import Model, Push, Reaction
from gloam_client.render.canvas import Canvas
from gloam_client.screens.help import Help
from gloam_client.screens.history import History
from gloam_client.screens.quit import Quit
from gloam_client.screens.say import Saying
from gloam_client.screens.window import draw_window, wrong_key
from gloam_shared.messages import Died, NewLife
from gloam_shared.narration import end_of_life
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class Dead:
    """The life that ended."""

    life: Died
    state: str = "dead"

    def on_key(self, model: Model, key: str) -> Reaction:
        """Begin anew, read, speak or leave."""
        match keymap.intent(model.options.keys, self.state, key):
            case "again":
                return Reaction(intents=(Send(NewLife()),))
            case "history":
                return Reaction(Push(History()))
            case "say":
                return Reaction(Push(Saying()))
            case "help":
                return Reaction(Push(Help(self.state)))
            case "quit":
                return Reaction(Push(Quit()))
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the life in numbers."""
        life = self.life
        lines = [
            f"{clean(model.name)} {end_of_life(clean(life.by))}.",
            "",
            f"Depth       {life.depth}",
            f"Level       {life.level}",
            f"Experience  {life.experience}",
            f"Turns       {life.turns}",
            f"Kills       {life.kills}",
            "",
            "Enter begins a new life under the same name.",
        ]
        draw_window(canvas, model, "You are dead", lines)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the end."""
        return keymap.hints(model.options.keys, self.state)
