"""Combat: the damage of an attack. Pure; it knows no creature, only numbers."""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from gloam_server.content.campaign_schema import CombatRules
from gloam_server.content.campaign_schema import Damage as Rule
from gloam_server.rules.dice import Dice

AttackResult: TypeAlias = Literal["plain", "heavy", "light", "miss"]
"""The result of an attack."""

Formula: TypeAlias = Callable[[CombatRules, Dice, int, int, int], "AttackOutcome"]


class AttackOutcome(Struct, frozen=True):
    """The outcome of an attack: its result, and the points of health that it takes."""

    swing: AttackResult
    amount: int


def attack_outcome(
    rules: CombatRules, dice: Dice, who: int, attack: int, defence: int, *, asleep: bool = False
) -> AttackOutcome:
    """Return what a blow of the creature `who` does; attack and defense are in the campaign's units.

    `miss_percent` of blows miss, but none at a sleeper (rule RG.7). "excess" does 1 to the attack's excess over the
    defense (rules JG.5, TG.19); "ratio" half of a matched attack, more or less by its swing (rule RG.7).
    """
    if rules.miss_percent and not asleep and dice.chance("miss", who, rules.miss_percent):
        return AttackOutcome("miss", 0)
    return _FORMULAS[rules.damage](rules, dice, who, attack, defence)


def mean_damage(scale: int, attack: int, defence: int) -> tuple[int, int]:
    """Return what a plain blow does by the ratio rule, in points, as numerator and denominator (rule RG.7).

    An attack of twice the defense or more does its excess; less does a quarter of itself, and up to a quarter more by
    how near it is to that: both give the same where they meet.
    """
    shield = max(scale, defence)
    whole = 8 * shield
    if attack >= 2 * defence:
        return (attack - defence) * whole, whole * scale
    return attack * 2 * shield + min(attack * 2 * shield, attack * attack), whole * scale


def _excess(rules: CombatRules, dice: Dice, who: int, attack: int, defence: int) -> AttackOutcome:
    return AttackOutcome("plain", 1 + dice.roll("damage", who, max(1, (attack - defence) // rules.scale)))


def _ratio(rules: CombatRules, dice: Dice, who: int, attack: int, defence: int) -> AttackOutcome:
    numerator, denominator = mean_damage(rules.scale, attack, defence)
    swing, halves = _SWINGS[dice.roll("swing", who, len(_SWINGS))]
    whole, rest = divmod(numerator * halves, denominator * 2)
    return AttackOutcome(swing, whole + (dice.roll("fraction", who, denominator * 2) < rest))


_SWINGS: Final[tuple[tuple[AttackResult, int], ...]] = (
    ("plain", 2),
    ("plain", 2),
    ("heavy", 3),
    ("light", 1),
)
"""Four equally likely swings, and how many halves of the damage each does."""

_FORMULAS: Final[dict[Rule, Formula]] = {"excess": _excess, "ratio": _ratio}
