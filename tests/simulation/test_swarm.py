"""Many seeds of the swarm. `GLOAM_SWARM_SEED=n` runs one of them alone."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.swarm import Swarm

TESTS = Path(__file__).parents[1]
COUNT = 200 if os.environ.get("CI") else 20
ONE = os.environ.get("GLOAM_SWARM_SEED")
SEEDS = [int(ONE)] if ONE else list(range(COUNT))


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_that_must_hold_is_broken(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    swarm = Swarm(seed)
    with caplog.at_level(logging.ERROR):
        try:
            swarm.run()
        except Exception as error:
            raise AssertionError(
                f"{type(error).__name__} at step {swarm.step}: {error}\n"
                f"Once more: GLOAM_SWARM_SEED={seed} python -m pytest tests/simulation/test_swarm.py"
            ) from error
    unexpected = [record for record in caplog.records if "the journal refuses" not in record.getMessage()]

    assert unexpected == [], f"GLOAM_SWARM_SEED={seed}"


def test_chance_and_nothing_else_decides_a_run() -> None:
    assert Swarm(3, steps=80).run().digest == Swarm(3, steps=80).run().digest
    assert Swarm(3, steps=80).run().digest != Swarm(4, steps=80).run().digest


@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_hashing_changes_nothing(seed: int) -> None:
    program = f"from simulation.swarm import Swarm; print(Swarm({seed}, steps=120).run().digest)"
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": f"{TESTS}", "PYTHONHASHSEED": hashing},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("1", "2")
    }

    assert len(told) == 1
