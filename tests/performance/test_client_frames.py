"""The cost of a frame to the client, counted in bytes: a busy machine does not change these numbers."""

import statistics

from benchmarks.client_frames import costs, recorded
from support.run.effort import effort


def test_a_step_costs_few_bytes() -> None:
    """A step costs at most 400 bytes on average, exploring and fighting, at 80x24 with 256 colors."""
    spent = costs(recorded("jsrogue", 3, effort(80, 1_000)))
    assert len(spent.sizes) >= 80
    assert 20 <= statistics.mean(spent.sizes) <= 400
    assert spent.paint_ms > 0
