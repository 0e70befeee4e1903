"""The order in which the player got their items, so that a short list can show the newest. Pure."""

from gloam_shared.view.view import InventoryItem


def slots_by_age(
    before: tuple[int, ...], old: tuple[InventoryItem, ...], new: tuple[InventoryItem, ...]
) -> tuple[int, ...]:
    """Return the slots of an inventory, those with new items or more of them last; the rest stays in its order."""
    if new is old:
        return before
    had = {thing.slot: (thing.name, thing.count) for thing in old}
    come = [thing.slot for thing in new if _is_more(thing, *had.get(thing.slot, ("", 0)))]
    kept = {thing.slot for thing in new}.difference(come)
    return (*(slot for slot in before if slot in kept), *come)


def _is_more(thing: InventoryItem, name: str, count: int) -> bool:
    return thing.name != name or thing.count > count
