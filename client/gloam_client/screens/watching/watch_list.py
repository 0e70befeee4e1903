"""The players who can be watched, the most active first: the lowest screen of a client that watches."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_window, move_selection, wrong_key
from gloam_client.state.client_effects import SendMessage, ShowMessage, StopWatching, WatchPlayer
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.state.players.watching import idle_words
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.watching import AskWatchable, WatchablePlayer
from gloam_shared.text import cells, clean, pad


@dataclass(frozen=True, slots=True)
class WatchList:
    """The list with one marked player."""

    marked: int = 0
    state: str = "watch list"

    def on_key(self, model: Model, key: str) -> Update:
        """Watch the marked player, ask again, or leave."""
        players = model.company.watch.players or ()
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                marked = move_selection(self.marked, len(players), intent)
                return Update(Replace(replace(self, marked=marked)))
            case "take" if players:
                return Update(intents=(WatchPlayer(players[min(self.marked, len(players) - 1)].name),))
            case "take":
                return Update(
                    intents=(ShowMessage("There is no player to watch yet; r asks again.", "quiet"),)
                )
            case "again":
                return Update(intents=(SendMessage(AskWatchable()),))
            case "help":
                return Update(Push(Help(self.state)))
            case "back":
                return Update(intents=(StopWatching(),))
            case _:
                return wrong_key(model, key)

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
        marked = min(self.marked, len(players) - 1) if players else None
        draw_window(canvas, model, "Watch", lines, marked, head=head, foot=foot)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        return keymap.hints(model.options.keys, self.state)


def _rows(players: tuple[WatchablePlayer, ...]) -> list[str]:
    """Return a line for each player, in columns that are as wide as their longest entry."""
    entries = [_cells(player) for player in players]
    widths = [max(map(cells, column)) for column in zip(*entries, strict=True)]
    return ["  ".join(map(pad, row, widths)).rstrip() for row in entries]


def _cells(player: WatchablePlayer) -> tuple[str, ...]:
    late = f"{player.delay_s} s late" if player.delay_s else "at once"
    watchers = f", {player.watchers} watch{'es' if player.watchers == 1 else ''}" if player.watchers else ""
    depth = f"depth {depth_text(player.depth)}"
    return clean(player.name), f"L {player.level}", depth, idle_words(player.idle_s), f"{late}{watchers}"
