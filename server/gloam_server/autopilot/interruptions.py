"""Chat lines and pings that end a player's plan."""

import re
from typing import Final

from gloam_shared import text

_WORD: Final = re.compile("[a-z0-9]+")
_URGENT: Final = frozenset({"come", "danger"})
"""Pings that end the plans of the other players on the level."""


def is_urgent(ping: str) -> bool:
    """Return whether a ping ends the plans of the others on its level."""
    return ping in _URGENT


def is_addressed(name: str, words: str) -> bool:
    """Return whether a line of chat names a player, whose plan it ends."""
    return text.fold(name) in _WORD.findall(text.fold(words))
