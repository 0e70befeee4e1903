"""Doors, traps, light, and special places."""

from typing import Final

from gloam_shared.tellings.telling import Telling

TELLINGS: Final[dict[str, Telling]] = {}
