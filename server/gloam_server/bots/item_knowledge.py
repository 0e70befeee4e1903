"""What a bot takes its items and spells for, by the effects that its view shows. Pure."""

from enum import Enum, auto
from typing import Final, TypeAlias

from gloam_server.bots import flags
from gloam_shared.view.view import InventoryItem, MagicEffect, Spell


class ItemUse(Enum):
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

_USES: Final[dict[int, ItemUse]] = {
    MagicEffect.NONE: ItemUse.UNKNOWN,
    MagicEffect.HEAL: ItemUse.HEAL,
    MagicEffect.REGENERATE: ItemUse.HEAL,
    MagicEffect.MANA: ItemUse.MANA,
    MagicEffect.CURE: ItemUse.CURE,
    MagicEffect.STRENGTHEN: ItemUse.STRENGTHEN,
    MagicEffect.BLINK: ItemUse.ESCAPE,
    MagicEffect.TELEPORT: ItemUse.ESCAPE,
    MagicEffect.SUMMON: ItemUse.ALLY,
    MagicEffect.LEARN: ItemUse.LEARN,
    MagicEffect.DETECT: ItemUse.MAP,
    MagicEffect.MAP: ItemUse.MAP,
    MagicEffect.HARM: ItemUse.BAD,
    MagicEffect.DRAIN: ItemUse.BAD,
    MagicEffect.BLOOD_TO_MANA: ItemUse.BAD,
    MagicEffect.WEAKEN: ItemUse.BAD,
    MagicEffect.SLEEP: ItemUse.BAD,
    MagicEffect.FEAR: ItemUse.BAD,
    MagicEffect.SILENCE: ItemUse.BAD,
}
"""What an effect on oneself is good for; an effect without a row is of no use to a bot."""

_USES_ON_OTHERS: Final[dict[int, ItemUse]] = _USES | {
    MagicEffect.HARM: ItemUse.HARM,
    MagicEffect.DRAIN: ItemUse.HARM,
    MagicEffect.WEAKEN: ItemUse.HINDER,
    MagicEffect.SLEEP: ItemUse.HINDER,
    MagicEffect.FEAR: ItemUse.HINDER,
    MagicEffect.SILENCE: ItemUse.HINDER,
}
"""The same for an effect that is aimed."""


def classify_item(magic: Magic) -> ItemUse:
    """Return what a thing that can be quaffed or read, or a spell, is good for."""
    uses = _USES if magic.target in ("", "self") else _USES_ON_OTHERS
    use = uses.get(magic.effect, ItemUse.OTHER)
    return ItemUse.HEAL_OTHER if use is ItemUse.HEAL and magic.target == "creature" else use


def is_known(thing: InventoryItem) -> bool:
    """Return whether it is known what quaffing or reading a thing does."""
    return classify_item(thing) is not ItemUse.UNKNOWN


def is_in_use(thing: InventoryItem) -> bool:
    """Return whether a thing is wielded or worn."""
    return bool(thing.traits & (flags.WIELDED | flags.WORN))


def is_magic(thing: InventoryItem) -> bool:
    """Return whether a thing is used up by quaffing or reading it."""
    return bool(thing.traits & (flags.QUAFFABLE | flags.READABLE))
