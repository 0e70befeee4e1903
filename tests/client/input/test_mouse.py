"""The mouse reports of blessed, and what they mean here."""

import pytest

from gloam_client.input.mouse import MouseEvent, mouse_event


class Stroke:
    """A stroke as blessed gives it."""

    def __init__(self, name: str | None, y: int = 4, x: int = 7) -> None:
        self.name = name
        self.mouse_yx = (y, x)


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("MOUSE_LEFT", "left"),
        ("MOUSE_RIGHT", "right"),
        ("MOUSE_SCROLL_UP", "wheel up"),
        ("MOUSE_SCROLL_DOWN", "wheel down"),
        ("MOUSE_MOTION", "move"),
    ],
)
def test_an_action_has_its_place(name: str, action: str) -> None:
    assert mouse_event(Stroke(name)) == MouseEvent(action, 7, 4)  # type: ignore[arg-type]  # a stroke's two fields


@pytest.mark.parametrize(
    "name", [None, "KEY_UP", "MOUSE_LEFT_RELEASED", "MOUSE_SHIFT_LEFT", "MOUSE_LEFT_MOTION", "MOUSE_BUTTON_6"]
)
def test_the_rest_is_no_action(name: str | None) -> None:
    """Shift and the mouse select text, so they mean nothing here; neither do releases."""
    assert mouse_event(Stroke(name)) is None  # type: ignore[arg-type]  # a stroke's two fields
    assert mouse_event(Stroke("MOUSE_LEFT", -1, -1)) is None  # type: ignore[arg-type]  # a stroke's two fields
