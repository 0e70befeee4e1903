"""What monsters do that players do not: stealing, calling, growing."""

from typing import Final

from gloam_shared.tellings.telling import Telling

TELLINGS: Final[dict[str, Telling]] = {}
