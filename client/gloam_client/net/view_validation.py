"""Whether a view can be shown at all: a server is not trusted to send only views that its own levels could give."""

from typing import Final

from gloam_shared.view.view import View

_SLOTS: Final = 26
"""Things that are carried are named by the letters from a to z."""


def is_valid_view(view: View) -> bool:
    """Return whether all that a view tells has a place in it: creatures and things on the level, what is carried in slots.

    A life may end before any level was shown; then there is none, and nothing stands on it.
    """
    place = view.place
    cells = range(place.width * place.height)
    return (
        (place.width > 0) == (place.height > 0)
        and all(creature.cell in cells for creature in view.creatures)
        and all(item.cell in cells for item in view.items)
        and all(0 <= thing.slot < _SLOTS for thing in view.inventory)
    )
