"""The check mode finds each kept value that no input renews: one is made stale on purpose, and the simulation ends."""

from collections.abc import Callable
from typing import Any

import pytest

from gloam_server.engine.turns.level_status import LevelStatus
from gloam_shared.kept import Kept
from support.run.fault_seam import FaultSeam
from support.simulation.simulate import Broken, Simulation

SECONDS = 60.0
KEPT = (
    "the bodies in play",
    "the players of a level",
    "the players who wait",
)


def never_renew(name: str, seam: FaultSeam) -> None:
    """Let the kept values of one name be the first ones for ever, whatever their inputs are."""
    real = Kept.get

    def get(self: Kept[Any], objects: Any, values: Any, compute: Callable[[Any], Any]) -> Any:
        if self.name == name and self.value is not None:
            self._objects, self._values = objects, values
        return real(self, objects, values, compute)

    seam.plant(real, get)


@pytest.mark.parametrize("name", KEPT)
def test_a_stale_value_is_found(name: str, seam: FaultSeam) -> None:
    never_renew(name, seam)
    with pytest.raises((Broken, AssertionError), match=rf"{name}: .* is kept as"):
        Simulation(1, SECONDS).run()


def test_a_stale_status_is_found(seam: FaultSeam) -> None:
    seam.plant(LevelStatus.is_current, lambda *_: True)
    with pytest.raises(Broken, match=r"the status of a level: .* is kept as"):
        Simulation(1, SECONDS).run()
