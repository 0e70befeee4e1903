"""Hypothesis profiles: small while one works, larger and without chance where CI is set."""

import os

import pytest
from hypothesis import HealthCheck, settings

import gloam_client.doctor
import gloam_client.screens.menu  # noqa: F401  # see below

SLOW_IS_NO_FAULT = [HealthCheck.too_slow]
"""The machine may be busy with other things."""

settings.register_profile(
    "default", max_examples=25, deadline=None, database=None, suppress_health_check=SLOW_IS_NO_FAULT
)
# Examples follow from the values that stand in the modules loaded so far: those that are loaded late are loaded above.
settings.register_profile(
    "ci",
    max_examples=300,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=SLOW_IS_NO_FAULT,
)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Return how many processes run tests: half as many again as there are cores, for many tests wait for others' deadlines."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else len(os.sched_getaffinity(0)) * 3 // 2
