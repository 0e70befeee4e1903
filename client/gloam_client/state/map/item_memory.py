"""The known floor items, level by level: those out of sight as last seen.

Pure; `memory` keeps it over runs of the client.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from gloam_shared.view.view import Item, View

ItemMemory: TypeAlias = Mapping[int, Mapping[int, Item]]
"""The top item of each pile, by depth and cell; the level seen last is last."""

LEVELS_MAX: Final = 64
THINGS_MAX: Final = 200
"""The most remembered levels, and the most items on each, besides those in sight."""


def update_item_memory(before: ItemMemory, view: View) -> ItemMemory:
    """Return the memory after a view: items in sight as they are now, all others of this level unchanged."""
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
    others = [(level, items) for level, items in before.items() if level != depth]
    return dict([*others, (depth, here)][-LEVELS_MAX:])


def restore_item_memory(kept: ItemMemory, now: ItemMemory, view: View) -> ItemMemory:
    """Return the stored memory of this life with newer memory, which takes precedence for its levels."""
    depth = view.place.depth
    both: ItemMemory = {**kept, **{level: items for level, items in now.items() if level != depth}}
    if depth:
        both = update_item_memory({**both, depth: {**kept.get(depth, {}), **now.get(depth, {})}}, view)
    return dict(list(both.items())[-LEVELS_MAX:])
