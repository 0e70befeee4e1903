"""Growth: the award for a kill, the thresholds of levels, and their healing.

One set of formulas for every creature.

Integers only: the powers of one half and one quarter are whole-number square roots, exact at any size.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import isqrt
from typing import Final

from msgspec import Struct

from gloam_server.content.campaign_schema import Award, ExperienceRules, Heal, Threshold
from gloam_server.content.field_types import SIGHT_MAX
from gloam_server.content.growth.learning import LearningRules

__all__ = [
    "LEVEL_MAX",
    "SIGHT_MAX",
    "KillValue",
    "award",
    "experience_shares",
    "healing_on_level_up",
    "least_experience_beyond",
    "level_reached",
    "levels_gained",
    "scale_stat",
    "span_of_level",
    "step_award",
    "threshold",
]

LEVEL_MAX: Final = 1_000
"""No creature grows beyond this level: it bounds the loop that raises levels."""

COMPOUND_START: Final = 50

_GENERATIONS_MAX: Final = 20
"""The number of generations after which an award shrinks no further; a halved award is 0 before that."""


_WEIGHTS: Final = {-3: 4, -2: 20, -1: 50}
"""The percentage of a step for a victim this number of levels below its killer; at equal levels it is 100, further below 0."""

_WEIGHT_PER_LEVEL: Final = 50
_WEIGHT_MAX: Final = 300
_STEPS_MAX: Final = 250
"""The most that one death gives a monster, as a percentage of the experience of its level."""


class KillValue(Struct, frozen=True):
    """The numbers of a victim that decide its award; attack and defense, in points, include equipment.

    `generation` counts how often it is removed from the creatures made with the level: the child of a child is 2.
    """

    hp_max: int
    attack: int
    defence: int
    level: int
    generation: int = 0
    player: bool = False


def threshold(rules: ExperienceRules, level: int) -> int:
    """Return the cumulative experience at which `level` (1 or more) may be left; `reached` says whether it is.

    "square" is level^2 x 10 (rule J14.6), "power_3_2" floor(20 level^1.5) (rule T14.4), "power_7_4"
    floor(25 level^1.75) and "compound" 50, then each step a tenth more, rounded down (rules R5, R7).
    """
    return _THRESHOLDS[rules.threshold](level)


def level_reached(rules: ExperienceRules, level: int, experience: int) -> bool:
    """Return whether this experience ends a level: at the threshold, or only above it, as the formula says."""
    return experience >= least_experience_beyond(rules, level)


def least_experience_beyond(rules: ExperienceRules, level: int) -> int:
    """Return the least cumulative experience that leaves a level."""
    return threshold(rules, level) + (1 if rules.threshold in _BEYOND else 0)


def span_of_level(rules: ExperienceRules, level: int) -> int:
    """Return the experience between the beginning and the end of a level."""
    return least_experience_beyond(rules, level) - (
        least_experience_beyond(rules, level - 1) if level > 1 else 0
    )


def levels_gained(rules: ExperienceRules, level: int, experience: int) -> int:
    """Return the number of levels that a creature gains with this experience: 0 or more (rule J14.7)."""
    gained = 0
    while level + gained < LEVEL_MAX and level_reached(rules, level + gained, experience):
        gained += 1
    return gained


def award(rules: ExperienceRules, victim: KillValue, killer_level: int) -> int:
    """Return the experience that a kill gives, 0 or more (rules J14.10, T14.2, TG.26, R2).

    For each generation that the victim is removed from a creature that was made with its level it is
    `generation_percent` of what it were else. A player's death is worth as many times more as the campaign says.
    """
    times = rules.player_worth if victim.player else 1
    return _by_generation(rules, victim, times * max(0, _AWARDS[rules.award](victim, killer_level)))


def step_award(rules: ExperienceRules, learning: LearningRules, victim: KillValue, killer: KillValue) -> int:
    """Return the experience that a kill gives a monster where it learns by steps (rule F73).

    The death of an equal is worth `step_percent` of the experience of the killer's level, rounded up. A victim of a
    higher level is worth half a step more for each, at most three steps; one below it half a step, a fifth, next to
    nothing, and nothing. A victim that has less health and attack than its killer is worth as much less. A player is
    worth `player_worth` times as much, at most two and a half times the experience of the level.
    """
    gap = victim.level - killer.level
    weight = min(_WEIGHT_MAX, 100 + _WEIGHT_PER_LEVEL * gap) if gap >= 0 else _WEIGHTS.get(gap, 0)
    span = span_of_level(rules, killer.level)
    ours, theirs = killer.hp_max * killer.attack, victim.hp_max * victim.attack
    if victim.player:
        percent = min(_STEPS_MAX * 100, learning.step_percent * weight * rules.player_worth)
        return _by_generation(rules, victim, -(-span * percent // 10_000))
    whole = span * learning.step_percent * weight * min(ours, theirs)
    return _by_generation(rules, victim, -(-whole // (10_000 * max(1, ours))))


def _by_generation(rules: ExperienceRules, victim: KillValue, worth: int) -> int:
    for _ in range(min(victim.generation, _GENERATIONS_MAX)):
        worth = worth * rules.generation_percent // 100
    return worth


def experience_shares(whole: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Return a whole divided by weights, rounded down; what is left goes to the first of the largest (rule F35)."""
    total = sum(weights)
    parts = [whole * weight // total if total else 0 for weight in weights]
    if parts:
        parts[max(range(len(parts)), key=lambda at: (weights[at], -at))] += whole - sum(parts)
    return tuple(parts)


def scale_stat(base: int, percent: int, level: int) -> int:
    """Return a number of level 1 as it is at a level (rules R1, R2): `percent` of it more for each, rounded to nearest."""
    return (2 * base * (100 + (level - 1) * percent) + 100) // 200


def healing_on_level_up(rules: ExperienceRules, hp: int, hp_max: int, level: int, gained: int) -> int:
    """Return the health of a creature that has just risen by `gained` levels to `level`, at most `hp_max`.

    "full" heals wholly (rule J14.7); "twice_level" by twice each new level (rule T14.4).
    """
    return min(hp_max, hp + _HEALS[rules.heal](hp_max, level, gained))


def _square(level: int) -> int:
    return level**2 * 10


def _power_3_2(level: int) -> int:
    return isqrt(400 * level**3)


def _power_7_4(level: int) -> int:
    return isqrt(isqrt(390_625 * level**7))


@cache
def _compound_steps() -> tuple[int, ...]:
    """Return the threshold of every level up to the highest, from index 1."""
    sums = [0]
    step = COMPOUND_START
    for _ in range(LEVEL_MAX):
        sums.append(sums[-1] + step)
        step = step * 11 // 10
    return tuple(sums)


def _compound(level: int) -> int:
    return _compound_steps()[level]


def _worth_minus_level_gap(victim: KillValue, killer_level: int) -> int:
    return victim.hp_max + victim.attack + victim.defence - (killer_level - victim.level) * 3


def _worth_minus_twice_killer(victim: KillValue, killer_level: int) -> int:
    return victim.hp_max + victim.attack + victim.defence - killer_level * 2


def _worth_minus_killer(victim: KillValue, killer_level: int) -> int:
    return victim.hp_max + victim.attack + victim.defence - killer_level


def _level_plus_9(victim: KillValue, _killer_level: int) -> int:
    return victim.level + 9


def _heal_full(hp_max: int, _level: int, _gained: int) -> int:
    return hp_max


def _heal_twice_level(_hp_max: int, level: int, gained: int) -> int:
    return sum(2 * (level - below) for below in range(gained))


_THRESHOLDS: Final[dict[Threshold, Callable[[int], int]]] = {
    "square": _square,
    "power_3_2": _power_3_2,
    "power_7_4": _power_7_4,
    "compound": _compound,
}
_BEYOND: Final[tuple[Threshold, ...]] = ("power_3_2", "power_7_4")
_AWARDS: Final[dict[Award, Callable[[KillValue, int], int]]] = {
    "worth_minus_level_gap": _worth_minus_level_gap,
    "worth_minus_twice_killer": _worth_minus_twice_killer,
    "worth_minus_killer": _worth_minus_killer,
    "level_plus_9": _level_plus_9,
}
_HEALS: Final[dict[Heal, Callable[[int, int, int], int]]] = {
    "full": _heal_full,
    "twice_level": _heal_twice_level,
}
