"""Victory, duels, heirs and graves."""

from typing import Final

from gloam_shared.tellings.telling import Telling

TELLINGS: Final[dict[str, Telling]] = {}
