"""The rims of windows on a page."""

from gloam_client.render.thin_rims import thin_rims
from gloam_client.terminal.canvas import GRAVE_RIM, VICTORY_RIM, Canvas, Rect, Rim


def drawn(*boxes: tuple[Rect, str, Rim]) -> list[str]:
    canvas = Canvas(16, 5)
    for area, title, rim in boxes:
        canvas.box(area, title, rim)
    thin_rims(canvas)
    return [row.rstrip() for row in canvas.rows()]


def test_a_window_has_thin_lines_and_keeps_its_title() -> None:
    assert drawn((Rect(0, 0, 14, 3), "a - axe", Rim())) == [
        "┌─ a - axe ──┐",
        "│            │",
        "└────────────┘",
        "",
        "",
    ]


def test_the_end_of_a_life_has_other_lines() -> None:
    assert drawn((Rect(0, 0, 6, 3), "", GRAVE_RIM))[:3] == ["┏━━━━┓", "┃    ┃", "┗━━━━┛"]
    assert drawn((Rect(0, 0, 6, 3), "", VICTORY_RIM))[:3] == ["******", "*    *", "******"]


def test_a_later_window_hides_the_lines_below_it() -> None:
    assert drawn((Rect(0, 0, 8, 4), "", Rim()), (Rect(4, 1, 8, 3), "", Rim()))[:4] == [
        "┌──────┐",
        "│   ┌──────┐",
        "│   │      │",
        "└───└──────┘",
    ]


def test_a_window_beyond_the_canvas_is_cut_with_it() -> None:
    assert drawn((Rect(12, 3, 8, 4), "", Rim()))[3:] == ["            ┌───", "            │"]
