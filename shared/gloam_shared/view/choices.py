"""Level-up choices in a view: what each option adds to, and which choice is next."""

from enum import IntEnum

from msgspec import Struct


class GainKind(IntEnum):
    """The value that a level-up choice adds to. Resistances are in percent."""

    OTHER = 0
    ATTACK = 1
    DEFENCE = 2
    HEALTH = 3
    SIGHT = 4
    MANA = 5
    REGENERATION = 6
    MANA_REGENERATION = 7
    RESIST_BLOW = 8
    RESIST_FIRE = 9
    RESIST_COLD = 10
    RESIST_VENOM = 11
    RESIST_LIGHT = 12


class LevelGain(Struct, frozen=True, array_like=True):
    """The gain of a level-up choice: its `GainKind`, and how much in hundredths of what the sheet shows.

    `also` are further gains of the same choice, each a kind and an amount. A power counts as the gain in health or attack
    that changes as much in a fight of two.
    """

    kind: int
    amount: int
    also: tuple[int, ...] = ()


class Choosing(Struct, frozen=True, array_like=True):
    """The level-up choice that is made next: its title, and the level that it is for; `ChooseFor` names that.

    Both are empty in a campaign without bents.
    """

    title: str = ""
    level: int = 0
