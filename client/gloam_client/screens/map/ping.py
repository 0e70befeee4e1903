"""A call to the others in the dungeon, in one key: all read it, and those on the level see it on their map."""

from dataclasses import dataclass
from typing import Final, get_args

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import cut, note
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_question, wrong_key
from gloam_client.state.client_effects import Send
from gloam_client.state.model import Model, Pop, Push, Reaction
from gloam_client.state.pings import stands
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages import Call, Word

_WORDS: Final[tuple[Word, ...]] = get_args(Word)


@dataclass(frozen=True, slots=True)
class Calling:
    """The question what to call, for a cell of the level that is in view."""

    depth: int
    cell: int
    state: str = "call"

    def on_key(self, model: Model, key: str) -> Reaction:
        """Call it out, or nothing."""
        intent = keymap.intent(model.options.keys, self.state, key)
        for word in _WORDS:
            if intent == word:
                return self._call(model, word)._replace(change=Pop())
        match intent:
            case "help":
                return Reaction(Push(Help(self.state)))
            case "back":
                return Reaction(Pop())
            case _:
                return wrong_key(model, key)

    def _call(self, model: Model, word: Word) -> Reaction:
        if self.depth != model.view.place.depth:
            return note("You are on another level by now.")
        if stands(model, word, self.depth, self.cell):
            return note("You have just called that; every player still sees it.")
        return cut(model) or Reaction(intents=(Send(Call(word, self.depth, self.cell)),))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question over the map's first row; the map stays in sight."""
        draw_question(canvas, model, "Call what to the others?")

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the calls."""
        return keymap.hints(model.options.keys, self.state)


def calling(model: Model, cell: int | None = None) -> Reaction:
    """Return the question what to call for a cell, the player's own by default; or why no player would hear it."""
    if not model.in_dungeon:
        return note("Not in the dungeon yet.", "quiet")
    if not model.friends:
        return note("You are alone in the dungeon: no player hears you.")
    view = model.view
    return cut(model) or Reaction(Push(Calling(view.place.depth, view.cell if cell is None else cell)))
