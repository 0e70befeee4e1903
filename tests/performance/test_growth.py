"""The growth of costs: the exponent that a table shows, and that the smallest sizes can be measured."""

import pytest

from benchmarks.growth.__main__ import table
from benchmarks.growth.measure import Growth, with_players, with_size


@pytest.mark.parametrize(
    ("points", "exponent", "word"),
    [
        (((1, 10), (10, 10)), 0, "steady"),
        (((1, 10), (10, 100), (100, 1_000)), 1, "linear or less"),
        (((1, 10), (10, 1_000)), 2, "more than linear"),
    ],
)
def test_the_exponent_says_how_a_cost_grows(
    points: tuple[tuple[float, float], ...], exponent: float, word: str
) -> None:
    growth = Growth("a turn", "players", points)
    assert growth.exponent == pytest.approx(exponent)
    assert growth.steepest == pytest.approx(exponent)
    assert growth.word == word
    assert table([growth]).splitlines()[1].endswith(f"{exponent:.2f}  {word}")


def test_small_halls_are_measured() -> None:
    players, sizes = with_players((1, 2)), with_size(((40, 20), (60, 20)))
    assert {"a turn", "a view", "a snapshot"} <= {each.cost for each in players}
    assert {"a field of view", "generation"} <= {each.cost for each in sizes}
    assert all(cost > 0 for each in (*players, *sizes) for _, cost in each.points)
