"""A ping to the other players with one key: all read it, and those on the level see it on their map."""

from dataclasses import dataclass
from typing import Final, get_args

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import early_notice, message, offline_notice
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_question
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.map.pings import describe_ping_cell
from gloam_client.state.model import Model, Pop, Push, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages.base import Word
from gloam_shared.protocol.messages.chat import HEAL_PING, MapPing

_WORDS: Final[tuple[Word, ...]] = get_args(Word)


@dataclass(frozen=True, slots=True)
class PingScreen(KeyedScreen):
    """The question which ping to send for a cell."""

    depth: int
    cell: int
    state: str = "call"

    def on_key(self, model: Model, key: str) -> Update:
        """Send the chosen ping, or close."""
        intent = keymap.intent(model.options.keys, self.state, key)
        for word in _WORDS:
            if intent == word:
                return self._call(model, word)._replace(change=Pop())
        match intent:
            case other:
                return self.answer(model, other, key)

    def _call(self, model: Model, word: Word) -> Update:
        if self.depth != model.view.place.depth:
            return message("You are on another level now: Esc closes this, and the key asks again.")
        if word == "heal" and HEAL_PING not in model.world.abilities:
            return message("This server is older and does not know that ping: choose another.")
        if describe_ping_cell(model, word, self.depth, self.cell):
            return message("You have just pinged that; every player still sees it.")
        return offline_notice(model) or Update(intents=(SendMessage(MapPing(word, self.depth, self.cell)),))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question over the map's first row; the map stays visible."""
        draw_question(canvas, model, "Ping what to the others?")


def ask_ping(model: Model, cell: int | None = None) -> Update:
    """Return the question which ping to send for a cell, by default the player's own, or why none is sent."""
    if not model.in_dungeon:
        return early_notice()
    if not model.in_company:
        return message("You are alone in the dungeon: no player hears you until one comes.")
    view = model.view
    return offline_notice(model) or Update(
        Push(PingScreen(view.place.depth, view.cell if cell is None else cell))
    )
