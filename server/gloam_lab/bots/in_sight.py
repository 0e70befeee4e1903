"""The creatures in a view, sorted by what they are to the bot: it asks for them several times in a decision. Pure."""

from typing import Final, NamedTuple

from gloam_lab.bots import flags
from gloam_lab.bots.kept import Kept
from gloam_shared.view.view import Creature

_SIDES: Final = flags.PLAYER | flags.SELF | flags.HOSTILE
"""A friend has only the first of these marks."""


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
    own_marks: int
    """The bot's own marks; 0 if the view does not show it."""


def _sort(creatures: tuple[Creature, ...]) -> InSight:
    # Few, also in a crowd: most sides have no one, and need no further look.
    kinds = {each.marks for each in creatures}

    def pick(wanted: set[int]) -> tuple[Creature, ...]:
        return tuple([each for each in creatures if each.marks in wanted]) if wanted else ()

    own = pick({each for each in kinds if each & flags.SELF})
    return InSight(
        pick({each for each in kinds if each & _SIDES == flags.PLAYER}),
        pick({each for each in kinds if each & flags.HOSTILE}),
        pick({each for each in kinds if each & flags.HOLDS_YOU}),
        own[0].name if own else "",
        own[0].marks if own else 0,
    )


in_sight: Final = Kept(_sort, 64)
"""Returns the creatures of a view, sorted."""
