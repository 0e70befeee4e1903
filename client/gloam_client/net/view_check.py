"""The check of a server's view: a client draws only what fits its level."""

from operator import attrgetter
from typing import Final

from gloam_shared.view.view import View

_CELL: Final = attrgetter("cell")
_SLOTS: Final = 26
"""Inventory slots are the letters from a to z."""


def is_valid_view(view: View) -> bool:
    """Return whether all creatures and items of a view are on the level, and all carried items in slots.

    A life may end before any level was shown; then there is no level, and nothing may be on it.
    """
    place = view.place
    cells = range(place.width * place.height)
    return (
        (place.width > 0) == (place.height > 0)
        and all(map(cells.__contains__, map(_CELL, view.creatures)))
        and all(map(cells.__contains__, map(_CELL, view.items)))
        and all(0 <= item.slot < _SLOTS for item in view.inventory)
    )
