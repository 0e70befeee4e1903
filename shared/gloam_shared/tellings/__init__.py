"""Every kind of log line and how it is told, gathered from one module for each family of rules."""

from typing import Final

from gloam_shared.tellings import bodies, endings, magic, minds, missiles, places
from gloam_shared.tellings.telling import Telling

__all__ = ["TELLINGS", "Telling"]

TELLINGS: Final[dict[str, Telling]] = {
    **bodies.TELLINGS,
    **missiles.TELLINGS,
    **magic.TELLINGS,
    **minds.TELLINGS,
    **places.TELLINGS,
    **endings.TELLINGS,
}
