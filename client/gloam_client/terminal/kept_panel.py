"""Panels that are kept: a panel is drawn again only after something that it shows has changed."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from gloam_client.terminal.canvas import Canvas, Cell, Rect
from gloam_client.terminal.own_cache import newest

S = TypeVar("S")
"""The subject of a panel, such as the model."""
Draw = Callable[[Canvas, Rect, S], int]
"""Draws a panel into the top of an area, and returns the next free row."""


class KeptPanel(Generic[S]):
    """A panel that repeats its last drawing for a client as long as its area and its inputs stay the same.

    `inputs` returns everything that `draw` uses of its subject, as immutable values. Most of them are the same objects
    as before, and are compared by that alone. `rows` returns how many rows the whole panel has: an area may be higher.
    """

    def __init__(
        self, draw: "Draw[S]", inputs: Callable[[S], object], rows: Callable[[S], int] | None = None
    ) -> None:
        self._draw = draw
        self._inputs = inputs
        self._whole_rows = rows

    def __call__(self, canvas: Canvas, area: Rect, subject: S) -> int:
        """Draw the panel into the top of an area that is blank, and return the next free row."""
        if self._whole_rows is not None and area.height > (rows := self._whole_rows(subject)):
            area = Rect(area.x, area.y, area.width, rows)
        now = (area.width, area.height, self._inputs(subject))
        drawn, narrow = newest(self, now, lambda: self._draw_rows(area, subject))
        return canvas.paste(area.x, area.y, drawn, narrow=narrow)

    def _draw_rows(self, area: Rect, subject: S) -> tuple[list[list[Cell]], bool]:
        sheet = Canvas(area.width, area.height)
        used = self._draw(sheet, Rect(0, 0, area.width, area.height), subject)
        return sheet.cells[:used], sheet.narrow


def keep(
    inputs: Callable[[Any], object], rows: Callable[[Any], int] | None = None
) -> "Callable[[Draw[S]], KeptPanel[S]]":
    """Return a decorator that makes a drawing a kept panel.

    `inputs` returns everything that the drawing uses of its subject, and `rows` how many rows it has at most.
    """

    def kept(draw: "Draw[S]") -> KeptPanel[S]:
        return KeptPanel(draw, inputs, rows)

    return kept
