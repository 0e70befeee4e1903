"""The gather time follows the share of work, between its bounds."""

from gloam_server.engine.timing.gather_time import REST_MAX_MS, GatherTime
from gloam_shared.limits import GATHER_MAX_MS, GATHER_MS

WINDOW_MS = 250


def after(windows: int, percent: int, gather: GatherTime | None = None, start_ms: int = 0) -> GatherTime:
    """Return a gather time after windows in which the loop worked for this share of the time, in ten pieces each."""
    gather = gather or GatherTime()
    for piece in range(1, 10 * windows + 1):
        now_ms = start_ms + piece * WINDOW_MS // 10
        gather.note(WINDOW_MS * 10 * percent // 10, now_ms)
    return gather


def test_it_stays_short_while_there_is_time() -> None:
    assert after(20, 39).ms == GATHER_MS


def test_each_busy_window_doubles_it_to_its_bound() -> None:
    assert after(1, 53).ms == 2 * GATHER_MS
    assert after(2, 53).ms == 4 * GATHER_MS
    assert after(20, 100).ms == GATHER_MAX_MS


def test_it_stays_between_busy_and_calm() -> None:
    busy = after(2, 90)
    assert after(10, 46, busy, 2 * WINDOW_MS).ms == 4 * GATHER_MS


def test_it_becomes_short_again_when_calm() -> None:
    busy = after(20, 100)
    assert after(1, 10, busy, 20 * WINDOW_MS).ms == GATHER_MAX_MS * 3 // 4
    assert after(20, 10, busy, 21 * WINDOW_MS).ms == GATHER_MS


def test_a_busy_loop_rests_as_long_as_it_worked() -> None:
    """A player's own command waits for the rest: it has a bound far below the gather time."""
    calm, busy = after(3, 20), after(3, 90)
    calm.end_batch()
    busy.end_batch()
    for gather in (calm, busy):
        gather.note(3_000, 760)
        gather.note(4_900, 770)
    assert (calm.end_batch(), busy.end_batch(), busy.end_batch()) == (0, 7, 0)
    busy.note(90_000, 860)
    assert busy.end_batch() == REST_MAX_MS


def test_the_rest_grows_with_the_work() -> None:
    def rest_ms(percent: int) -> int:
        gather = after(3, percent)
        gather.end_batch()
        gather.note(9_000, 760)
        return gather.end_batch()

    assert [rest_ms(percent) for percent in (40, 50, 60, 70, 90)] == [0, 2, 5, 9, 9]


def test_work_for_onlookers_lengthens_no_rest() -> None:
    gather = GatherTime()
    gather.note(20_000, 100)
    gather.note_onlookers(190_000)
    gather.note(10_000, 250)
    assert gather.ms == 2 * GATHER_MS
    assert gather.end_batch() == 0


def test_one_long_piece_of_work_makes_a_window_busy() -> None:
    gather = GatherTime()
    gather.note(400_000, 420)
    assert gather.ms == 2 * GATHER_MS
