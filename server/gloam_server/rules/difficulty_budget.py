"""The difficulty tracker: each depth's difficulty, from the depths above (rules R9-R14, RG.11). Pure.

Difficulty is in hundredths of a level: 410 is level 4 with a tenth of the way to level 5 (rule R11).

A depth's difficulty depends on what the depths above were made with, not on what players did there: else a strong
player would change what waits for others. So all levels of a round are made together, also levels that no party sees.
"""

from typing import Final

from gloam_server.content.campaign_schema import DifficultyRules, ExperienceRules
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond, levels_gained

FIRST: Final = 100
"""The difficulty that a tracker begins with: level 1."""

_LOWER_MAX: Final = 3
"""The first range of levels below the difficulty for spawned creatures; others are lower still (rule RG.11)."""


def difficulty_of(rules: ExperienceRules, experience: int) -> int:
    """Return the difficulty in hundredths of a tracker with this total experience (rules R9, R11)."""
    level = 1 + levels_gained(rules, 1, experience)
    below = least_experience_beyond(rules, level - 1) if level > 1 else 0
    step = least_experience_beyond(rules, level) - below
    return level * 100 + (experience - below) * 100 // step


def creature_worth(level: int) -> int:
    """Return the experience that an original creature of a level adds to the tracker (rule R2: level + 9)."""
    return level + 9


def round_level(dice: Dice, purpose: str, hundredths: int) -> int:
    """Return hundredths as a whole number, rounded up by chance in as many of 100 cases as are left over (rule R11)."""
    whole, rest = divmod(hundredths, 100)
    return whole + int(dice.chance(purpose, 0, rest))


def level_to_spawn(rules: DifficultyRules, dice: Dice, difficulty: int) -> int:
    """Return the level of one creature that is made with a depth (rules R12, RG.11).

    The difficulty is rounded by chance. `equal_percent` of creatures are of that level; the others are 1 to 3 levels
    lower, and half of those that are not at level 1 then anywhere below that: together the 20, 40 and 40 of 100.
    """
    level = round_level(dice, "spawn level", difficulty)
    if dice.chance("equal", 0, rules.equal_percent):
        return level
    level = max(1, level - 1 - dice.roll("lower", 0, _LOWER_MAX))
    if level > 1 and dice.chance("lower still", 0, 50):
        level = 1 + dice.roll("how low", 0, level - 1)
    return level


def is_last(rules: DifficultyRules, difficulty_above: int) -> bool:
    """Return whether a depth is the last one: by the difficulty of the depth above it, one level late (rule R14)."""
    return bool(rules.tracked and rules.last) and difficulty_above >= rules.last * 100
