"""The gather time and the rests follow the share of work, between their bounds."""

from typing import TypeVar

from gloam_server.engine.timing.gather_time import (
    IN_ONE_PROCESS,
    WITH_VIEW_PROCESSES,
    GatherTime,
    RestRule,
    RestTime,
)
from gloam_shared.limits import GATHER_MAX_MS, GATHER_MS

WINDOW_MS = 250


Noted = TypeVar("Noted", GatherTime, RestTime)


def after(windows: int, percent: int, noted: Noted, start_ms: int = 0) -> Noted:
    """Note windows in which there was work for this share of the time, in ten pieces each."""
    for piece in range(1, 10 * windows + 1):
        now_ms = start_ms + piece * WINDOW_MS // 10
        noted.note(WINDOW_MS * 10 * percent // 10, now_ms)
    return noted


def gather_after(windows: int, percent: int) -> GatherTime:
    return after(windows, percent, GatherTime())


def rest_ms(rest: RestTime) -> int:
    """Return how long the loop rests now."""
    rest.begin(0)
    return rest.earliest_ms


def test_it_stays_short_while_there_is_time() -> None:
    assert gather_after(20, 39).ms == GATHER_MS


def test_each_busy_window_doubles_it_to_its_bound() -> None:
    assert gather_after(1, 53).ms == 2 * GATHER_MS
    assert gather_after(2, 53).ms == 4 * GATHER_MS
    assert gather_after(20, 100).ms == GATHER_MAX_MS


def test_it_stays_between_busy_and_calm() -> None:
    busy = gather_after(2, 90)
    assert after(10, 46, busy, 2 * WINDOW_MS).ms == 4 * GATHER_MS


def test_it_becomes_short_again_when_calm() -> None:
    busy = gather_after(20, 100)
    assert after(1, 10, busy, 20 * WINDOW_MS).ms == GATHER_MAX_MS * 3 // 4
    assert after(20, 10, busy, 21 * WINDOW_MS).ms == GATHER_MS


def test_a_busy_loop_rests_as_long_as_it_worked() -> None:
    """A player's own command waits for the rest: it has a bound far below the gather time."""
    calm, busy = after(3, 20, RestTime(IN_ONE_PROCESS)), after(3, 90, RestTime(IN_ONE_PROCESS))
    for rest in (calm, busy):
        rest_ms(rest)
        rest.note(3_000, 760)
        rest.note(4_900, 770)
    assert (rest_ms(calm), rest_ms(busy), rest_ms(busy)) == (0, 7, 0)
    busy.note(90_000, 860)
    assert rest_ms(busy) == IN_ONE_PROCESS.longest_ms


def rested_ms(rule: RestRule, percent: int) -> int:
    """Return how long a loop rests after a batch of 9 ms, with this share of work."""
    rest = after(3, percent, RestTime(rule))
    rest_ms(rest)
    rest.note(9_000, 760)
    return rest_ms(rest)


def test_the_rest_grows_with_the_work() -> None:
    assert [rested_ms(IN_ONE_PROCESS, percent) for percent in (40, 50, 60, 70, 90)] == [0, 2, 5, 9, 9]


def test_a_turn_process_rests_sooner_and_longer() -> None:
    """Each of its batches costs every view process again; one that has little to do does not rest."""
    assert [rested_ms(WITH_VIEW_PROCESSES, percent) for percent in (15, 20, 25, 30, 90)] == [0, 5, 11, 18, 18]


def test_one_long_piece_of_work_makes_a_window_busy() -> None:
    gather = GatherTime()
    gather.note(400_000, 420)
    assert gather.ms == 2 * GATHER_MS
