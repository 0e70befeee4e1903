"""What lies about, level by level: what is out of sight as it was seen last. Pure; `memory` keeps it over runs of the client."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from gloam_shared.view.view import Item, View

ItemMemory: TypeAlias = Mapping[int, Mapping[int, Item]]
"""The top one of each pile, by depth and cell; the level that was seen last stands last."""

LEVELS_MAX: Final = 64
THINGS_MAX: Final = 200
"""The most remembered levels, and the most items on each: the newest, and all in sight."""


def update_item_memory(before: ItemMemory, view: View) -> ItemMemory:
    """Return what is kept in mind after a view: what is in sight as it lies now, all else of this level as it was."""
    depth = view.place.depth
    seen = view.sight
    kept = [
        (cell, item)
        for cell, item in before.get(depth, {}).items()
        if cell < len(seen) and not seen[cell] & 1 and cell != view.cell
    ]
    here = dict(kept[-THINGS_MAX:])
    if view.pile:
        top = view.pile[-1]
        here[view.cell] = Item(
            top.handle, view.cell, len(view.pile), top.glyph, top.colour, top.name, top.traits
        )
    here.update((item.cell, item) for item in view.items)
    others = [(level, things) for level, things in before.items() if level != depth]
    return dict([*others, (depth, here)][-LEVELS_MAX:])


def restore_item_memory(kept: ItemMemory, now: ItemMemory, view: View) -> ItemMemory:
    """Return what was kept of this life together with what was seen since: the newer knowledge of a level goes first."""
    depth = view.place.depth
    both: ItemMemory = {**kept, **{level: things for level, things in now.items() if level != depth}}
    if depth:
        both = update_item_memory({**both, depth: {**kept.get(depth, {}), **now.get(depth, {})}}, view)
    return dict(list(both.items())[-LEVELS_MAX:])
