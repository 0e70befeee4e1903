"""The menu of all actions with their keys, so that players need to know no other key."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from gloam_client.input import keymap
from gloam_client.input.key_table import KeyBinding
from gloam_client.input.own_keys import KeyChoice
from gloam_client.screens.actions import act, press
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.screens.map.duel_requests import duel_effect, players_in_sight
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.text import clean
from gloam_shared.view.view import Creature


@dataclass(frozen=True, slots=True)
class Menu(KeyedScreen):
    """All actions of play with one marked."""

    marked: int = 0
    state: str = "menu"

    def on_key(self, model: Model, key: str) -> Update:
        """Carry out the marked action, or the one with the pressed key."""
        rows = _rows(model)
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                return Update(Replace(replace(self, marked=move_selection(self.marked, len(rows), intent))))
            case "take":
                return _instead(rows[min(self.marked, len(rows) - 1)].act(model))
            case "help":
                return Update(Push(Help(self.state)))
            case "back":
                return Update(Pop())
        if keymap.intent(model.options.keys, "play", key) == "menu":
            return Update(Replace(Menu()))
        return _instead(press(model, key))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the actions with their keys."""
        lines = [f"{row.key:9} {row.words}" for row in _rows(model)]
        draw_window(canvas, model, "Actions", lines, self.marked)


class _Row(NamedTuple):
    key: str
    words: str
    act: Callable[[Model], Update]


def _rows(model: Model) -> list[_Row]:
    """Return the actions, useful ones first, without the menu itself. Duels are offered with players in sight."""
    rows = [row for row in keymap.rows(model.options.keys, "play") if row.intent != "menu"]
    useful = {intent: at for at, intent in enumerate(suggested_actions(model))}
    rows.sort(key=lambda row: (useful.get(row.intent, len(useful)), row.section in ("Moving", "Running")))
    return [
        *(_of_table(row, model.options.keys) for row in rows),
        *(row for one in players_in_sight(model) for row in _duels(one)),
    ]


def _of_table(row: KeyBinding, choice: KeyChoice) -> _Row:
    """Return the row of an action, with a key that does not mean something else in the menu."""
    free = (key for key in row.keys if keymap.intent(choice, "menu", key) is None)
    return _Row(keymap.key_label(next(free, row.keys[0])), row.help, lambda model: act(model, row.intent))


def _duels(one: Creature) -> list[_Row]:
    name = clean(one.name)
    return [
        _Row("/duel", f"agree to a duel with {name}", lambda model: duel_effect(model, one.name, agree=True)),
        _Row("/peace", f"end a duel with {name}", lambda model: duel_effect(model, one.name, agree=False)),
    ]


def _instead(reaction: Update) -> Update:
    """Return a reaction of play that also closes the menu."""
    if isinstance(reaction.change, Push):
        return reaction._replace(change=Replace(reaction.change.screen))
    return reaction._replace(change=Pop())
