"""Energy: how many actions a turn gives to each creature."""

import pytest

from gloam_server.rules.energy import ACTION_COST, energy_gain


@pytest.mark.parametrize(
    ("speed", "fastest", "expected"),
    [
        (1_000, 1_000, 1_000),
        (2_000, 1_000, 2_000),
        (250, 1_000, 250),
        (1_000, 2_000, 500),
        (2_000, 2_000, 1_000),
        (250, 2_000, 125),
        (1_000, 500, 1_000),
        (1_000, 0, 1_000),
    ],
)
@pytest.mark.rule("F20")
def test_energy_is_counted_against_the_fastest_player(speed: int, fastest: int, expected: int) -> None:
    assert energy_gain(speed, fastest) == expected


@pytest.mark.rule("JG.4")
def test_bat_acts_twice_and_fungus_fourth_turn() -> None:
    """A bat acts twice and a fungus every fourth turn."""
    assert energy_gain(2_000, 1_000) == 2 * ACTION_COST
    assert 4 * energy_gain(250, 1_000) == ACTION_COST
