"""Depths and rounds: on the wire and in the world levels are numbered on, round after round. Pure."""

from gloam_shared.limits import DEPTHS_MAX


def depth_of(place: int) -> int:
    """Return the depth, from 1, of a level within its round; `place` is its number, from 1."""
    return (place - 1) % DEPTHS_MAX + 1


def round_of(place: int) -> int:
    """Return the round, from 1, that a level belongs to; `place` is its number, from 1."""
    return (place - 1) // DEPTHS_MAX + 1
