"""A player who has a list open is waited for longer: once a turn, twice in a row."""

import pytest

from gloam_server.engine.timing import turn_timing
from support.server.group_turns import CHOOSING_HURT_MS, CHOOSING_MS, Table


def waits_for_choices(table: Table, times: int) -> list[int]:
    """Return how long turns wait for the second player, who says at each that they choose, and does nothing else."""
    waits = []
    for _ in range(times):
        table.now_ms += 1_000
        began = table.now_ms
        table.command(1)
        table.clocks[2].start_choosing(table.now_ms)
        due = table.next_due()
        assert due is not None
        waits.append(due - began)
        table.run()
    return waits


@pytest.mark.parametrize("hurt", [False, True])
@pytest.mark.parametrize("off_ms", [-1, 0, 1])
def test_chooses_waited_eight_seconds_and_twelve(off_ms: int, hurt: bool) -> None:
    """bound: CHOOSING_FACTOR, CHOOSING_HURT_FACTOR."""
    bound_ms = CHOOSING_HURT_MS if hurt else CHOOSING_MS
    assert (
        turn_timing.PATIENCE_MS * (turn_timing.CHOOSING_HURT_FACTOR if hurt else turn_timing.CHOOSING_FACTOR)
        == bound_ms
    )
    table = Table(2, hurt={2} if hurt else set())
    table.command(1)
    table.clocks[2].start_choosing(0)
    assert table.judge() == turn_timing.TurnStatus(
        due=False, look_at_ms=bound_ms, waits_for=(2,), until_ms=bound_ms, choosing=(2,)
    )
    table.now_ms = bound_ms + off_ms
    assert table.judge().due is (off_ms >= 0)


@pytest.mark.parametrize(
    ("after_ms", "due_ms"),
    [(turn_timing.PATIENCE_MS - 1, CHOOSING_MS), (turn_timing.PATIENCE_MS, turn_timing.PATIENCE_MS)],
)
def test_choice_comes_turn_waits_counted_begin(after_ms: int, due_ms: int) -> None:
    """A choice that arrives while the turn waits is counted from the begin of the wait."""
    table = Table(2)
    table.command(1)
    table.now_ms = after_ms
    if not table.judge().due:
        table.clocks[2].start_choosing(after_ms)
    assert table.next_due() == due_ms


def test_saying_it_again_adds_nothing_to_the_same_turn() -> None:
    table = Table(2)
    table.command(1)
    for now_ms in range(0, CHOOSING_MS, 500):
        table.now_ms = now_ms
        table.clocks[2].start_choosing(now_ms)
        assert table.judge().until_ms == CHOOSING_MS


@pytest.mark.parametrize(
    ("after_ms", "wait_ms"),
    [
        (turn_timing.THINKING_MS - 1, CHOOSING_MS),
        (turn_timing.THINKING_MS, turn_timing.PATIENCE_MS),
        (turn_timing.THINKING_MS + 1, turn_timing.PATIENCE_MS),
    ],
)
def test_list_opened_long(after_ms: int, wait_ms: int) -> None:
    """bound: THINKING_MS."""
    table = Table(2)
    table.clocks[2].start_choosing(0)
    table.now_ms = after_ms
    table.command(1)
    assert table.next_due() == after_ms + wait_ms


def test_choice_good_turn_and_costs_no_patience() -> None:
    """A choice is good for one turn and costs no patience."""
    table = Table(2)
    assert waits_for_choices(table, 1) == [CHOOSING_MS]
    began = table.now_ms = table.now_ms + 1
    table.command(1)
    assert table.judge() == turn_timing.TurnStatus(
        due=False,
        look_at_ms=began + turn_timing.PATIENCE_MS,
        waits_for=(2,),
        until_ms=began + turn_timing.PATIENCE_MS,
    )


@pytest.mark.parametrize(
    "turns", [turn_timing.CHOICES_MAX - 1, turn_timing.CHOICES_MAX, turn_timing.CHOICES_MAX + 1]
)
def test_two_choices_without_command_ordinary(turns: int) -> None:
    """bound: CHOICES_MAX."""
    expected = [CHOOSING_MS, CHOOSING_MS, turn_timing.PATIENCE_MS]
    assert waits_for_choices(Table(2), turns) == expected[:turns]


def test_chooses_holds_fight_no_longer() -> None:
    """A player who only chooses holds a fight up no longer than two such turns."""
    assert waits_for_choices(Table(2), 7) == [CHOOSING_MS, CHOOSING_MS, 2_000, 1_000, 500, 250, 250]


def test_turns_wait_no_choice_between_not_bring() -> None:
    """Turns that wait for no choice in between do not bring choices back."""
    table = Table(2)
    assert waits_for_choices(table, 1) == [CHOOSING_MS]
    table.command(1)
    table.next_due()
    table.run()
    assert waits_for_choices(table, 2) == [CHOOSING_MS, turn_timing.PATIENCE_MS // 2]


def test_action_brings_choices_back() -> None:
    """An action of one's own brings choices back but a command alone does not."""
    table = Table(2)
    waits_for_choices(table, turn_timing.CHOICES_MAX)
    table.clocks[2].command_arrived(table.now_ms)
    table.clocks[2].waiting_since_ms = None  # taken back
    assert waits_for_choices(table, 1) == [turn_timing.PATIENCE_MS]
    table.command(1, 2)
    table.run()
    assert waits_for_choices(table, 1) == [CHOOSING_MS]


@pytest.mark.parametrize("count", [turn_timing.CROWD - 1, turn_timing.CROWD])
def test_a_choice_is_as_long_in_a_crowd(count: int) -> None:
    table = Table(count)
    table.command(1)
    table.clocks[2].start_choosing(0)
    assert table.next_due() == CHOOSING_MS


def test_the_realms_patience_scales_choices() -> None:
    table = Table(2, patience_ms=700)
    assert waits_for_choices(table, 1) == [700 * turn_timing.CHOOSING_FACTOR]
    table.hurt = {2}
    assert waits_for_choices(table, 1) == [700 * turn_timing.CHOOSING_HURT_FACTOR]


def test_player_cannot_act() -> None:
    """A player who cannot act or is out of danger is given no time to choose."""
    for table in (Table(2, held=False), Table(2, unable={2})):
        table.clocks[2].start_choosing(0)
        table.command(1)
        assert table.judge().due
