"""Long tests begin first in each process."""

import pytest

from support.run.ordering import longest_first


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
@pytest.mark.parametrize("count", [0, 5, 100, 101, 103])
def test_share_begins_long_tests_and_run_once(count: int, processes: int) -> None:
    """Each share begins with long tests and all are run once."""
    ordered = longest_first(range(count), lambda number: number % 11 == 3, processes)
    assert sorted(ordered) == list(range(count))
    if count >= 100:
        shares, rest = [], ordered
        for left in range(processes, 0, -1):
            shares.append(rest[: len(rest) // left])
            rest = rest[len(rest) // left :]
        assert all(share[0] % 11 == 3 for share in shares)


def test_every_second_share_begins_with_those_who_wait() -> None:
    """Five groups of four tests wait: three begin in the first share, and two in the third."""
    ordered = longest_first(range(80), lambda _: False, 4, lambda test: test // 4 if test < 20 else None)
    places = [ordered.index(test) for test in range(20)]
    assert sorted(ordered) == list(range(80))
    assert [places[first] for first in range(0, 20, 4)] == [0, 40, 4, 44, 8]
    assert all(places[test] == places[test - 1] + 1 for test in range(20) if test % 4)
