"""The name of the game on the title, as an ember that breathes."""

from typing import Final

from gloam_client.state.model import Model
from gloam_client.terminal.canvas import Canvas, Style

_NAME: Final = "GLOAM"
_HEAT: Final = tuple(Style(color, bold=True) for color in ("red", "orange", "goldenrod", "yellow", "white"))
"""The colors of an ember, from the coolest to the hottest."""
_BREATH: Final = (2, 3, 4, 3)
"""The heat of the middle letter, in turn. Each letter farther out is one cooler."""
_BREATH_MS: Final = 800
"""The time for which the ember keeps one heat."""


def draw_ember(canvas: Canvas, y: int, model: Model) -> None:
    """Draw the name of the game in the middle of a row; with reduced motion its heat is always the same."""
    heat = _BREATH[model.now_ms // _BREATH_MS % len(_BREATH)] if _moves(model) else _BREATH[1]
    middle = len(_NAME) // 2
    x = max((canvas.width - 2 * len(_NAME) + 1) // 2, 0)
    for at, letter in enumerate(_NAME):
        canvas.put(x + 2 * at, y, letter, _HEAT[max(heat - abs(at - middle), 0)])


def next_breath_ms(model: Model) -> int | None:
    """Return the time of the ember's next change, or None where none is shown or it does not change."""
    return model.now_ms + _BREATH_MS - model.now_ms % _BREATH_MS if _moves(model) else None


def _moves(model: Model) -> bool:
    return model.top.state == "title" and model.options.motion == "full"
