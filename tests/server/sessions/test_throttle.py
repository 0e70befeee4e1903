"""Token buckets: so many at once, and so many a second in the long run."""

from hypothesis import given
from hypothesis import strategies as st

from gloam_server.sessions.throttle import Bucket, Complaints


def taken(bucket: Bucket, now_ms: int, count: int = 1_000) -> int:
    return sum(bucket.take(now_ms) for _ in range(count))


def test_a_burst_is_allowed_and_no_more() -> None:
    for now_ms in (0, 5_000_000):
        bucket = Bucket(30, 60)
        assert [bucket.take(now_ms) for _ in range(61)] == [True] * 60 + [False]


def test_it_fills_at_its_rate() -> None:
    bucket = Bucket(2, 5)
    taken(bucket, 0)
    assert taken(bucket, 499) == 0
    assert taken(bucket, 500) == 1
    assert taken(bucket, 2_000) == 3


def test_it_never_holds_more_than_a_burst() -> None:
    bucket = Bucket(2, 5)
    taken(bucket, 0)
    assert taken(bucket, 1_000_000) == 5


def test_parts_of_a_token_are_not_lost() -> None:
    bucket = Bucket(3, 1)
    taken(bucket, 0)
    assert sum(bucket.take(now_ms) for now_ms in range(1, 3_001)) == 8  # one in 334 ms


def test_a_clock_that_goes_back_gives_nothing_and_breaks_nothing() -> None:
    bucket = Bucket(1, 2)
    taken(bucket, 10_000)
    assert taken(bucket, 5_000) == 0
    assert taken(bucket, 10_500) == 0
    assert taken(bucket, 11_000) == 1


@given(st.lists(st.integers(0, 400), max_size=200), st.integers(1, 40), st.integers(1, 60))
def test_no_schedule_gets_more_than_the_burst_and_the_rate(waits: list[int], per_s: int, burst: int) -> None:
    bucket, now_ms, count = Bucket(per_s, burst), 0, 0
    for wait_ms in waits:
        now_ms += wait_ms
        count += bucket.take(now_ms)
        assert count <= burst + now_ms * per_s / 1_000


def test_one_complaint_an_address_in_ten_seconds() -> None:
    complaints = Complaints()
    assert [complaints.may_tell("a", at) for at in (0, 1, 9_999, 10_000, 10_001)] == [
        True,
        False,
        False,
        True,
        False,
    ]
    assert complaints.may_tell("b", 1)


def test_complaints_remember_no_more_than_a_thousand_addresses() -> None:
    complaints = Complaints()
    assert sum(complaints.may_tell(str(address), 0) for address in range(1_500)) == 1_000
    assert complaints.may_tell("late", 10_000)
