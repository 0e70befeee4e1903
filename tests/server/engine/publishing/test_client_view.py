"""Seats: what a connection was last sent, what it acknowledged, and how much may be under way to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_server.engine.publishing.client_view import ClientView
from gloam_shared.limits import UNACKNOWLEDGED_MAX
from gloam_shared.protocol.messages.play import Update
from gloam_shared.view.patch import apply
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Log, LogLine, View

HERE = replace(NOWHERE, place=Place(1, 2, 1, "A cave"), terrain=b"\1\1", sight=b"\1\0")


def make_view(count: int) -> View:
    """Return a view whose log has this many lines."""
    return replace(HERE, log=Log(0, tuple(LogLine("digs", "you", amount=number) for number in range(count))))


def send(seat: ClientView, view: View, done: int = 0, now_ms: int = 0) -> Update:
    update = seat.update(view, done, now_ms)
    assert update is not None
    return update


def test_a_new_connection_starts_with_a_whole_view() -> None:
    update = send(ClientView(1), HERE)
    assert update.whole
    assert update.done == 0
    assert apply(NOWHERE, update.changes) == HERE


def test_after_that_only_what_changed_is_sent() -> None:
    seat = ClientView(1)
    send(seat, HERE)
    update = send(seat, make_view(1))
    assert not update.whole
    assert len(update.changes) == 1
    assert apply(HERE, update.changes) == make_view(1)


def test_when_nothing_changed_nothing_is_sent() -> None:
    seat = ClientView(1)
    send(seat, HERE)
    assert seat.update(HERE, 0, 5) is None
    assert seat.writer.patch == 1


def test_command_done_reported_though_nothing_changed() -> None:
    """An update reports a done command even if nothing else changed."""
    seat = ClientView(1)
    send(seat, HERE)
    update = send(seat, HERE, done=4)
    assert (update.done, update.changes) == (4, ())
    assert seat.update(HERE, 4, 5) is None


def test_number_last_command_done_never_goes_back() -> None:
    """The number of the last command done never goes back."""
    seat = ClientView(1)
    send(seat, HERE, done=9)
    assert send(seat, make_view(1), done=3).done == 0, "no more than was sent"
    assert seat.writer.done == 9


def test_at_most_three_patches_are_under_way() -> None:
    """bound: UNACKNOWLEDGED_MAX."""
    seat = ClientView(1)
    for count in range(UNACKNOWLEDGED_MAX):
        assert seat.has_credit()
        send(seat, make_view(count))
    assert not seat.has_credit()
    assert seat.acknowledge(1)
    assert seat.has_credit()


def test_an_acknowledgement_is_cumulative() -> None:
    seat = ClientView(1)
    for count in range(3):
        send(seat, make_view(count))
    assert seat.acknowledge(3)
    for count in range(3, 6):
        assert seat.has_credit()
        send(seat, make_view(count))
    assert not seat.has_credit()


def test_a_paused_line_has_no_credit() -> None:
    seat = ClientView(1, paused=True)
    assert not seat.has_credit()


@pytest.mark.rule("A36")
@pytest.mark.parametrize(
    ("patch", "taken"), [(0, False), (1, True), (2, True), (3, False), (2**31 - 1, False)]
)
def test_only_sent_views_can_be_acknowledged(patch: int, taken: bool) -> None:
    """Only what was sent, and not revoked, can be acknowledged."""
    seat = ClientView(1)
    for count in range(2):
        send(seat, make_view(count))
    assert seat.acknowledge(1)
    assert seat.acknowledge(patch) is taken
    assert seat.acknowledged == (patch if taken else 1)


def test_who_was_late_gets_the_newest_state_alone() -> None:
    seat = ClientView(1)
    send(seat, make_view(0))
    update = send(seat, make_view(9))
    assert apply(make_view(0), update.changes) == make_view(9)


def test_starting_sends_whole_view() -> None:
    """Starting again sends the whole view though nothing changed."""
    seat = ClientView(1)
    send(seat, HERE)
    seat.reset()
    update = send(seat, HERE)
    assert update.whole
    assert apply(NOWHERE, update.changes) == HERE
    assert seat.update(HERE, 0, 0) is None


@given(st.lists(st.one_of(st.integers(0, 30), st.just("ack"), st.just("again")), max_size=40))
def test_client_applies_update_sees_newest_state(course: list[int | str]) -> None:
    """A client that applies every update sees the newest state."""
    seat, shown, last = ClientView(1), NOWHERE, 0
    for event in course:
        if event == "ack":
            assert seat.acknowledge(last)
        elif event == "again":
            seat.reset()
        elif isinstance(event, int) and seat.has_credit():
            update = seat.update(make_view(event), 0, 0)
            if update is not None:
                last += 1
                assert seat.writer.patch == last
                shown = apply(NOWHERE if update.whole else shown, update.changes)
            assert shown == make_view(event) == seat.writer.sent_view
        assert seat.writer.patch - seat.acknowledged <= UNACKNOWLEDGED_MAX
