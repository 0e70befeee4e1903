"""Caches of one client among several in a process."""

from contextvars import copy_context

from gloam_client.terminal.canvas import Canvas, Rect
from gloam_client.terminal.kept_panel import keep
from gloam_client.terminal.own_cache import begin_store, own_cache
from gloam_shared.text import cells, count_ambiguous

COUNTED: list[object] = []


@own_cache(maxsize=1)
def squared(number: int) -> int:
    COUNTED.append(number)
    return number * number


@keep(str.lower)
def word(canvas: Canvas, area: Rect, text: str) -> int:
    COUNTED.append(text)
    canvas.put(area.x, area.y, text)
    return area.y + 1


def play(number: int) -> None:
    assert squared(number) == number * number
    assert word(Canvas(9, 1), Rect(0, 0, 9, 1), f"word {number}") == 1


def test_clients_in_turn_keep_their_own() -> None:
    """Each asks for something else, and a cache of the process with room for one would never be right."""
    contexts = [copy_context() for _ in range(3)]
    COUNTED.clear()
    for number, context in enumerate(contexts):
        context.run(begin_store)
        context.run(play, number)
    assert len(COUNTED) == 6
    for number, context in enumerate(contexts):
        context.run(play, number)
    assert len(COUNTED) == 6
    begin_store()
    play(1)
    assert len(COUNTED) == 8


def test_each_client_counts_as_its_terminal_draws() -> None:
    """A visitor on a terminal that is set up for East Asian fonts does not shift the columns of the others."""

    def width(ambiguous: int) -> tuple[int, int]:
        count_ambiguous(ambiguous)
        return cells("\u201cx\u201d"), Canvas(9, 1).put(0, 0, "\u201cx\u201d")

    assert [copy_context().run(width, ambiguous) for ambiguous in (1, 2, 1)] == [(3, 3), (5, 5), (3, 3)]
    assert cells("\u201cx\u201d") == 3
