"""The title of bare `gloam`: one name with a default, one key to begin."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.screens.common.help import Help
from gloam_client.state.client_effects import LeaveGame, StartJoining
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.terminal.canvas import BRIGHT, MARKED, PLAIN, QUIET, TITLE, Canvas, Rect, Style
from gloam_shared import limits
from gloam_shared.text import name_fault


@dataclass(frozen=True, slots=True)
class Title:
    """The name as typed so far; `typed` says whether it is still the default, which the first letter replaces."""

    name: str
    typed: bool = False
    fault: str = ""
    state: str = "title"

    def on_key(self, model: Model, key: str) -> Update:
        """Type a name, begin, or leave."""
        match keymap.intent(model.options.keys, self.state, key):
            case "begin":
                fault = name_fault(self.name)
                return (
                    Update(Replace(replace(self, fault=fault)))
                    if fault
                    else Update(intents=(StartJoining(self.name),))
                )
            case "erase":
                return Update(Replace(replace(self, name=self.name[:-1], typed=True, fault="")))
            case "clear":
                return Update(Replace(replace(self, name="", typed=True, fault="")))
            case "help":
                return Update(Push(Help(self.state)))
            case "quit":
                return Update(intents=(LeaveGame(),))
        if len(key) == 1 and key.isascii() and key.isalnum():
            name = (self.name + key if self.typed else key)[: limits.NAME_MAX]
            return Update(Replace(replace(self, name=name, typed=True, fault="")))
        if len(key) == 1:
            return Update(Replace(replace(self, fault="A name is made of the letters A to Z and digits.")))
        return Update(
            Replace(replace(self, fault=f"No command on {keymap.key_label(key)}. Enter begins, Esc leaves."))
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the name of the game, the question, and the address for other players."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        y = max(canvas.height // 3 - 2, 1)
        _center(canvas, y, "G L O A M", TITLE)
        _center(canvas, y + 2, "A shared dungeon, where the monsters gain experience too.", PLAIN)
        x = max((canvas.width - 30) // 2, 0)
        x = canvas.put(x, y + 5, "Your name: ", PLAIN)
        x = canvas.put(x, y + 5, self.name, BRIGHT)
        canvas.put(x, y + 5, " ", MARKED)
        _center(canvas, y + 7, self.fault or "Enter begins.", BRIGHT if self.fault else PLAIN)
        others = f"Others on this machine join with: gloam {model.address}" if model.address else ""
        _center(canvas, y + 10, others, QUIET)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the title."""
        return keymap.hints(model.options.keys, self.state)


def _center(canvas: Canvas, y: int, text: str, style: Style) -> None:
    canvas.put(max((canvas.width - len(text)) // 2, 0), y, text, style)
