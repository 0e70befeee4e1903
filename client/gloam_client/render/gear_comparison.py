"""The changes when the player wields or wears another item, in words: "+2 attack, -1 defense". Pure."""

from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.text import clean
from gloam_shared.view.view import InventoryItem, ItemFlag, View

_USES = (
    (ItemFlag.WIELDABLE, ItemFlag.WIELDED, "Wielded"),
    (ItemFlag.WEARABLE, ItemFlag.WORN, "Worn"),
)


def gear_changes(view: View, item: InventoryItem) -> str:
    """Return how wielding or wearing an item changes the player's strengths: "+1 attack (4 of its own)".

    "" for an item that is in use, or for no gear.
    """
    found = _replaced(view, item)
    if found is None:
        return ""
    _, old = found
    before = _strengths(old)
    changes = [
        f"{gain - had:+} {word}"
        for (word, gain), (_, had) in zip(_strengths(item), before, strict=True)
        if gain != had
    ]
    words = ", ".join(changes) or "no change"
    own = [(word, gain) for word, gain in _strengths(item) if gain]
    if not own or not any(had for _, had in before):
        return words
    numbers = str(own[0][1]) if len(own) == len(changes) == 1 else ", ".join(f"{n} {word}" for word, n in own)
    return f"{words} ({numbers} of its own)"


def comparison(view: View, item: InventoryItem) -> str:
    """Return the change as a sentence that names what the item would replace; "" where there is nothing to compare."""
    found = _replaced(view, item)
    if found is None:
        return ""
    word, old = found
    instead = f" instead of {with_definite_article(clean(old.name))}" if old else ""
    return f"{word}{instead}: {gear_changes(view, item)}."


def _replaced(view: View, item: InventoryItem) -> tuple[str, InventoryItem | None] | None:
    """Return how an item would be used, and which item it would replace; None if it cannot be, or is in use."""
    if item.traits & (ItemFlag.WIELDED | ItemFlag.WORN):
        return None
    for fits, used, word in _USES:
        if item.traits & fits:
            return word, next((one for one in view.inventory if one.traits & used), None)
    return None


def _strengths(item: InventoryItem | None) -> tuple[tuple[str, int], ...]:
    if item is None:
        return ("attack", 0), ("defense", 0), ("ranged", 0)
    return ("attack", item.attack), ("defense", item.defence), ("ranged", item.ranged)
