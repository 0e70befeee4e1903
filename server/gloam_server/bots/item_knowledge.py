"""What a bot takes its things and spells for, by their names and words as its view tells them. Pure."""

import re
from enum import Enum, auto
from functools import lru_cache
from typing import Final, TypeAlias

from gloam_server.bots import flags
from gloam_shared.view.view import InventoryItem, Spell


class Use(Enum):
    """What a thing or a spell is good for."""

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

_WORDS: Final[tuple[tuple[Use, str], ...]] = (
    (Use.BAD, r"poison|health into|blood"),
    (Use.LEARN, r"teaches|experience|insight"),
    (Use.ALLY, r"to your side|comes? to help"),
    (Use.MANA, r"mana\b"),
    (Use.CURE, r"\bends poison|\bcure"),
    (Use.HARM, r"damage|missile|fireball|lightning|bolt"),
    (Use.HEAL, r"heal|closes|wounds"),
    (Use.ESCAPE, r"takes you|blink|teleport"),
    (Use.HINDER, r"sleep|flee|slowed|binds|weakens"),
    (
        Use.STRENGTHEN,
        r"attack \+|defen[cs]e \+|more often|half as often|warrior|strength|might|haste|stoneskin",
    ),
    (Use.MAP, r"shows|map"),
)


def use_of(magic: Magic) -> Use:
    """Return what a thing that can be quaffed or read, or a spell, is good for."""
    return _use(magic.name, magic.words, magic.target)


def is_known(thing: InventoryItem) -> bool:
    """Return whether it is known what quaffing or reading a thing does."""
    return use_of(thing) is not Use.UNKNOWN


def in_use(thing: InventoryItem) -> bool:
    """Return whether a thing is wielded or worn."""
    return bool(thing.traits & (flags.WIELDED | flags.WORN))


def is_magic(thing: InventoryItem) -> bool:
    """Return whether a thing is used up by quaffing or reading it."""
    return bool(thing.traits & (flags.QUAFFABLE | flags.READABLE))


@lru_cache(maxsize=1_024)
def _use(name: str, words: str, target: str) -> Use:
    text = f"{name} {words}".lower()
    found = next((use for use, pattern in _WORDS if re.search(pattern, text)), None)
    if found is None:
        return Use.OTHER if words else Use.UNKNOWN
    if found is Use.HEAL and target == "creature":
        return Use.HEAL_OTHER
    if found is Use.BAD and target not in ("", "self"):
        return Use.HARM
    return found
