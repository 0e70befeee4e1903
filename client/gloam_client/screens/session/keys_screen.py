"""The keys of play: choose an action, then press its new key. A change is saved immediately."""

from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.input.key_table import KeyBinding
from gloam_client.input.own_keys import KeyChoice, bound_of, choice_of, preset_of
from gloam_client.input.rebinding import bind
from gloam_client.render.layout import layout
from gloam_client.screens.common.confirm import Confirm
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.state.client_effects import SetOptions, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas

_KEYS_WIDTH: Final = 20
_LAST: Final = ("Moving", "Running")
_HEAD: Final = "Enter, then the new key. * marks keys of your own."


@dataclass(frozen=True, slots=True)
class KeysScreen(KeyedScreen):
    """The actions of play with their keys, one of them marked."""

    marked: int = 0
    state: str = "own keys"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark an action, ask for its new key, or go back."""
        rows = _rows(model.options.keys)
        page = max(layout(*model.surface.size).overlay.height - 4, 1)
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                return self._mark(move_selection(self.marked, len(rows), intent))
            case "page up":
                return self._mark(max(self.marked - page, 0))
            case "page down":
                return self._mark(min(self.marked + page, len(rows) - 1))
            case "take":
                return Update(Push(NewKey(rows[self.marked].intent, rows[self.marked].help)))
            case "reset":
                return _ask_reset(model)
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the actions with their keys."""
        choice = model.options.keys
        own = {one.intent for one in bound_of(choice) if one.preset == preset_of(choice)}
        lines = [
            f"{'*' if row.intent in own else ' '} {_keys(row):{_KEYS_WIDTH}} {row.help}"
            for row in _rows(choice)
        ]
        draw_window(
            canvas, model, f"Keys ({preset_of(choice)}, saved at once)", lines, self.marked, head=[_HEAD]
        )

    def _mark(self, marked: int) -> Update:
        return Update(Replace(replace(self, marked=marked)))


@dataclass(frozen=True, slots=True)
class NewKey:
    """Waits for the new key of one action."""

    intent: str
    words: str
    state: str = "new key"

    def on_key(self, model: Model, key: str) -> Update:
        """Give the action this key, and say which action had it before."""
        match keymap.intent(model.options.keys, self.state, key):
            case "back":
                return Update(Pop())
            case "help":
                return Update(Push(Help(self.state)))
        bound = bind(model.options.keys, self.intent, key)
        if not bound.done:
            return Update(intents=(ShowMessage(bound.words, "refused"),))
        options = structs.replace(model.options, keys=bound.choice)
        return Update(Pop(), (SetOptions(options), ShowMessage(bound.words)))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question."""
        lines = [self.words, "", "Press its new key. Esc keeps it as it is."]
        draw_window(canvas, model, "A new key", lines)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys that are no new key."""
        return [("any key", "becomes its key"), *keymap.hints(model.options.keys, self.state)]


def _rows(choice: KeyChoice) -> list[KeyBinding]:
    """Return the actions of play, the walking actions last."""
    return sorted(keymap.rows(choice, "play"), key=lambda row: row.section in _LAST)


def _keys(row: KeyBinding) -> str:
    """Return the keys of a row, as many as fit whole."""
    labels = [keymap.key_label(key) for key in row.keys]
    while len(" ".join(labels)) > _KEYS_WIDTH:
        labels.pop()
    return " ".join(labels)


def _ask_reset(model: Model) -> Update:
    choice = model.options.keys
    preset = preset_of(choice)
    others = [one for one in bound_of(choice) if one.preset != preset]
    options = structs.replace(model.options, keys=choice_of(preset, others))
    question = f"Give all actions the keys of the preset {preset} again?"
    return Update(Push(Confirm(question, (SetOptions(options),))))
