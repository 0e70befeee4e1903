"""Depths and rounds: on the wire and in the world, the numbers of levels continue from round to round. Pure."""

from typing import Final

from gloam_shared.limits import DEPTHS_MAX, PLACES_MAX

ROUNDS_MAX: Final = (PLACES_MAX - 1) // DEPTHS_MAX
"""The last round whose levels still have numbers; number 0 is the realm's."""


def place_at(round_: int, depth: int) -> int:
    """Return the number of the level at a depth (from 1) of a round (from 1)."""
    return (round_ - 1) * DEPTHS_MAX + depth


def depth_of_level(place: int) -> int:
    """Return the depth, from 1, of a level within its round; `place` is its number, from 1."""
    return (place - 1) % DEPTHS_MAX + 1


def round_of_level(place: int) -> int:
    """Return the round, from 1, that a level belongs to; `place` is its number, from 1."""
    return (place - 1) // DEPTHS_MAX + 1
