"""The creatures in a view, sorted by what they are to the bot: it asks for them several times in a decision. Pure."""

from typing import Final, NamedTuple

from gloam_server.bots import flags
from gloam_server.bots.kept import Kept
from gloam_shared.view.view import Creature

_NOTED: Final = flags.PLAYER | flags.HOSTILE | flags.HOLDS_YOU


class InSight(NamedTuple):
    """The creatures in one view, each list in the order of the view."""

    friends: tuple[Creature, ...]
    """The friendly players, without the bot itself."""
    enemies: tuple[Creature, ...]
    """All hostile creatures, also those that are asleep, and hostile players."""
    holders: tuple[Creature, ...]
    """The creatures that hold the bot."""
    own_name: str
    """The bot's name; "" if the view does not show it."""


def _sort(creatures: tuple[Creature, ...]) -> InSight:
    noted = [each for each in creatures if each.marks & _NOTED]
    friendly = [each for each in noted if not each.marks & (flags.SELF | flags.HOSTILE)]
    return InSight(
        tuple([each for each in friendly if each.marks & flags.PLAYER]),
        tuple([each for each in noted if each.marks & flags.HOSTILE]),
        tuple([each for each in noted if each.marks & flags.HOLDS_YOU]),
        next((each.name for each in creatures if each.marks & flags.SELF), ""),
    )


in_sight: Final = Kept(_sort, 64)
"""Returns the creatures of a view, sorted."""
