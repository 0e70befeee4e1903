"""The default bound of a simulated life, which the command line shows without the rest of this package."""

from typing import Final

TURNS_MAX: Final = 40_000
"""The number of actions after which a life counts as still alive."""
