"""Spells, potions, scrolls, and the states that they bring."""

from typing import Final

from gloam_shared.tellings.telling import Telling

TELLINGS: Final[dict[str, Telling]] = {}
