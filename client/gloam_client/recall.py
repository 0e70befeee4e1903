"""What lay where it is out of sight now, level by level, as it was last seen. Pure; a server is asked for nothing of it."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from gloam_shared.view import Item, View

Recall: TypeAlias = Mapping[int, Mapping[int, Item]]
"""The top one of each pile, by depth and cell; the level that was seen last stands last."""

LEVELS_MAX: Final = 128
"""So many levels are kept in mind, the newest."""


def recalled(before: Recall, view: View) -> Recall:
    """Return what is kept in mind after a view: what is in sight as it lies now, all else of this level as it was."""
    depth = view.place.depth
    seen = view.sight
    here = {
        cell: item
        for cell, item in before.get(depth, {}).items()
        if cell < len(seen) and not seen[cell] & 1 and cell != view.cell
    }
    if view.pile:
        top = view.pile[-1]
        here[view.cell] = Item(top.handle, view.cell, len(view.pile), top.glyph, top.colour, top.name)
    here.update((item.cell, item) for item in view.items)
    others = [(level, things) for level, things in before.items() if level != depth]
    return dict([*others, (depth, here)][-LEVELS_MAX:])
