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


def test_long_tests_of_one_group_stay_together() -> None:
    ordered = longest_first(range(40), lambda number: number < 12, 3, lambda number: number // 4)

    assert [ordered.index(number) for number in (0, 4, 8)] == [0, 13, 26]
    assert all(ordered.index(number) == ordered.index(number - 1) + 1 for number in range(12) if number % 4)
