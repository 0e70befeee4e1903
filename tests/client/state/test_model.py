"""The log and the stack of screens."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_client.render.repeated_lines import collapse_repeats
from gloam_client.screens.play import Play
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.quit import Quit
from gloam_client.state.event_log import merge_log
from gloam_client.state.model import (
    LOG_MAX,
    Entry,
    Model,
    Pop,
    Push,
    Replace,
    add_message,
    apply_change,
)
from gloam_shared.view.view import NOWHERE, FloorItem, Log, LogLine

START = Model(screens=(Play(),))
UNKNOWN: Any = "x"
"""A kind of line that this client does not know."""


def read_log(model: Model) -> list[str]:
    return [entry.text for entry in model.messages.entries]


@given(cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=12))
def test_line_reported_once_however_tails_overlap(cuts: list[tuple[int, int]]) -> None:
    """The log shows each line once, however the tails overlap."""
    model, end = START, 0
    for step, tail in cuts:
        end += step
        first = max(end - max(tail, step), 0)
        model = merge_log(
            model, Log(first, tuple(LogLine(UNKNOWN, str(number)) for number in range(first, end)))
        )

    assert [f"{number} x" for number in range(end)] == read_log(model)


def test_a_log_whose_numbers_went_back_is_a_new_lifes() -> None:
    model = merge_log(START, Log(10, (LogLine(UNKNOWN, "old"),)))
    model = merge_log(model, Log(0, (LogLine(UNKNOWN, "new"),)))

    assert read_log(model) == ["old x", "new x"]


@pytest.mark.rule("F60")
def test_the_history_keeps_a_thousand_lines() -> None:
    model = START
    for number in range(LOG_MAX + 5):
        model = add_message(model, str(number))

    assert len(model.messages.entries) == LOG_MAX
    assert model.messages.entries[0].text == "5"


@pytest.mark.rule("TG.31", "F60")
def test_same_line_and_folded_when_read() -> None:
    """The same line again and again is folded when it is read."""
    entries = tuple(Entry(text, "plain") for text in "aabbbc")

    assert [entry.text for entry in collapse_repeats(entries)] == ["a x2", "b x3", "c"]
    assert [entry.text for entry in collapse_repeats(entries, 2)] == ["b x3", "c"]


def test_a_remote_line_cannot_drive_the_terminal() -> None:
    assert read_log(add_message(START, "\x1b[2Jhel\u202elo")) == ["[2Jhello"]


def test_screens_are_a_stack_whose_lowest_never_leaves() -> None:
    model = apply_change(START, Push(ChatScreen()))
    assert model.top.state == "say"
    model = apply_change(model, Replace(Quit()))
    assert [screen.state for screen in model.screens] == ["play", "quit"]
    model = apply_change(apply_change(model, Pop()), Pop())
    assert [screen.state for screen in model.screens] == ["play"]


def test_several_objects_underfoot_are_named() -> None:
    """The line of the server has their number; a pile of another size is not the one that it tells of."""
    pile = (FloorItem(40, "!", "yellow", "golden potion"), FloorItem(41, "%", "red", "imp corpse"))
    log = Log(0, (LogLine("finds_several", "you", amount=2),))
    said = merge_log(replace(START, view=replace(NOWHERE, pile=pile)), log).messages.entries[-1].text
    assert said == "There are several objects here: an imp corpse and a golden potion."
    bare = merge_log(replace(START, view=replace(NOWHERE, pile=pile[:1])), log).messages.entries[-1].text
    assert bare == "There are several objects here."
    many = tuple(FloorItem(at, "*", "white", f"rock {at}") for at in range(9))
    heap = Log(0, (LogLine("finds_several", "you", amount=9),))
    said = merge_log(replace(START, view=replace(NOWHERE, pile=many)), heap).messages.entries[-1].text
    assert said == "There are several objects here: a rock 8, a rock 7, a rock 6, a rock 5 and 5 more."
