"""The check mode finds each kept value that no input renews: one is made stale on purpose, and the simulation ends."""

from collections.abc import Sequence
from typing import Any

import pytest

from gloam_server.engine.turns.level_status import LevelStatus
from gloam_server.world.combat.hostility import possible_enemies
from gloam_server.world.effects import map_memory
from gloam_server.world.model.level_caches import NearestCells
from gloam_shared.appearance import Terrain
from gloam_shared.kept import Kept, checking
from support.run.fault_seam import FaultSeam
from support.scenarios.scenario import Scenario
from support.simulation.simulate import Broken, Simulation

SECONDS = 60.0
SEEDS = (8, 1, 2, 5)
"""Nearly all need only the first."""
KEPT = (
    "the bodies of these levels",
    "the inventory of a player",
    "the items on the ground for a player",
    "the own body of a player",
    "the players of a level",
    "the players who wait",
    "the record of a creature",
    "the turn groups of a level",
)


def live_through(seeds: Sequence[int]) -> None:
    for seed in seeds:
        Simulation(seed, SECONDS).run()


def never_renew(name: str, seam: FaultSeam) -> None:
    """Let the kept values of one name be the first ones for ever."""
    real = Kept.get

    def get(self: Kept[Any], objects: Any, values: Any, *more: Any) -> Any:
        if self.name == name and self.value is not None:
            self._objects, self._values = objects, values
        return real(self, objects, values, *more)

    seam.plant(real, get)


@pytest.mark.parametrize("name", KEPT)
def test_a_stale_value_is_found(name: str, seam: FaultSeam) -> None:
    never_renew(name, seam)
    with pytest.raises((Broken, AssertionError), match=rf"{name}: .* is kept as"):
        live_through(SEEDS)


def test_stale_foes_are_found() -> None:
    """A creature changes sides without a note."""
    scenario, stale = Scenario("#1rk#", k="kobold", r="kobold"), list[str]()
    with checking(stale.append):
        possible_enemies(scenario.level, scenario["k"])
        scenario["r"].ally = True
        possible_enemies(scenario.level, scenario["k"])
    assert len(stale) == 1
    assert stale[0].startswith("the certain foes of a kind: it is kept as")


def test_a_stale_light_is_found() -> None:
    """A body gets a torch without a note."""
    scenario, stale = Scenario("#1..#", dark=True), list[str]()
    torch = scenario._made("torch")
    with checking(stale.append):
        scenario.level.field_of_view(scenario["1"])
        scenario["1"].slots[0] = torch
        scenario.level.field_of_view(scenario["1"])
    assert len(stale) == 1
    assert stale[0].startswith("the lights that bodies carry: radii is kept as {}")


def test_stale_nearest_cells_are_found(seam: FaultSeam) -> None:
    """The cells around stairs were found while a wall stood; no note tells that it is gone."""
    scenario = Scenario("#1.#..#")
    level, stale = scenario.level, list[str]()
    seam.plant(NearestCells.clear, lambda _: None)
    with checking(stale.append):
        assert level.nearest_cell(1, lambda cell: cell == 4) == 4
        level.dig(3, Terrain.FLOOR)
        level.nearest_cell(1, lambda cell: cell > 2)
    assert stale == ["the nearest cells: it is kept as None, and now is 3"]


def test_stale_map_memory_is_found(seam: FaultSeam) -> None:
    scenario, stale = Scenario("#1..#"), list[str]()
    scenario.level.memory[scenario["1"].number] = bytearray(scenario.level.grid.size)
    seam.plant(map_memory._write_cells, lambda *_: None, within=map_memory)
    with checking(stale.append):
        scenario.go("1", (1, 0))
    assert stale
    assert stale[0].startswith("the sights in map memory: it is kept as []")


def test_a_stale_status_is_found(seam: FaultSeam) -> None:
    seam.plant(LevelStatus.is_current, lambda *_: True)
    with pytest.raises(Broken, match=r"the status of a level: .* is kept as"):
        live_through(SEEDS)
