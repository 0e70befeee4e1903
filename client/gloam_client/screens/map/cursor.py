"""The cursor on the map: look at anything in words and numbers, or travel there. Costs no time (rules JG.22, RG.25)."""

from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.render.descriptions import describe_cell, history_words
from gloam_client.render.panels.map_panel import Overlay
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import wrong_key
from gloam_client.screens.map.map_cursor import draw_map_cursor, draw_words, jump_cursor, move_cursor
from gloam_client.screens.map.ping import ask_ping
from gloam_client.state.aiming import path_to
from gloam_client.state.client_effects import ClientEffect, SendCommand, SendMessage, ShowMessage
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.map.landmarks import PLACES, WAYS_DOWN, WAYS_UP, known_landmarks, nearest_first
from gloam_client.state.map.reachability import steps_to
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.commands import Travel
from gloam_shared.protocol.messages.records import AskHistory, History
from gloam_shared.view.view import CreatureFlag

YOU_STAND_HERE: Final = "You stand here."


@dataclass(frozen=True, slots=True)
class Cursor:
    """The cell under the cursor; `purpose` is look or travel."""

    purpose: str
    cell: int
    state: str = "cursor"

    def on_key(self, model: Model, key: str) -> Update:
        """Move the cursor, travel to it, or go back."""
        intent = keymap.intent(model.options.keys, self.state, key)
        if self.cell >= len(model.view.terrain) or intent == "back":
            return Update(Pop())
        if intent in keymap.DIRECTION_OF:
            return self._moved(model, move_cursor(model, self.cell, intent))
        match intent:
            case None:
                return wrong_key(model, key)
            case "go":
                return Update(Pop(), (SendCommand(Travel(self.cell)),))
            case "call":
                return _instead(ask_ping(model, self.cell))
            case "help":
                return Update(Push(Help(self.state)))
            case "self":
                return self._moved(model, model.view.cell)
            case "next" | "previous":
                step = 1 if intent == "next" else -1
                return self._jump(
                    model,
                    _interesting(model),
                    step,
                    "Nothing of interest is known: the arrows choose a cell.",
                )
            case _:
                ways = known_landmarks(model, WAYS_DOWN if intent == "stairs down" else WAYS_UP)
                return self._jump(
                    model,
                    ways,
                    1,
                    with_keys(model, f"You know of no {intent} on this level; {{explore}} explores."),
                )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the map around the cursor, the line to it, and the description of its cell."""
        view = model.view
        if self.cell >= len(view.terrain):
            return
        way = path_to(view, self.cell)[:-1] if self.purpose == "look" else []
        knowing, *sentences, where = describe_cell(
            view, self.cell, model.world.damage, model.world.terrain_words, model.floor_items
        )
        sentences += self._history(model)
        sentences = [YOU_STAND_HERE if self.cell == view.cell else f"{knowing[:-1]}, {where}", *sentences]
        window = draw_map_cursor(model, canvas, self.cell, Overlay(path=tuple(way)))
        draw_words(window, self.cell, self.purpose.capitalize(), sentences)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the cursor."""
        go = ["go"] if self._can_go(model) else []
        intents = ["next", "stairs down", *go, "back", "help"]
        return [("arrows", "move"), *keymap.hints(model.options.keys, self.state, intents)]

    def _can_go(self, model: Model) -> bool:
        """Return whether a known way leads there, and no foe bars traveling."""
        return not model.threatened and self.cell != model.view.cell and self.cell in steps_to(model.view)

    def _moved(self, model: Model, cell: int) -> Update:
        """Return the cursor on another cell, and request the history of the monster there."""
        return Update(Replace(replace(self, cell=cell)), ask_history(model, cell))

    def _history(self, model: Model) -> list[str]:
        """Return the history of the monster under the cursor, if the server has sent it."""
        monster, history = model.view.at(self.cell), model.records.history
        return history_words(history) if monster and history and history.handle == monster.handle else []

    def _jump(self, model: Model, cells: list[int], step: int, none: str) -> Update:
        if not cells:
            return Update(intents=(ShowMessage(none, "quiet"),))
        return self._moved(model, jump_cursor(cells, self.cell, step))


def ask_history(model: Model, cell: int) -> tuple[ClientEffect, ...]:
    """Return the request for the history of the monster on a cell.

    None without a monster, or with an older server.
    """
    monster = model.view.at(cell)
    if monster is None or monster.marks & CreatureFlag.PLAYER or "history" not in model.world.abilities:
        return ()
    return (SendMessage(AskHistory(monster.handle)),)


def _interesting(model: Model) -> list[int]:
    """Return the cells worth a look, without repeats: creatures, items, ways out, shrines, each by distance; calls first."""
    creatures = [creature.cell for creature in model.view.creatures if not creature.marks & CreatureFlag.SELF]
    places = [cell for kinds in PLACES for cell in known_landmarks(model, kinds)]
    return list(
        dict.fromkeys(
            [
                *_ping_cell(model),
                *nearest_first(model, creatures),
                *nearest_first(model, list(model.floor_items)),
                *places,
            ]
        )
    )


def _ping_cell(model: Model) -> list[int]:
    return nearest_first(model, [call.cell for call in model.active_pings if call.name != model.name])


def _instead(asked: Update) -> Update:
    """Return a question that replaces the cursor."""
    return asked._replace(change=Replace(asked.change.screen)) if isinstance(asked.change, Push) else asked


def take_history(model: Model, history: History) -> Model:
    """Return the model with the past of a monster, which the look at its cell shows."""
    return structs.replace(model, records=structs.replace(model.records, history=history))
