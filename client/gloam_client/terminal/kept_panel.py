"""Panels that are kept: a panel is drawn again only after something that it shows has changed."""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from gloam_client.terminal.canvas import Canvas, Cell, Rect

S = TypeVar("S")
"""The subject of a panel, such as the model."""
Draw = Callable[[Canvas, Rect, S], int]
"""Draws a panel into the top of an area, and returns the next free row."""

_KEPT: Final[list["KeptPanel[object]"]] = []


class KeptPanel(Generic[S]):
    """A panel with its last drawing, which it repeats as long as its area and its inputs stay the same.

    `inputs` returns everything that `draw` uses of its subject, as immutable values. Most of them are the same objects
    as before, and are compared by that alone. `rows` returns how many rows the whole panel has: an area may be higher.
    """

    def __init__(
        self, draw: "Draw[S]", inputs: Callable[[S], object], rows: Callable[[S], int] | None = None
    ) -> None:
        self._draw = draw
        self._inputs = inputs
        self._whole_rows = rows
        self._drawn_from: object = None
        self._rows: list[list[Cell]] = []
        self._narrow = True

    def __call__(self, canvas: Canvas, area: Rect, subject: S) -> int:
        """Draw the panel into the top of an area that is blank, and return the next free row."""
        if self._whole_rows is not None and area.height > (rows := self._whole_rows(subject)):
            area = Rect(area.x, area.y, area.width, rows)
        now = (area.width, area.height, self._inputs(subject))
        if now != self._drawn_from:
            self._rows = self._draw_rows(area, subject)
            self._drawn_from = now
        return canvas.paste(area.x, area.y, self._rows, narrow=self._narrow)

    def forget(self) -> None:
        """Draw the panel again the next time, even if its inputs are the same."""
        self._drawn_from = None

    def _draw_rows(self, area: Rect, subject: S) -> list[list[Cell]]:
        sheet = Canvas(area.width, area.height)
        used = self._draw(sheet, Rect(0, 0, area.width, area.height), subject)
        self._narrow = sheet.narrow
        return sheet.cells[:used]


def keep(
    inputs: Callable[[Any], object], rows: Callable[[Any], int] | None = None
) -> "Callable[[Draw[S]], KeptPanel[S]]":
    """Return a decorator that makes a drawing a kept panel.

    `inputs` returns everything that the drawing uses of its subject, and `rows` how many rows it has at most.
    """

    def kept(draw: "Draw[S]") -> KeptPanel[S]:
        panel = KeptPanel(draw, inputs, rows)
        _KEPT.append(panel)  # type: ignore[arg-type]  # only forgotten there
        return panel

    return kept


def forget_panels() -> None:
    """Let every panel be drawn the next time."""
    for panel in _KEPT:
        panel.forget()
