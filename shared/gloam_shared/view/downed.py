"""Downed players in a view: the turns that they have left are in their marks, above all flags."""

from typing import Final

from gloam_shared.view.view import CreatureFlag

_BITS: Final = 16
"""The place of the turns in the marks."""
_DOWN: Final = int(CreatureFlag.DOWN)
"""A plain number: a flag itself is slow to compare, and this one is compared for each creature of each frame."""


def marks_of_downed(turns: int) -> int:
    """Return the marks of a player who is down for some more turns."""
    return CreatureFlag.DOWN | max(turns, 0) << _BITS


def turns_left_words(turns: int) -> str:
    """Return a number of turns in words: "1 turn", "7 turns"."""
    return f"{turns} turn{'' if turns == 1 else 's'}"


def turns_down(marks: int) -> int:
    """Return the turns that a downed player has left, by their marks; 0 for all others."""
    return marks >> _BITS if marks & _DOWN else 0
