"""What is thrown and shot."""

from typing import Final

from gloam_shared.tellings.telling import Telling

TELLINGS: Final[dict[str, Telling]] = {}
