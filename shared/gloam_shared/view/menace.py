"""The means in a fight besides attack and defense, of a creature and of the player, and the kinds of damage. Data only."""

from enum import IntEnum
from typing import NamedTuple

from msgspec import Struct


class DamageKind(IntEnum):
    """The kinds of damage. Resistance to one takes a percentage of it; weakness adds to it."""

    BLOW = 0
    FIRE = 1
    COLD = 2
    VENOM = 3
    LIGHT = 4


class Menace(Struct, frozen=True, array_like=True):
    """The means of a creature besides a blow in each turn, so that its danger can be estimated.

    It acts `speed` times in 1,000 turns. `ranged` is the attack of its shots or throws, `reach` the range in cells of these
    or of its blows: a few items to throw are worth a cell each. Of its first ten turns it spends `casts` on wands and
    spells, which take `magic` health within `spell_range` cells and cost their victim `binds` percent of its own actions.

    `deals` is the `DamageKind` of its blows and shots, `magic_deals` is what most of its magic deals. `resists` are the percentages
    by which damage of each kind is less, more below 0; () for none. Its blows have `might` percent more attack, it gives `pace`
    percent more of them than it acts, and `parries` percent of blows miss it.
    """

    speed: int = 1_000
    ranged: int = 0
    reach: int = 0
    casts: int = 0
    magic: int = 0
    spell_range: int = 0
    binds: int = 0
    deals: int = 0
    magic_deals: int = 0
    resists: tuple[int, ...] = ()
    might: int = 0
    pace: int = 0
    parries: int = 0


class Prowess(NamedTuple):
    """The numbers of a body's powers in a fight of two: types of damage, resistances and habits (rules F108, F111, F113).

    `resists` is () for none. `might`, `pace`, `stuns`, `sweeps` and `parries` are in percent, `length` in cells.
    """

    deals: int = 0
    resists: tuple[int, ...] = ()
    might: int = 0
    pace: int = 0
    length: int = 0
    stuns: int = 0
    sweeps: int = 0
    parries: int = 0
