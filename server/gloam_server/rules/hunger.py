"""Hunger: what food does to a body, and when too little or too much of it kills. Pure; it knows only numbers."""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from gloam_server.content.outline import Hunger as Rule
from gloam_server.content.outline import HungerRules
from gloam_shared.view import Hunger

End: TypeAlias = Literal["starvation", "choking"]
"""What hunger kills by."""


def eaten_into(rules: HungerRules, food: int) -> int:
    """Return the food that is left after one more action, never below 0."""
    return max(0, food - _PER_ACTION[rules.rule](rules))


def state(rules: HungerRules, food: int) -> Hunger:
    """Return how hungry so much food leaves a body: the states of rule JG.15, in hundredths of the maximum."""
    return _STATES[rules.rule](rules, food)


def end(rules: HungerRules, food: int) -> End | None:
    """Return what so much food kills by: starvation at 0, choking above the maximum (rule JG.15); None if it does not."""
    return _ENDS[rules.rule](rules, food)


def _classic_state(rules: HungerRules, food: int) -> Hunger:
    percent = food * 100
    if percent <= 5 * rules.max:
        return Hunger.STARVING
    if percent <= 25 * rules.max:
        return Hunger.HUNGRY
    if percent >= 95 * rules.max:
        return Hunger.OVERSATIATED
    if percent >= 75 * rules.max:
        return Hunger.FULL
    return Hunger.NOT_HUNGRY


def _classic_end(rules: HungerRules, food: int) -> End | None:
    if food <= 0:
        return "starvation"
    return "choking" if food > rules.max else None


_PER_ACTION: Final[dict[Rule, Callable[[HungerRules], int]]] = {
    "none": lambda _: 0,
    "starve_or_choke": lambda rules: rules.per_action,
}
_STATES: Final[dict[Rule, Callable[[HungerRules, int], Hunger]]] = {
    "none": lambda _rules, _food: Hunger.NOT_HUNGRY,
    "starve_or_choke": _classic_state,
}
_ENDS: Final[dict[Rule, Callable[[HungerRules, int], End | None]]] = {
    "none": lambda _rules, _food: None,
    "starve_or_choke": _classic_end,
}
