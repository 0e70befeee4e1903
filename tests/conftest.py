"""Hypothesis profiles: small while one works, larger and without chance where CI is set."""

import os

from hypothesis import HealthCheck, settings

SLOW_IS_NO_FAULT = [HealthCheck.too_slow]
"""The machine may be busy with other things."""

settings.register_profile(
    "default", max_examples=25, deadline=None, database=None, suppress_health_check=SLOW_IS_NO_FAULT
)
settings.register_profile(
    "ci",
    max_examples=300,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=SLOW_IS_NO_FAULT,
)
settings.load_profile("ci" if os.environ.get("CI") else "default")
