"""A replay that plays: the dungeon as it was seen, and a line that says where the replay is. No key acts in the dungeon."""

from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.input.key_table import EDITING
from gloam_client.render.camera import follow_body
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import draw_window
from gloam_client.state.client_effects import ControlReplay, LeaveGame, ShowMessage
from gloam_client.state.model import Model, Pop, Replace, Update
from gloam_client.state.replaying import NOTHING_SHOWN, ReplayShown
from gloam_client.terminal.canvas import MARKED, Canvas, Rect
from gloam_shared.text import pad

_STEPS: Final = {
    "turn back": -1, "turn on": 1, "ten back": -10, "ten on": 10, "page up": -100, "page down": 100,
    "first": -(2**31), "last": 2**31,
}  # fmt: skip
"""The number of turns by which each key moves the replay."""
_DIGITS_MAX: Final = 7


@dataclass(frozen=True, slots=True)
class ReplayView(KeyedScreen):
    """The replay; `typed` are the digits of a turn to go to, None while none is asked for."""

    title: str = ""
    shown: ReplayShown = NOTHING_SHOWN
    typed: TextField | None = None
    state: str = "replay"

    def on_key(self, model: Model, key: str) -> Update:
        """Pause, change the speed, move in the replay, or leave it."""
        if self.typed is not None:
            return self._type(key)
        match keymap.intent(model.options.keys, self.state, key):
            case "pause" | "faster" | "slower" | "next" | "previous" as word:
                return Update(intents=(ControlReplay(word),))
            case str() as word if word in _STEPS:
                return Update(intents=(ControlReplay("by", _STEPS[word]),))
            case "go":
                return Update(Replace(replace(self, typed=EMPTY)))
            case "back" if len(model.screens) == 1:
                return Update(intents=(LeaveGame(),))
            case "back":
                return Update(Pop(), (ControlReplay("close"),))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the replayed screens in this window, and the line of the replay over the first row."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        past = self.shown.model
        if past is None:
            draw_window(canvas, model, "Replay", [], head=[self.shown.fault or "Reading the recording ..."])
            return
        past = follow_body(
            structs.replace(
                past,
                options=model.options,
                surface=model.surface,
            )
        )
        for screen in past.screens:
            screen.draw(past, canvas)
        area = layout(canvas.width, canvas.height).top
        words = f" {self._where()}"
        canvas.put(area.x, area.y, pad(words, area.width), MARKED, area.x + area.width)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of a replay."""
        if self.typed is not None:
            return [("0-9", "turn"), ("Enter", "go there"), ("Esc", "stay")]
        return keymap.hints(model.options.keys, self.state)

    def _where(self) -> str:
        """Return the line of the replay: the turn, and what plays."""
        shown = self.shown
        if self.typed is not None:
            return f"Go to turn: {self.typed.with_cursor(_DIGITS_MAX + 1)}"
        last = f"{shown.turns}" if shown.whole else f"{shown.turns}, reading"
        state = "the end" if shown.ended else "paused" if shown.paused else f"speed {shown.speed}"
        parts = [
            f"Replay: turn {shown.turn} of {last}",
            state,
            shown.event,
            shown.fault if shown.ended else "",
        ]
        return "; ".join(part for part in (*parts, self.title) if part)

    def _type(self, key: str) -> Update:
        typed = self.typed or EMPTY
        if key.isdigit() and key.isascii():
            return Update(Replace(replace(self, typed=typed.typed(key, _DIGITS_MAX))))
        edited = typed.edited(next((intent for intent, keys, *_ in EDITING if key in keys), None))
        if edited is not None:
            return Update(Replace(replace(self, typed=edited)))
        match key:
            case "ENTER" if typed.text:
                return Update(Replace(replace(self, typed=None)), (ControlReplay("to", int(typed.text)),))
            case "ENTER" | "ESC" | "CTRL_C":
                return Update(Replace(replace(self, typed=None)))
            case _:
                return Update(intents=(ShowMessage("Type the number of a turn; Enter goes there.", "quiet"),))


def take_replay(model: Model, shown: ReplayShown) -> Model:
    """Return the model with the replay where it is now, if its screen is still open."""
    screens = tuple(
        replace(screen, shown=shown) if isinstance(screen, ReplayView) else screen for screen in model.screens
    )
    return structs.replace(model, screens=screens)
