"""Regeneration: how health and mana return, and how a starving body loses health.

Pure; it knows only numbers.
"""

from typing import Final, NamedTuple

from gloam_server.content.campaign_schema import RegenerationRules
from gloam_shared.view.view import Hunger

THOUSAND: Final = 1_000
"""The number of parts of a point that rates count."""

_FED: Final = frozenset({Hunger.FULL, Hunger.NOT_HUNGRY, Hunger.HUNGRY})


class RegenerationStep(NamedTuple):
    """The result of an action: points gained, below 0 for points lost, and the remaining part of a point."""

    points: int
    part: int


def by_thousandths(rate: int, part: int) -> RegenerationStep:
    """Return the gain of an action at a rate in thousandths of a point per turn (rule TG.25).

    `part` is what has grown beyond the last whole point, 0 or below: a point is gained as soon as it would rise above
    0, as the first action after a long time does. Below 0 the rate drains, a point for each whole one that it took.
    """
    part += rate
    if rate > 0 and part > 0:
        points = -(-part // THOUSAND)
        return RegenerationStep(points, part - points * THOUSAND)
    if rate < 0 and part < -THOUSAND:
        points = (-part - 1) // THOUSAND
        return RegenerationStep(-points, part + points * THOUSAND)
    return RegenerationStep(0, part)


def from_food(rules: RegenerationRules, hunger: Hunger, hp: int, hp_max: int, part: int) -> RegenerationStep:
    """Return what an action brings to a body that is fed or starves (rule RG.19).

    A player who is not very hungry regains all health in `full_turns`; a starving player loses it in `starving_turns`.
    The part is a fraction of a point in those turns, above 0 for health to gain, below 0 for health to lose.
    """
    if hunger in _FED and hp < hp_max:
        points, left = divmod(max(0, part) + hp_max, rules.full_turns)
        return RegenerationStep(points, left)
    if hunger is Hunger.STARVING:
        points, left = divmod(max(0, -part) + hp_max, rules.starving_turns)
        return RegenerationStep(-points, -left)
    return RegenerationStep(0, 0)


def heals_by_feeding(hunger: Hunger, hp: int, hp_max: int) -> bool:
    """Return whether a body is healing because it is fed: this makes it hungrier (rule RG.18)."""
    return hunger in _FED and hp < hp_max
