"""Numbers for creatures, things and levels: realm-wide, never used again, and given out without asking anybody else."""

from typing import Final

from gloam_shared.limits import PLACES_MAX

REALM_PARTITION: Final = 0
"""The realm's own place in the journal; levels are places 1, 2, ... by their depth, those of each further round behind."""


def new_id(place: int, counter: int) -> int:
    """Return the `counter`-th number (from 1) that the state machine at `place` gives out."""
    return counter * PLACES_MAX + place


def partition_of_id(number: int) -> int:
    """Return the place of the state machine that gave out a number."""
    return number % PLACES_MAX
