"""The simulation as a fellowship: kits, cards, lifts, drags, loans and beacons at cuts, crashes and lost disks (rules F96 to F131)."""

import pytest

from support.simulation.players.companies import FELLOWS
from support.simulation.simulate import tell

SECONDS = 75.0
WANTED = frozenset({
    "takes_kit", "takes_card", "goes_down", "lifts", "drags", "gives", "returns", "lights", "begins_at_beacon", "goes_out",
})  # fmt: skip
SEEDS = (13, 14, *range(1, 13))
"""Seeds to look in, rich ones first: with these two each has happened."""


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.rule("F96", "F107", "F128", "F131", "F188", "F189")
def test_fellows_neither_double_nor_lose_anything() -> None:
    """Every checker looks on, until each of these has happened: items in one place, one body a life, each command done once."""
    told = tell(FELLOWS, SECONDS, SEEDS, WANTED)
    assert told.keys() >= WANTED, WANTED - told.keys()
