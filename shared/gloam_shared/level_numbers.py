"""Depths and rounds: on the wire and in the world levels are numbered on, round after round. Pure."""

from typing import Final

from gloam_shared.limits import DEPTHS_MAX, PLACES_MAX

ROUNDS_MAX: Final = (PLACES_MAX - 1) // DEPTHS_MAX
"""There are no more rounds than numbers for their levels; number 0 is the realm's own."""


def place_at(round_: int, depth: int) -> int:
    """Return the number of the level at a depth (from 1) of a round (from 1)."""
    return (round_ - 1) * DEPTHS_MAX + depth


def depth_of_level(place: int) -> int:
    """Return the depth, from 1, of a level within its round; `place` is its number, from 1."""
    return (place - 1) % DEPTHS_MAX + 1


def round_of_level(place: int) -> int:
    """Return the round, from 1, that a level belongs to; `place` is its number, from 1."""
    return (place - 1) // DEPTHS_MAX + 1
