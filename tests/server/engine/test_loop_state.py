"""The state machine of the game loop: its table, and what each state permits, over any order of events."""

from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.engine.loop_state import _NEXT, Event, LoopState, State

ENDED: Final = (State.STOPPED, State.HALTED)


def _in(state: State) -> LoopState:
    machine = LoopState()
    machine.now = state
    return machine


def test_a_batch_passes_every_step_once() -> None:
    machine = LoopState()
    for event in (Event.BEGIN, Event.APPEND, Event.DURABLE, Event.PUBLISHED):
        machine.change(event)
    assert machine.may_begin


@given(st.lists(st.sampled_from(list(Event)), max_size=40))
def test_any_order_of_events_keeps_the_promises(events: list[Event]) -> None:
    """Nothing is shown that is not durable, no batch begins beside another, and an ended loop never begins again."""
    machine, unwritten = LoopState(), False
    for event in events:
        before = machine.now
        try:
            machine.change(event)
        except RuntimeError:
            assert machine.now is before, "a refused event changes nothing"
            continue
        unwritten = {Event.BEGIN: True, Event.EMPTY: False, Event.DURABLE: False}.get(event, unwritten)
        assert before not in ENDED or machine.now in ENDED
        assert machine.is_durable is (machine.now is not State.HALTED and not unwritten)
        assert machine.is_durable or not (machine.may_show() or machine.may_begin)
        assert not (machine.is_ending and machine.may_begin)
        assert machine.has_ended is (machine.now in ENDED)


@pytest.mark.parametrize("state", State)
def test_every_state_can_end(state: State) -> None:
    machine = _in(state)
    for event in (Event.EMPTY, Event.APPEND, Event.STOP, Event.DURABLE, Event.PUBLISHED, Event.STOP):
        if (machine.now, event) in _NEXT:
            machine.change(event)
    assert machine.has_ended


@pytest.mark.parametrize("state", State)
def test_a_halt_is_final(state: State) -> None:
    machine = _in(state)
    machine.change(Event.HALT)
    machine.change(Event.STOP)
    assert machine.now is State.HALTED


def test_an_impossible_event_is_named() -> None:
    with pytest.raises(RuntimeError, match="cannot DURABLE while it is WAITING"):
        LoopState().change(Event.DURABLE)


def test_the_drawing_has_every_row_of_the_table() -> None:
    page = (Path(__file__).parents[3] / "server/ARCHITECTURE.md").read_text().split()
    drawn = {
        (page[at - 1], event.name, page[at + 1])
        for at, word in enumerate(page)
        for event in Event
        if word == f"-{event.name.lower()}->" and event is not Event.HALT
    }
    rows = {(before.name, event.name, after.name) for (before, event), after in _NEXT.items()}
    assert drawn == {row for row in rows if row[1] != "HALT" and row[0] != row[2]}
