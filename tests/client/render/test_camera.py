"""The window onto the level."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_client.render.camera import scroll_to


@pytest.mark.rule("J7.19", "TG.4")
@given(camera=st.integers(-300, 300), level=st.integers(1, 250), window=st.integers(1, 120), data=st.data())
def test_focus_window_and_level_are_nested(camera: int, level: int, window: int, data: st.DataObject) -> None:
    """The focus is always in the window, and the window on the level."""
    focus = data.draw(st.integers(0, level - 1))
    moved = scroll_to(camera, focus, level, window)

    assert moved <= focus < moved + window
    if level > window:
        assert 0 <= moved <= level - window


def test_a_small_level_stands_in_the_middle() -> None:
    assert scroll_to(0, 3, 20, 40) == -10


def test_a_step_within_the_margins_moves_nothing() -> None:
    assert scroll_to(50, 80, 200, 60) == 50
    assert scroll_to(50, 81, 200, 60) == 50


def test_a_focus_at_the_rim_is_brought_to_the_middle() -> None:
    assert scroll_to(50, 108, 200, 60) == 108 - 30
