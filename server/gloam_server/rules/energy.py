"""Energy: how speed becomes actions. An action costs 1,000; a turn is one action of the fastest player in it."""

from typing import Final

ACTION_COST: Final = 1_000
"""The energy that one action costs."""

BASE_SPEED: Final = 1_000
"""The speed of a human; no turn is counted by a slower one."""


def energy_gain(speed: int, fastest_player_speed: int) -> int:
    """Return the energy that a body gains in a turn, given the speed of its fastest player (0 without players)."""
    # Each body of each turn asks: a comparison takes half the time of max.
    base = fastest_player_speed if fastest_player_speed > BASE_SPEED else BASE_SPEED  # noqa: FURB136
    return speed * ACTION_COST // base
