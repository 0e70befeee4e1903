"""The mouse on a terminal: clicks, the wheel, and movement, by column and row. Pure."""

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from blessed.keyboard import Keystroke

MouseAction: TypeAlias = Literal["left", "right", "wheel up", "wheel down", "move"]

MODES: Final = (1003, 1006)
"""The terminal's modes for reports of all movement, and for columns beyond 223."""
MOUSE_ON: Final = "".join(f"\x1b[?{mode}h" for mode in MODES)
MOUSE_OFF: Final = "".join(f"\x1b[?{mode}l" for mode in MODES)
_ACTIONS: Final[dict[str, MouseAction]] = {
    "MOUSE_LEFT": "left",
    "MOUSE_RIGHT": "right",
    "MOUSE_SCROLL_UP": "wheel up",
    "MOUSE_SCROLL_DOWN": "wheel down",
    "MOUSE_MOTION": "move",
}
"""By blessed's names. With Shift the mouse belongs to the terminal, which selects text; releases mean nothing here."""


class MouseEvent(NamedTuple):
    """One action of the mouse at a cell of the terminal, counted from 0."""

    action: MouseAction
    x: int
    y: int


def mouse_event(stroke: "Keystroke") -> MouseEvent | None:
    """Return the action of a stroke; None for a key, and for what has no meaning here."""
    action = _ACTIONS.get(stroke.name or "")
    y, x = stroke.mouse_yx
    return MouseEvent(action, x, y) if action and x >= 0 and y >= 0 else None
