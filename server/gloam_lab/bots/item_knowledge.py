"""The purposes that a bot assumes for items and spells, by the effects in its view. Pure."""

from enum import Enum, auto
from typing import Final, TypeAlias

from gloam_lab.bots import flags
from gloam_shared.view.view import InventoryItem, MagicEffect, Spell


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
"""The uses of effects on the bot itself; an effect without a row is of no use to a bot."""

_USES_ON_OTHERS: Final[dict[int, ItemUse]] = _USES | {
    MagicEffect.HARM: ItemUse.HARM,
    MagicEffect.DRAIN: ItemUse.HARM,
    MagicEffect.WEAKEN: ItemUse.HINDER,
    MagicEffect.SLEEP: ItemUse.HINDER,
    MagicEffect.FEAR: ItemUse.HINDER,
    MagicEffect.SILENCE: ItemUse.HINDER,
    MagicEffect.TELEPORT: ItemUse.HINDER,
    MagicEffect.PUSH: ItemUse.HINDER,
}
"""The same for an effect that is aimed."""


def classify_item(magic: Magic) -> ItemUse:
    """Return the purpose of a potion, a scroll or a spell."""
    uses = _USES if magic.target in ("", "self") else _USES_ON_OTHERS
    use = uses.get(magic.effect, ItemUse.OTHER)
    return ItemUse.HEAL_OTHER if use is ItemUse.HEAL and magic.target == "creature" else use


def is_in_use(item: InventoryItem) -> bool:
    """Return whether an item is wielded or worn."""
    return bool(item.traits & (flags.WIELDED | flags.WORN))


def is_magic(item: InventoryItem) -> bool:
    """Return whether quaffing or reading uses an item up."""
    return bool(item.traits & (flags.QUAFFABLE | flags.READABLE))
