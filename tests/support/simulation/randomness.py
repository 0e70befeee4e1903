"""The one source of randomness in the simulation: a run's seed decides everything that happens in it."""

from random import Random as Chance  # noqa: TID251  # seeded by the test, and nowhere else in use

__all__ = ["Chance"]
