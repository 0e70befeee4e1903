"""Numbers for creatures, things and levels: realm-wide, never used again, and given out without asking anybody else."""

from typing import Final

from gloam_shared.limits import DEPTHS_MAX

_PLACES: Final = 1_024

ROUNDS_MAX: Final = (_PLACES - 1) // DEPTHS_MAX
"""There are no more rounds than places for their levels."""

REALM_PLACE: Final = 0
"""The realm's own place in the journal; levels are places 1, 2, ... by their depth, those of each further round behind."""


def mint(place: int, counter: int) -> int:
    """Return the `counter`-th number (from 1) that the state machine at `place` gives out."""
    return counter * _PLACES + place


def place_at(round_: int, depth: int) -> int:
    """Return the place of a depth (from 1) of a round (from 1)."""
    return (round_ - 1) * DEPTHS_MAX + depth


def place_of(number: int) -> int:
    """Return the place of the state machine that gave out a number."""
    return number % _PLACES
