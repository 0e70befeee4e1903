"""The campaign's whole introduction, before the first step of the first life; any key closes it."""

from dataclasses import dataclass
from typing import Final

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.play import Play
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, wrap_text

_WIDTH: Final = 60
_CLOSING: Final = frozenset({"ESC", "ENTER", " ", "CTRL_C"})
"""Keys that only close the window; any other key also has its effect in play."""


@dataclass(frozen=True, slots=True)
class StoryScreen:
    """The story."""

    state: str = "story"

    def on_key(self, model: Model, key: str) -> Update:
        """Close, and carry out the key's action of play."""
        if key in _CLOSING or keymap.intent(model.options.keys, "play", key) is None:
            return Update(Pop())
        done = Play().on_key(model, key)
        return done._replace(change=Replace(done.change.screen) if isinstance(done.change, Push) else Pop())

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the story over the map."""
        width = min(_WIDTH, layout(*model.size).overlay.width - 6)
        draw_window(canvas, model, "Your story", wrap_text(model.story, width))

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the hint that any key closes it, and the first useful keys of play."""
        return [("any key", "begin"), *Play().hints(model)]
