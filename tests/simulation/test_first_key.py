"""A player who presses only the first key of the bottom line gets somewhere."""

import pytest

from support.run.effort import effort
from support.simulation.first_key import FirstKeyPlayer, median_depth


@pytest.mark.thorough
def test_the_first_key_leads_down() -> None:
    """Of forty lives (`python -m support.simulation.first_key 40`) half reach depth 5. These are fewer."""
    lives = [FirstKeyPlayer(seed).play(keys_max=600, depth_enough=5) for seed in range(1, effort(6, 10))]
    assert median_depth(lives) >= 4, lives
    assert not [life for life in lives if life.by.startswith("stuck")], lives
