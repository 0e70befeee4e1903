"""The players who watch this player now; Enter ends it for the marked one. Costs no time."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.keyed_screen import MarkedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model, Push, Update
from gloam_client.state.players.watching import guest_words
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages.watching import EndWatching


@dataclass(frozen=True, slots=True)
class WatchersScreen(MarkedScreen):
    """The names with one marked."""

    marked: int = 0
    state: str = "watchers"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a name, end their watching, or go back."""
        names = model.company.watch.watchers
        match keymap.intent(model.options.keys, self.state, key):
            case "take" if names:
                ended = EndWatching(names[min(self.marked, len(names) - 1)])
                return offline_notice(model) or Update(intents=(SendMessage(ended),))
            case other:
                return self.answer_list(model, other, key, len(names))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the names, and where the option is."""
        names = model.company.watch.watchers
        marked = self.shown_mark(len(names))
        foot = "Enter ends it for the marked one, who cannot come back. An option says whether others may watch at all."
        by_link = guest_words(model.company.watch.guests)
        lines = [*names, *([by_link] if by_link else [])] or ["No one watches you."]
        draw_window(canvas, model, "Your watchers", lines, marked, foot=foot)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        intents = None if model.company.watch.watchers else ("help", "back")
        return keymap.hints(model.options.keys, self.state, intents)


def open_watchers(model: Model) -> Update:
    """Open the list; return a message if the server does not support it."""
    if "watch" not in model.world.abilities:
        return message("This server is older: no one can watch you there until its host upgrades it.")
    return Update(Push(WatchersScreen()))
