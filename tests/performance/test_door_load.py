"""The load test of a door: a few visitors reach their levels, walk, and get an answer to each key."""

from pathlib import Path

import pytest

from benchmarks.at_door.door_load import measure_door
from benchmarks.at_door.page_fleet import PageOptions

SMALL = PageOptions(visitors=4, levels=2, rate=4.0, warm_s=0.5, seconds=3.0)


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_visitors_spread_and_walk(tmp_path: Path) -> None:
    load = measure_door(tmp_path, SMALL)
    assert (load.tally["in_play"], load.tally["levels"], load.tally["byes"]) == (4, 2, [])
    assert load.tally["keys"] >= 4 * 4 * 3 - 8
    assert len(load.tally["takes"]) >= load.tally["keys"] * 0.8
    assert load.tally["frames"] >= len(load.tally["takes"])
    assert load.cpu_s > 0
