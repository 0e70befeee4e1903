"""The players who can be watched, the most active first: the lowest screen of a client that watches."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.screens.common.keyed_screen import MarkedScreen
from gloam_client.screens.common.window import draw_window, in_columns
from gloam_client.state.client_effects import SendMessage, ShowMessage, StopWatching, WatchPlayer
from gloam_client.state.model import Model, Update
from gloam_client.state.players.watching import idle_words
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.watching import AskWatchable, WatchablePlayer
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class WatchList(MarkedScreen):
    """The list with one marked player."""

    marked: int = 0
    state: str = "watch list"

    def on_key(self, model: Model, key: str) -> Update:
        """Watch the marked player, ask again, or leave."""
        players = model.company.watch.players or ()
        match keymap.intent(model.options.keys, self.state, key):
            case "take" if players:
                return Update(intents=(WatchPlayer(players[min(self.marked, len(players) - 1)].name),))
            case "take":
                return Update(
                    intents=(ShowMessage("There is no player to watch yet; r asks again.", "quiet"),)
                )
            case "again":
                return Update(intents=(SendMessage(AskWatchable()),))
            case "back":
                return Update(intents=(StopWatching(),))
            case other:
                return self.answer_list(model, other, key, len(players))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the players, each with level, depth, activity and delay."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        players = model.company.watch.players
        where = f" at {model.server.address}" if model.server.address else ""
        if players is None:
            draw_window(canvas, model, "Watch", [f"Asking the server{where} ..."])
            return
        head = [f"Who plays{where} and lets others watch, the most active first:", ""]
        lines = _rows(players) or ["No player allows watching at the moment."]
        foot = "You see what the player sees. They see your name, and can end it."
        marked = self.shown_mark(len(players))
        draw_window(canvas, model, "Watch", lines, marked, head=head, foot=foot)


def _rows(players: tuple[WatchablePlayer, ...]) -> list[str]:
    """Return a line for each player, in columns that are as wide as their longest entry."""
    return in_columns([_cells(player) for player in players])


def _cells(player: WatchablePlayer) -> tuple[str, ...]:
    late = f"{player.delay_s} s late" if player.delay_s else "at once"
    watchers = f", {player.watchers} watch{'es' if player.watchers == 1 else ''}" if player.watchers else ""
    depth = f"depth {depth_text(player.depth)}"
    return clean(player.name), f"L {player.level}", depth, idle_words(player.idle_s), f"{late}{watchers}"
