"""The grid of cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_client.terminal.canvas import BLANK, PLAIN, Canvas, Rect, is_wide, wrap_text
from gloam_client.terminal.painter import difference
from gloam_shared.text import cells, clean, count_ambiguous


@given(
    x=st.integers(-50, 50),
    y=st.integers(-9, 9),
    text=st.text("ab", max_size=90),
    right=st.none() | st.integers(0, 90),
)
def test_whatever_is_drawn_beyond_the_edge_is_cut_off(x: int, y: int, text: str, right: int | None) -> None:
    canvas = Canvas(20, 5)
    canvas.put(x, y, text, PLAIN, right)

    assert [len(row) for row in canvas.cells] == [20] * 5
    for at, row in enumerate(canvas.cells):
        for column, (char, _) in enumerate(row):
            inside = at == y and x <= column < min(x + len(text), 20 if right is None else right)
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
@pytest.mark.parametrize("char", ["\x1b", "\n", "\x07", "\x9b", "\u202e", "\u200b", "\ue000", "\ud800"])
def test_no_control_character_is_drawn(char: str) -> None:
    """No control character is drawn, even from text that was not made safe."""
    canvas = Canvas(8, 1)
    canvas.put(0, 0, f"a{char}[2Jb")

    assert list(canvas.rows()) == ["a?[2Jb  "]


@pytest.mark.rule("A73")
def test_a_sign_with_an_invisible_part_is_not_drawn() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "a\U000e0041b")

    assert list(canvas.rows()) == ["?b  "]


SIGNS = st.sampled_from(["a", " ", "漢", "é", "👩\u200d👧", "ตั้", "न्दी", "…"])
PUTS = st.tuples(
    st.integers(-5, 12), st.lists(SIGNS, max_size=9).map("".join), st.none() | st.integers(0, 12)
)


@given(puts=st.lists(PUTS, max_size=8), pasted=st.integers(0, 6))
def test_no_half_of_a_wide_sign_is_ever_drawn(puts: list[tuple[int, str, int | None]], pasted: int) -> None:
    """Wherever texts and panels overlap or are cut, a row is as wide as the terminal takes it."""
    canvas, panel = Canvas(12, 1), Canvas(6, 1)
    for x, text, right in puts:
        panel.put(x, 0, text)
        canvas.put(x, 0, text, PLAIN, right)
        canvas.paste(pasted, 0, panel.cells, narrow=panel.narrow)
        canvas.put(x + 1, 0, text, PLAIN, right)

    (row,), (line,) = canvas.cells, canvas.rows()
    assert len(row) == cells(line) == 12
    for at, cell in enumerate(row):
        assert is_wide(cell) == ((row[at + 1] if at < 11 else BLANK)[0] == "")


@pytest.mark.parametrize(
    ("x", "right", "row"), [(-1, None, " 字ab  "), (4, None, "    漢"), (3, None, "   漢 "), (2, 5, "  漢  ")]
)
def test_a_wide_sign_at_an_edge_is_left_out(x: int, right: int | None, row: str) -> None:
    canvas = Canvas(6, 1)
    canvas.put(x, 0, "漢字ab", PLAIN, right)

    assert [shown.rstrip() for shown in canvas.rows()] == [row.rstrip()]


@given(text=st.lists(SIGNS, max_size=40).map("".join), width=st.integers(1, 30))
def test_lines_of_wide_signs_are_not_too_wide(text: str, width: int) -> None:
    lines = wrap_text(text, width)

    assert all(cells(line) <= max(width, 2) for line in lines)
    assert text.replace(" ", "") == "".join(lines).replace(" ", "")


def test_ambiguous_signs_are_as_wide_as_measured() -> None:
    """Quotes, dashes, Greek and Cyrillic; what is certain stays, and so does what `clean` lets pass."""
    words = "\u201c\u03b1\u201d \u2014 \u0416x\u6f22"
    before = clean(words)
    canvas = Canvas(20, 1)
    assert canvas.put(0, 0, words) == cells(words) == 10
    count_ambiguous(2)
    try:
        assert clean(words) == before
        assert (cells(words), cells("x\u6f22e\u0301")) == (15, 4)
        wide = Canvas(20, 1)
        assert wide.put(0, 0, words) == 15
        assert [char for char, _ in wide.cells[0][:6]] == ["\u201c", "", "\u03b1", "", "\u201d", ""]
        assert sum(painted.count("H") for painted in [difference(Canvas(20, 1), wide, "none")]) >= 5
    finally:
        count_ambiguous(1)
    assert Canvas(20, 1).put(0, 0, words) == 10
