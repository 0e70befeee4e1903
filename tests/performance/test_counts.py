"""Counts of calls in fixed workloads: work that grows is found on any machine, however busy it is."""

import os

import pytest

from benchmarks.counts import count_calls, grown, present_counts, read_table, write_table
from benchmarks.loads import calls
from gloam_shared.geometry import Grid
from gloam_shared.search import reachable


@pytest.mark.thorough
def test_no_workload_calls_more_functions() -> None:
    """On purpose or not: a change that costs more calls writes the table again, and its commit says why."""
    now = present_counts()
    if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
        write_table(now)
        pytest.skip("the table is written again")
    assert grown(read_table(), now) == [], "on purpose? GLOAM_UPDATE_GOLDEN=1 writes the table again"


def test_a_count_that_grows_too_much_is_found() -> None:
    before = {"a": 100, "b": 100, "c": 100, "gone": 1}
    now = {"a": 105, "b": 106, "c": 10, "new": 1}
    assert grown(before, now) == [
        "b: 100 calls became 106",
        "gone: only in one of the tables",
        "new: only in one of the tables",
    ]


def test_figures_have_the_limits_of_the_table() -> None:
    figures = calls({"a": 105, "b": 106, "new": 1}, {"a": 100, "b": 100})
    assert [each.holds for each in figures] == [True, False, True]
    assert [each.limit for each in figures] == ["<= 105", "<= 105", ""]


def test_only_functions_of_gloam_count() -> None:
    grid = Grid(5, 5)
    assert count_calls(lambda: sorted([3, 1], key=lambda each: -each)) == 0
    assert count_calls(lambda: [grid.point(3) for _ in range(7)]) == 7


def test_generators_do_not_count_but_their_calls_do() -> None:
    once = count_calls(lambda: list(reachable(0, lambda _: False, Grid(5, 5))))
    assert once == count_calls(lambda: list(reachable(0, lambda _: False, Grid(5, 5))))
    assert 0 < once < 10
