"""Absence: the rules for players who do not act: when the body leaves, and which choice is made for them."""

from collections.abc import Sequence
from typing import Final

AWAY_MS: Final = 60_000
"""A player who is silent for this time is marked as away; this does not affect turns."""

UNATTENDED_TURNS_MAX: Final = 10
"""A body without a connection stays on guard for this many turns of its own, unless nothing holds it before."""

DEFAULT_CHOICE_MS: Final = 60_000
"""A level-up choice is made for a player after this time in safety."""

_SENSIBLE: Final = "health"


def leaves(turns_alone: int, *, held: bool) -> bool:
    """Return whether a body without a connection leaves the dungeon after this many turns of its own."""
    return not held or turns_alone >= UNATTENDED_TURNS_MAX


def default_choice(offered: Sequence[str]) -> int | None:
    """Return the level-up choice that is made for a player: health where it is offered; None without an offer."""
    if not offered:
        return None
    return offered.index(_SENSIBLE) if _SENSIBLE in offered else 0
