"""A player who presses only the first key of the bottom line gets somewhere."""

import pytest

from support.simulation.first_key import FirstKeyPlayer, median_depth


@pytest.mark.thorough
@pytest.mark.unchecked
def test_the_first_key_leads_down() -> None:
    """Of 24 lives, seeds 1 to 24, half reach depth 5. These are fewer; 1, 13, 14 and 15 once stood still until the end."""
    lives = [FirstKeyPlayer(seed).play(keys_max=600, depth_enough=5) for seed in (1, 9, 13, 14, 15)]
    assert median_depth(lives) >= 4, lives
    assert not [life for life in lives if life.by.startswith("stuck")], lives
