"""The log and the stack of screens."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gloam_client.screens.play import Play
from gloam_client.screens.session.chat_line import Saying
from gloam_client.screens.session.quit import Quit
from gloam_client.state.model import (
    LOG_MAX,
    Entry,
    Model,
    Pop,
    Push,
    Replace,
    changed,
    folded,
    noted,
    with_log,
)
from gloam_shared.view.view import Line, Log

START = Model(screens=(Play(),))
UNKNOWN: Any = "x"
"""A kind of line that this client does not know."""


def told(model: Model) -> list[str]:
    return [entry.text for entry in model.entries]


@given(cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=12))
def test_every_line_is_told_once_however_the_tails_overlap(cuts: list[tuple[int, int]]) -> None:
    model, end = START, 0
    for step, tail in cuts:
        end += step
        first = max(end - max(tail, step), 0)
        model = with_log(model, Log(first, tuple(Line(UNKNOWN, str(number)) for number in range(first, end))))

    assert [f"{number} x" for number in range(end)] == told(model)


def test_a_log_whose_numbers_went_back_is_a_new_lifes() -> None:
    model = with_log(START, Log(10, (Line(UNKNOWN, "old"),)))
    model = with_log(model, Log(0, (Line(UNKNOWN, "new"),)))

    assert told(model) == ["old x", "new x"]


def test_f60_the_history_keeps_a_thousand_lines() -> None:
    model = START
    for number in range(LOG_MAX + 5):
        model = noted(model, str(number))

    assert len(model.entries) == LOG_MAX
    assert model.entries[0].text == "5"


def test_tg31_f60_the_same_line_again_and_again_is_folded_when_it_is_read() -> None:
    entries = tuple(Entry(text, "plain") for text in "aabbbc")

    assert [entry.text for entry in folded(entries)] == ["a x2", "b x3", "c"]
    assert [entry.text for entry in folded(entries, 2)] == ["b x3", "c"]


def test_a_remote_line_cannot_drive_the_terminal() -> None:
    assert told(noted(START, "\x1b[2Jhel\u202elo")) == ["[2Jhello"]


def test_screens_are_a_stack_whose_lowest_never_leaves() -> None:
    model = changed(START, Push(Saying()))
    assert model.top.state == "say"
    model = changed(model, Replace(Quit()))
    assert [screen.state for screen in model.screens] == ["play", "quit"]
    model = changed(changed(model, Pop()), Pop())
    assert [screen.state for screen in model.screens] == ["play"]
