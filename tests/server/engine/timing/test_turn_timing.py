"""The due turn and the players waited for: every sentence about waiting, and that no one is run over unasked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.engine.timing import turn_timing
from support.server.group_turns import CHOOSING_HURT_MS, CHOOSING_MS, Table


def test_without_a_command_nothing_is_ever_due() -> None:
    for held in (True, False):
        assert Table(held=held).judge() == turn_timing.TurnStatus(due=False)


def test_alone_and_held_a_command_is_a_turn_at_once() -> None:
    table = Table(1)
    table.command(1)
    assert table.judge().due


def test_when_answered_turn_due_at_once() -> None:
    """The turn is due immediately when all have answered."""
    table = Table(3)
    table.command(1, 2, 3)
    assert table.judge().due


def test_in_safety_a_turn_does_not_wait() -> None:
    table = Table(2, held=False)
    table.command(1)
    assert table.judge().due


@pytest.mark.parametrize(
    ("now_ms", "due"), [(turn_timing.SPACING_MS - 1, False), (turn_timing.SPACING_MS, True)]
)
def test_turns_are_fifty_milliseconds_apart(now_ms: int, due: bool) -> None:
    table = Table(1)
    table.command(1)
    table.run()
    table.now_ms = now_ms
    table.command(1)
    status = table.judge()
    assert status.due is due
    assert status.look_at_ms == (None if due else turn_timing.SPACING_MS)


def test_the_last_turn_of_every_member_counts() -> None:
    table = Table(2)
    table.clocks[2].last_turn_ms = 0
    table.now_ms = 20
    table.command(1, 2)
    assert table.judge() == turn_timing.TurnStatus(due=False, look_at_ms=turn_timing.SPACING_MS)


@pytest.mark.parametrize(
    ("now_ms", "due"), [(turn_timing.PATIENCE_MS - 1, False), (turn_timing.PATIENCE_MS, True)]
)
def test_held_player_without_command_waited(now_ms: int, due: bool) -> None:
    """A held player without a command is waited for two seconds."""
    table = Table(2)
    table.command(1)
    status = table.judge()
    assert (status.waits_for, status.until_ms, status.look_at_ms) == (
        (2,),
        turn_timing.PATIENCE_MS,
        turn_timing.PATIENCE_MS,
    )
    table.now_ms = now_ms
    assert table.judge().due is due


def test_patience_counted_oldest_command_waits() -> None:
    """Patience is counted from the oldest command that waits."""
    table = Table(3)
    table.command(1)
    table.now_ms = 1_500
    table.command(2)
    assert table.judge().until_ms == turn_timing.PATIENCE_MS


def test_a_newer_command_does_not_start_the_wait_again() -> None:
    table = Table(2)
    table.command(1)
    table.now_ms = 1_900
    table.command(1)
    assert table.next_due() == turn_timing.PATIENCE_MS


def test_the_longest_patience_decides() -> None:
    table = Table(3)
    table.clocks[2].missed_turns = 1
    table.command(1)
    status = table.judge()
    assert (status.waits_for, status.until_ms) == ((2, 3), turn_timing.PATIENCE_MS)
    table.now_ms = turn_timing.PATIENCE_MS // 2
    assert table.judge().waits_for == (3,)


@pytest.mark.parametrize(
    ("count", "patience_ms"),
    [
        (turn_timing.CROWD - 1, turn_timing.PATIENCE_MS),
        (turn_timing.CROWD, turn_timing.PATIENCE_CROWD_MS),
        (turn_timing.CROWD + 1, turn_timing.PATIENCE_CROWD_MS),
    ],
)
@pytest.mark.rule("F19")
def test_five_held_players_patience_second(count: int, patience_ms: int) -> None:
    """From five held players on patience is one second."""
    table = Table(count)
    table.command(1)
    assert table.next_due() == patience_ms


def test_a_realm_may_have_another_patience() -> None:
    table = Table(2, patience_ms=700)
    table.command(1)
    assert table.next_due() == 700


def test_a_realm_without_patience_never_waits() -> None:
    table = Table(2, patience_ms=0)
    table.command(1)
    assert table.judge().due


@pytest.mark.rule("F19")
def test_each_miss_halves_the_patience() -> None:
    """Each miss in a row halves the patience, and never below a quarter second."""
    table = Table(2)
    waits = []
    for _ in range(7):
        table.now_ms += 1_000
        table.command(1)
        began = table.now_ms
        due = table.next_due()
        assert due is not None
        waits.append(due - began)
        table.run()
    assert waits == [2_000, 1_000, 500, 250, 250, 250, 250]
    assert min(waits) == turn_timing.PATIENCE_LEAST_MS


def test_a_command_restores_the_patience() -> None:
    table = Table(2)
    for _ in range(4):
        table.now_ms += 5_000
        table.command(1)
        table.run()
    assert table.clocks[2].patience_ms(turn_timing.PATIENCE_MS) == turn_timing.PATIENCE_LEAST_MS
    table.now_ms += 5_000
    table.command(2)
    table.run()
    began = table.now_ms = table.now_ms + 5_000
    table.command(1)
    assert table.next_due() == began + turn_timing.PATIENCE_MS


def test_who_is_cut_off_is_not_waited_for() -> None:
    table = Table(2)
    table.clocks[2].connected = False
    table.command(1)
    assert table.judge().due


def test_who_is_cut_off_loses_no_patience() -> None:
    table = Table(2)
    table.clocks[2].connected = False
    table.command(1)
    table.run()
    assert table.clocks[2].missed_turns == 0


def test_who_cannot_act_counts_as_having_answered() -> None:
    table = Table(2)
    table.unable = {2}
    table.command(1)
    assert table.judge().due


def test_who_could_not_act_missed_nothing() -> None:
    table = Table(2)
    table.unable = {2}
    table.command(1)
    table.run()
    assert table.clocks[2].missed_turns == 0


def test_command_could_not_act_waits_after_turn() -> None:
    """The command of who could not act still waits after the turn."""
    table = Table(2)
    table.unable = {2}
    table.command(1, 2)
    table.run()
    assert table.clocks[1].waiting_since_ms is None
    assert table.clocks[2].waiting_since_ms is not None


def test_command_left_over_turn_not_eat_patience() -> None:
    """A command left over from a turn does not eat the patience of the next."""
    table = Table(2)
    table.unable = {1}
    table.command(1)
    assert table.next_due() == turn_timing.PATIENCE_MS
    table.run()
    assert table.next_due() == turn_timing.PATIENCE_MS + turn_timing.PATIENCE_MS // 2


def test_group_abandoned_bodies_takes_turn() -> None:
    """A turn group of abandoned bodies takes one turn a second."""
    table = Table(2)
    for clock in table.clocks.values():
        clock.connected = False
        clock.last_turn_ms = 0
    table.now_ms = turn_timing.ALONE_MS - 1
    assert table.judge() == turn_timing.TurnStatus(due=False, look_at_ms=turn_timing.ALONE_MS)
    table.now_ms = turn_timing.ALONE_MS
    assert table.judge().due


def test_connected_abandoned_body_takes_no_turn() -> None:
    """While one of them is connected an abandoned body takes no turn by itself."""
    table = Table(2)
    table.clocks[2].connected = False
    table.now_ms = 60_000
    assert table.judge() == turn_timing.TurnStatus(due=False)


def test_abandoned_bodies_in_safety_take_no_turn() -> None:
    table = Table(1, held=False)
    table.clocks[1].connected = False
    assert table.judge() == turn_timing.TurnStatus(due=False)


def test_looking_waits_both_patience_and_spacing() -> None:
    """Looking again waits for both patience and spacing."""
    table = Table(2, patience_ms=10)
    table.clocks[2].last_turn_ms = 0
    table.command(1)
    assert table.judge().look_at_ms == turn_timing.SPACING_MS


Happening = tuple[str, int, int]
schedules = st.lists(
    st.tuples(
        st.sampled_from(
            ["command", "command", "command", "cut", "back", "daze", "wake", "come", "go", "think"]
        ),
        st.integers(1, 6),
        st.integers(0, 900),
    ),
    max_size=80,
)


@given(schedules, st.sampled_from([turn_timing.PATIENCE_MS, turn_timing.PATIENCE_CROWD_MS, 600]))
def test_no_one_is_hit_twice_before_they_can_act(schedule: list[Happening], patience_ms: int) -> None:
    """Between two turns in a row that a connected, able player missed, they were asked for a quarter second or more.

    The first turn that they miss since they joined, could not act, or were cut off is the one that may be too early.
    """
    table = Table(3, patience_ms=patience_ms)
    missed_ms: dict[int, int] = {}
    for what, who, wait_ms in schedule:
        until_ms = table.now_ms + wait_ms
        while (status := table.judge()).due or (
            status.look_at_ms is not None and status.look_at_ms <= until_ms
        ):
            if not status.due:
                assert status.look_at_ms is not None
                table.now_ms = status.look_at_ms
                continue
            for number, clock in table.clocks.items():
                answered = clock.waiting_since_ms is not None
                if answered or number in table.unable or not clock.connected:
                    missed_ms.pop(number, None)
                    continue
                if number in missed_ms:
                    assert table.now_ms - missed_ms[number] >= turn_timing.PATIENCE_LEAST_MS
                missed_ms[number] = table.now_ms
            table.run()
        table.now_ms = until_ms
        _happen(table, missed_ms, what, who)


def _happen(table: Table, missed_ms: dict[int, int], what: str, who: int) -> None:
    if what == "come" and who not in table.clocks:
        table.clocks[who] = turn_timing.TurnClock()
    clock = table.clocks.get(who)
    if clock is None:
        return
    match what:
        case "command" if clock.connected:
            table.command(who)
        case "cut":
            clock.connected = False
            clock.waiting_since_ms = None
            missed_ms.pop(who, None)
        case "back":
            clock.connected = True
        case "daze":
            table.unable.add(who)
            missed_ms.pop(who, None)
        case "wake":
            table.unable.discard(who)
        case "think":
            clock.start_choosing(table.now_ms)
        case "go" if len(table.clocks) > 1:
            del table.clocks[who]
            missed_ms.pop(who, None)


@given(schedules)
def test_no_turn_waits_longer_patience_or_choice(schedule: list[Happening]) -> None:
    """No turn waits longer than the patience or a choice."""
    table = Table(3, hurt={2})
    missed_ms: dict[int, int] = {}
    for what, who, wait_ms in schedule:
        table.now_ms += wait_ms
        _happen(table, missed_ms, what, who)
        waiting = [clock.waiting_since_ms for clock in table.clocks.values()]
        oldest = min((since for since in waiting if since is not None), default=None)
        status = table.judge()
        bound_ms = turn_timing.PATIENCE_MS
        if status.choosing:
            bound_ms = CHOOSING_HURT_MS if 2 in status.choosing else CHOOSING_MS
            assert set(status.choosing) <= set(status.waits_for)
        if oldest is not None and table.now_ms >= oldest + bound_ms + turn_timing.SPACING_MS:
            assert status.due
        if status.waits_for:
            assert table.now_ms < status.until_ms
            assert oldest is not None
            assert status.until_ms <= oldest + bound_ms
        if status.due:
            table.run()
