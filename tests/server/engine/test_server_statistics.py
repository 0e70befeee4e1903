"""Measures: times sorted into ranges, and counters for every kind of command."""

from hypothesis import given
from hypothesis import strategies as st

from gloam_server.engine.server_statistics import BOUNDS_S, COMMANDS, Histogram, ServerStatistics


def filled(*seconds: float) -> Histogram:
    histogram = Histogram()
    for each in seconds:
        histogram.observe(each)
    return histogram


def test_a_time_lies_in_the_range_that_ends_with_it() -> None:
    for at, bound in enumerate(BOUNDS_S):
        assert filled(bound).counts[at] == 1
        assert filled(bound * 1.000001).counts[at + 1] == 1
    assert filled(1_000).counts[-1] == 1
    assert filled(0).counts[0] == 1


def test_many_hundred_lie_within_end_range() -> None:
    """This many in a hundred lie within the end of a range or the longest."""
    assert Histogram().within_s(99) == 0
    times = filled(*[0.0004] * 99, 0.7)
    assert times.within_s(99) == 0.0005
    assert times.within_s(100) == 0.7
    assert filled(0.0002).within_s(99) == 0.0002
    assert filled(9.0).within_s(50) == 9.0


@given(st.lists(st.floats(0, 100), min_size=1), st.integers(1, 100))
def test_nothing_is_lost_and_the_promise_holds(seconds: list[float], percent: int) -> None:
    times = filled(*seconds)
    assert times.count == len(seconds)
    assert times.most_s == max(seconds)
    within = sum(each <= times.within_s(percent) for each in seconds)
    assert within * 100 >= percent * len(seconds)


def test_every_command_has_its_counter_from_the_start() -> None:
    assert {"Move", "Wait", "Explore", "Stop", "Choose"} <= set(COMMANDS)
    assert ServerStatistics().commands == dict.fromkeys(COMMANDS, 0)
