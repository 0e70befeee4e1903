"""Expected blows between a creature and a player of equal level: from the formulas, without playing.

The numbers of a kind can be set by it in a second; the tables of played lives take hours.
"""

from fractions import Fraction
from typing import Final, NamedTuple

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.rules.combat import mean_damage
from gloam_server.rules.growth import scale_stat

PLAYERS: Final = {
    1: (806, 400, 31),
    9: (1310, 740, 60),
    15: (1800, 1090, 81),
    20: (2430, 1450, 98),
    25: (2830, 1720, 117),
}
"""Attack, defense (hundredths) and health of players of some levels with what they wore: means of played lives."""


class Fighter(NamedTuple):
    """The numbers that count in a fight with blows; attack and defense in the campaign's units."""

    attack: int
    defence: int
    hp: int


def player_at(level: int) -> Fighter:
    """Return a player of a level with usual gear: between the measured levels and beyond them by a straight line."""
    known = sorted(PLAYERS)
    low = max([each for each in known[:-1] if each <= level])
    high = known[known.index(low) + 1]
    first, second = PLAYERS[low], PLAYERS[high]
    return Fighter(*(a + (b - a) * (level - low) // (high - low) for a, b in zip(first, second, strict=True)))


def creature_at(campaign: Campaign, kind: CreatureKind, level: int) -> Fighter:
    """Return a creature of a kind as it appears at a level: its points spread evenly over what it may choose."""
    rules = campaign.experience
    percent = rules.factor_percent if kind.factor_percent is None else kind.factor_percent
    options = campaign.gains_of(kind.key)
    levels = max(0, level - kind.level) if kind.grows else 0
    points = levels * (rules.points_per_level if kind.points_per_level is None else kind.points_per_level)

    def at(base: int, gain: str, each: int) -> int:
        return scale_stat(base, percent, levels + 1) + (
            points * each // len(options) if gain in options else 0
        )

    return Fighter(
        at(kind.attack, "attack", rules.gains.attack),
        at(kind.defence, "defence", rules.gains.defence),
        at(kind.hp, "health", rules.gains.health),
    )


def blows(campaign: Campaign, striker: Fighter, struck: Fighter) -> Fraction:
    """Return how many blows, misses included, a fight of one side takes on the mean.

    The last blow does on the mean half a blow more than it needs, so half a blow is added.
    """
    done, parts = mean_damage(campaign.combat.scale, striker.attack, struck.defence)
    landed = Fraction(done * (100 - campaign.combat.miss_percent), parts * 100)
    return Fraction(struck.hp) / landed + Fraction(1, 2)
