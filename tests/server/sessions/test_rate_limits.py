"""The rate of login attempts, to the millisecond."""

from collections.abc import Callable

import pytest

from gloam_server.sessions import rate_limits
from gloam_shared import limits

KEY = ("192.0.2.7/32", "bert")


def noted(tally: rate_limits.SlidingWindow, times: int) -> rate_limits.SlidingWindow:
    for _ in range(times):
        tally.count(KEY, 1_000)
    return tally


@pytest.mark.rule("A24", "A27")
@pytest.mark.parametrize(
    ("tally", "most", "within_s"),
    [(rate_limits.failures, 5, 300), (rate_limits.creations, 10, 600)],
)
def test_so_many_are_allowed_and_then_one_waits(
    tally: Callable[[], rate_limits.SlidingWindow], most: int, within_s: int
) -> None:
    """bounds: FAILURES_MAX, FAILURES_S, CREATIONS_MAX, CREATIONS_S."""
    waits = [noted(tally(), times).wait_s(KEY, 1_000) for times in (most - 1, most, most + 1)]
    assert waits == [0, within_s, within_s]
    end_ms = 1_000 + within_s * 1_000
    assert [noted(tally(), most).wait_s(KEY, end_ms + beyond) for beyond in (-1, 0, 1)] == [1, 0, 0]


def test_a_waiting_player_sees_for_how_long() -> None:
    tally = rate_limits.failures()
    for at_s in range(limits.FAILURES_MAX):
        tally.count(KEY, at_s * 1_000)
    assert tally.wait_s(KEY, 10_000) == limits.FAILURES_S - 10
    assert tally.wait_s(("192.0.2.7/32", "ann"), 10_000) == 0


def test_what_was_none_is_taken_back() -> None:
    tally = noted(rate_limits.failures(), limits.FAILURES_MAX)
    tally.take_back(KEY)
    assert tally.wait_s(KEY, 1_000) == 0
    tally.take_back(("nobody",))


def test_of_many_keys_the_oldest_is_forgotten_first() -> None:
    tally = noted(rate_limits.failures(), limits.FAILURES_MAX)
    for other in range(9_999):
        tally.count((str(other),), 1_000)
    assert tally.wait_s(KEY, 1_000)
    tally.count(("one more",), 1_000)
    assert not tally.wait_s(KEY, 1_000)


@pytest.mark.parametrize(
    ("limiter", "burst", "every_s"),
    [
        (rate_limits.logins, limits.LOGINS_BURST, limits.LOGINS_EVERY_S),
        (rate_limits.password_changes, limits.PASSWORD_CHANGES_BURST, limits.PASSWORD_CHANGES_EVERY_S),
    ],
)
def test_a_burst_is_let_through_and_then_one_at_a_time(
    limiter: Callable[[], rate_limits.RateLimiter], burst: int, every_s: int
) -> None:
    """bounds: LOGINS_BURST, LOGINS_EVERY_S, PASSWORD_CHANGES_BURST, PASSWORD_CHANGES_EVERY_S."""
    waits = [limited(limiter(), times).wait_s(KEY, 1_000) for times in (burst - 1, burst, burst + 1)]
    assert waits == [0, every_s, 2 * every_s]
    full = limited(limiter(), burst)
    next_ms = 1_000 + every_s * 1_000
    assert [full.wait_s(KEY, next_ms + beyond) for beyond in (-1, 0, 1)] == [1, 0, 0]
    full.count(KEY, next_ms)
    assert full.wait_s(KEY, next_ms) == every_s
    assert limited(full, burst - 1, next_ms + burst * every_s * 1_000).wait_s(KEY, next_ms * 100) == 0


def test_key_rested_burst_and_no_more() -> None:
    """A key that rested has its burst again and no more."""
    limiter = limited(rate_limits.logins(), limits.LOGINS_BURST)
    later_ms = 1_000 + limits.LOGINS_BURST * limits.LOGINS_EVERY_S * 1_000 * 10
    waits = [limited(limiter, 1, later_ms).wait_s(KEY, later_ms) for _ in range(limits.LOGINS_BURST)]
    assert waits == [0] * (limits.LOGINS_BURST - 1) + [limits.LOGINS_EVERY_S]


def test_rate_limiter_holds_many_keys() -> None:
    """A rate limiter holds this many keys and forgets the oldest."""
    limiter = limited(rate_limits.logins(), limits.LOGINS_BURST)
    for other in range(9_999):
        limiter.count((str(other),), 1_000)
    assert limiter.wait_s(KEY, 1_000)
    limiter.count(("one more",), 1_000)
    assert not limiter.wait_s(KEY, 1_000)


def limited(limiter: rate_limits.RateLimiter, times: int, now_ms: int = 1_000) -> rate_limits.RateLimiter:
    for _ in range(times):
        limiter.count(KEY, now_ms)
    return limiter
