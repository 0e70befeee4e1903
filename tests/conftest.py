"""Hypothesis profiles: small while one works, larger and without chance where CI is set."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=25, deadline=None, database=None)
settings.register_profile(
    "ci",
    max_examples=300,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],  # a slow machine is no fault of the code
)
settings.load_profile("ci" if os.environ.get("CI") else "default")
