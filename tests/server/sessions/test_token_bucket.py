"""Token buckets: this many in a burst, and this many a second in the long run."""

from hypothesis import given
from hypothesis import strategies as st

from gloam_server.sessions.token_bucket import TokenBucket


def taken(bucket: TokenBucket, now_ms: int, count: int = 1_000) -> int:
    return sum(bucket.take(now_ms) for _ in range(count))


def test_a_burst_is_allowed_and_no_more() -> None:
    for now_ms in (0, 5_000_000):
        bucket = TokenBucket(30, 60)
        assert [bucket.take(now_ms) for _ in range(61)] == [True] * 60 + [False]


def test_it_fills_at_its_rate() -> None:
    bucket = TokenBucket(2, 5)
    taken(bucket, 0)
    assert taken(bucket, 499) == 0
    assert taken(bucket, 500) == 1
    assert taken(bucket, 2_000) == 3


def test_it_never_holds_more_than_a_burst() -> None:
    bucket = TokenBucket(2, 5)
    taken(bucket, 0)
    assert taken(bucket, 1_000_000) == 5


def test_parts_of_a_token_are_not_lost() -> None:
    bucket = TokenBucket(3, 1)
    taken(bucket, 0)
    assert sum(bucket.take(now_ms) for now_ms in range(1, 3_001)) == 8  # one in 334 ms


def test_clock_goes_back_gives_nothing() -> None:
    """A clock that goes back gives nothing and breaks nothing."""
    bucket = TokenBucket(1, 2)
    taken(bucket, 10_000)
    assert taken(bucket, 5_000) == 0
    assert taken(bucket, 10_500) == 0
    assert taken(bucket, 11_000) == 1


@given(st.lists(st.integers(0, 400), max_size=200), st.integers(1, 40), st.integers(1, 60))
def test_no_schedule_gets_more_burst_and_rate(waits: list[int], per_s: int, burst: int) -> None:
    """No schedule gets more than the burst and the rate."""
    bucket, now_ms, count = TokenBucket(per_s, burst), 0, 0
    for wait_ms in waits:
        now_ms += wait_ms
        count += bucket.take(now_ms)
        assert count <= burst + now_ms * per_s / 1_000
