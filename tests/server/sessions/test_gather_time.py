"""The gather time follows the share of work, between its bounds."""

from gloam_server.sessions.gather_time import GatherTime
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
    assert after(1, 56).ms == 2 * GATHER_MS
    assert after(2, 56).ms == 4 * GATHER_MS
    assert after(20, 100).ms == GATHER_MAX_MS


def test_it_stays_between_busy_and_calm() -> None:
    busy = after(2, 90)
    assert after(10, 47, busy, 2 * WINDOW_MS).ms == 4 * GATHER_MS


def test_it_becomes_short_again_when_calm() -> None:
    busy = after(20, 100)
    assert after(1, 10, busy, 20 * WINDOW_MS).ms == GATHER_MAX_MS * 3 // 4
    assert after(20, 10, busy, 21 * WINDOW_MS).ms == GATHER_MS


def test_a_busy_server_pauses_between_batches() -> None:
    """The pause stays far below the gather time: a player's own command waits for it."""
    assert [after(windows, 90).between_batches_ms for windows in range(6)] == [0, 12, 25, 40, 40, 40]


def test_one_long_piece_of_work_makes_a_window_busy() -> None:
    gather = GatherTime()
    gather.note(400_000, 420)
    assert gather.ms == 2 * GATHER_MS
