"""The grid of cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_client.terminal.canvas import PLAIN, Canvas, Rect, wrap_text


@given(
    x=st.integers(-50, 50),
    y=st.integers(-9, 9),
    text=st.text("ab", max_size=90),
    right=st.none() | st.integers(0, 90),
)
def test_whatever_is_drawn_beyond_the_edge_is_cut_off(x: int, y: int, text: str, right: int | None) -> None:
    canvas = Canvas(20, 5)
    canvas.put(x, y, text, PLAIN, right)

    assert [len(cells) for cells in canvas.cells] == [20] * 5
    for row, cells in enumerate(canvas.cells):
        for column, (char, _) in enumerate(cells):
            inside = row == y and x <= column < min(x + len(text), 20 if right is None else right)
            assert (char != " ") == inside


def test_a_box_clears_what_was_below_it() -> None:
    canvas = Canvas(10, 5)
    canvas.fill(Rect(0, 0, 10, 5), "x")
    canvas.box(Rect(1, 1, 6, 3), "Hi")

    assert ["xxxxxxxxxx", "x+- Hi +xxx", "x|    |xxx", "x+----+xxx", "xxxxxxxxxx"][2] == list(canvas.rows())[
        2
    ]


@given(text=st.text("ab ", max_size=80), width=st.integers(1, 30))
def test_wrapping_keeps_letter_and_no_line_long(text: str, width: int) -> None:
    """Wrapping keeps every letter and no line is too long."""
    lines = wrap_text(text, width)

    assert all(len(line) <= width for line in lines)
    assert text.replace(" ", "") == "".join(lines).replace(" ", "")


@pytest.mark.rule("A73")
@pytest.mark.parametrize(
    "char", ["\x1b", "\n", "\x07", "\x9b", "\u202e", "\u200b", "\ue000", "\ud800", "\U000e0041"]
)
def test_no_control_character_is_drawn(char: str) -> None:
    """No control character is drawn, even from text that was not made safe."""
    canvas = Canvas(8, 1)
    canvas.put(0, 0, f"a{char}[2Jb")

    assert list(canvas.rows()) == ["a?[2Jb  "]
