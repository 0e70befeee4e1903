"""The simulation as a vault: plates, levers, altars, locks and cages at cuts, crashes, faults and lost disks (rules F175 to F180)."""

from typing import Final

import pytest

from support.simulation.players.companies import TINKERS
from support.simulation.simulate import tell

SECONDS: Final = 60.0
SEEDS: Final = (42, 1, 26, *range(2, 26))
"""Seeds to look in, rich ones first."""
WANTED: Final = frozenset({"treads", "pulls", "offers", "unlocks", "gate_opens", "gate_shuts"})


@pytest.mark.thorough
@pytest.mark.rule("F175", "F176", "F177", "F178")
def test_devices_follow_their_workers() -> None:
    """Every checker looks on, until each of these has happened: gates are as they are worked, and replays agree."""
    told = tell(TINKERS, SECONDS, SEEDS, WANTED)
    assert told.keys() >= WANTED, WANTED - told.keys()
