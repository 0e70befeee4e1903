"""The campaign's whole introduction, before the first step of the first life; any key closes it."""

from dataclasses import dataclass
from typing import Final

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.play import Play
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, Rect, wrap_text

_TITLE: Final = "Your story"
_WIDTH: Final = 60
_WIDTH_MIN: Final = 30
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
        """Draw the story over the map, beside the player where there is room; it waits behind the choice of a kit or a beacon."""
        if model.top.state in ("kits", "beacons"):
            return
        area = next((area for area in _beside_body(model) if _fits(model, area)), _whole(model))
        draw_window(canvas, model, _TITLE, _lines(model, area), within=area)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the hint that any key closes it, and the first useful keys of play."""
        return [("any key", "begin"), *Play().hints(model)]


def _whole(model: Model) -> Rect:
    return layout(*model.surface.size, model.view.place.width).map


def _beside_body(model: Model) -> list[Rect]:
    """Return the parts of the map below, above, right and left of the player."""
    area, view = _whole(model), model.view
    if not model.in_dungeon:
        return []
    column, row = view.place.grid.point(view.cell)
    x, y = area.x + column - model.camera[0], area.y + row - model.camera[1]
    return [
        area._replace(y=y + 1, height=area.y + area.height - y - 1),
        area._replace(height=y - area.y),
        area._replace(x=x + 1, width=area.x + area.width - x - 1),
        area._replace(width=x - area.x),
    ]


def _lines(model: Model, area: Rect) -> list[str]:
    return wrap_text(model.world.story, min(_WIDTH, area.width - 6))


def _fits(model: Model, area: Rect) -> bool:
    return area.width >= _WIDTH_MIN and len(_lines(model, area)) + 2 <= area.height
