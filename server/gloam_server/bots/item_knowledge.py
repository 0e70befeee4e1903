"""The purposes that a bot assumes for items and spells, by names and descriptions in its view. Pure."""

import re
from enum import Enum, auto
from functools import lru_cache
from typing import Final, TypeAlias

from gloam_server.bots import flags
from gloam_shared.view.view import InventoryItem, Spell


class ItemUse(Enum):
    """The purpose of an item or a spell."""

    HEAL = auto()
    HEAL_OTHER = auto()
    STRENGTHEN = auto()
    ESCAPE = auto()
    HARM = auto()
    HINDER = auto()
    ALLY = auto()
    LEARN = auto()
    MANA = auto()
    CURE = auto()
    MAP = auto()
    BAD = auto()
    OTHER = auto()
    UNKNOWN = auto()


Magic: TypeAlias = InventoryItem | Spell

_WORDS: Final[tuple[tuple[ItemUse, str], ...]] = (
    (ItemUse.BAD, r"poison|health into|blood"),
    (ItemUse.LEARN, r"teaches|experience|insight"),
    (ItemUse.ALLY, r"to your side|comes? to help"),
    (ItemUse.MANA, r"mana\b"),
    (ItemUse.CURE, r"\bends poison|\bcure"),
    (ItemUse.HARM, r"damage|missile|fireball|lightning|bolt"),
    (ItemUse.HEAL, r"heal|closes|wounds"),
    (ItemUse.ESCAPE, r"takes you|blink|teleport"),
    (ItemUse.HINDER, r"sleep|flee|slowed|binds|weakens"),
    (
        ItemUse.STRENGTHEN,
        r"attack \+|defen[cs]e \+|more often|half as often|warrior|strength|might|haste|stoneskin",
    ),
    (ItemUse.MAP, r"shows|map"),
)


def classify_item(magic: Magic) -> ItemUse:
    """Return the purpose of a potion, a scroll or a spell."""
    return _use(magic.name, magic.words, magic.target)


def is_known(thing: InventoryItem) -> bool:
    """Return whether the effect of quaffing or reading an item is known."""
    return classify_item(thing) is not ItemUse.UNKNOWN


def is_in_use(thing: InventoryItem) -> bool:
    """Return whether an item is wielded or worn."""
    return bool(thing.traits & (flags.WIELDED | flags.WORN))


def is_magic(thing: InventoryItem) -> bool:
    """Return whether quaffing or reading uses an item up."""
    return bool(thing.traits & (flags.QUAFFABLE | flags.READABLE))


@lru_cache(maxsize=1_024)
def _use(name: str, words: str, target: str) -> ItemUse:
    text = f"{name} {words}".lower()
    found = next((use for use, pattern in _WORDS if re.search(pattern, text)), None)
    if found is None:
        return ItemUse.OTHER if words else ItemUse.UNKNOWN
    if found is ItemUse.HEAL and target == "creature":
        return ItemUse.HEAL_OTHER
    if found is ItemUse.BAD and target not in ("", "self"):
        return ItemUse.HARM
    return found
