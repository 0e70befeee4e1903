"""Panels that are kept: the same inputs repeat a drawing, others bring a new one."""

from collections.abc import Iterator

import pytest

from gloam_client.terminal.canvas import Canvas, Rect
from gloam_client.terminal.kept_panel import keep
from gloam_client.terminal.own_cache import using_store

AREA = Rect(2, 1, 4, 3)
DRAWN: list[str] = []


@pytest.fixture(autouse=True)
def caches() -> Iterator[None]:
    """Begin each test with empty caches."""
    with using_store({}):
        yield


@keep(str.lower)
def word(canvas: Canvas, area: Rect, text: str) -> int:
    """Draw a text without its capitals."""
    DRAWN.append(text)
    return canvas.put(area.x, area.y, text.lower(), right=area.x + area.width) and area.y + 1


def shown(text: str, area: Rect = AREA) -> str:
    canvas = Canvas(8, 4)
    assert word(canvas, area, text) == area.y + 1
    return list(canvas.rows())[area.y]


def test_the_same_inputs_repeat_the_drawing() -> None:
    DRAWN.clear()
    assert [shown(text) for text in ("ash", "Ash", "elms", "ash")] == [
        "  ash   ",
        "  ash   ",
        "  elms  ",
        "  ash   ",
    ]
    assert DRAWN == ["ash", "elms", "ash"]


def test_another_place_repeats_it_another_size_not() -> None:
    DRAWN.clear()
    assert shown("alder") == "  al..  "
    assert shown("alder", AREA._replace(x=0, y=2)) == "al..    "
    assert shown("alder", AREA._replace(width=5)) == "  alder "
    assert DRAWN == ["alder", "alder"]


def test_forgotten_panels_are_drawn_again() -> None:
    shown("oak")
    DRAWN.clear()
    with using_store({}):
        shown("oak")
    assert DRAWN == ["oak"]


@keep(str.lower, rows=len)
def letters(canvas: Canvas, area: Rect, text: str) -> int:
    """Draw a letter a row, as many as fit."""
    DRAWN.append(text)
    for row, char in enumerate(text.lower()[: area.height]):
        canvas.put(area.x, area.y + row, char)
    return area.y + min(len(text), area.height)


def test_room_beyond_the_rows_changes_nothing() -> None:
    DRAWN.clear()
    used = [letters(Canvas(4, 9), Rect(0, 1, 4, height), "oak") for height in (8, 5, 3, 2, 4)]
    assert used == [4, 4, 4, 3, 4]
    assert DRAWN == ["oak", "oak", "oak"]
