"""Hunger: the effects of food on a body, and when too little or too much of it kills.

Pure; it knows only numbers.
"""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from gloam_server.content.campaign_schema import Hunger as Rule
from gloam_server.content.campaign_schema import HungerRules, RegenerationRules
from gloam_shared.view.view import Hunger

End: TypeAlias = Literal["starvation", "choking", "starved"]
"""The causes of death by hunger; "starved" is the wording of rule TG.18."""

Work: TypeAlias = Literal["step", "dig", "blow", "other"]
"""The kind of an action, which decides its cost in food."""


class MealResult(NamedTuple):
    """The food in a filled stomach, its new capacity, and whether the filling did damage."""

    food: int
    room: int
    burst: bool = False


def food_cost(rules: HungerRules, work: Work, regrown: int = 0, *, healing: bool = False) -> int:
    """Return the food that an action takes: what every action does, what it was, and what grew back meanwhile.

    `regrown` are the regenerated points of health and mana (rule TG.18), `healing` says whether health was growing
    because the player is fed (rule RG.18).
    """
    if rules.rule == "none":
        return 0
    extra = {"step": rules.per_step, "dig": rules.per_dig, "blow": rules.per_blow, "other": 0}[work]
    return rules.per_action + extra + rules.per_point * regrown + rules.per_healing * healing


def fill_stomach(rules: HungerRules, food: int, room: int) -> MealResult:
    """Return the effects of a stomach's new amount of food, which is never below 0; `room` is its capacity.

    By rule TG.18 it grows to the mean of both when it is too much, and that hurts; by RG.18 what is too much is lost;
    by JG.15 it stays, and kills.
    """
    food = max(0, food)
    if food <= room or rules.rule in ("none", "starve_or_choke"):
        return MealResult(food, room)
    if rules.rule == "six_states":
        return MealResult(room, room)
    grown = (room + food) // 2
    return MealResult(grown, grown, burst=True)


def hunger_state(rules: HungerRules, food: int, room: int = 0) -> Hunger:
    """Return the hunger of a body with this food and this room (0: the room of the rules).

    The states of rules JG.15, TG.18 and RG.18 are in hundredths of that room.
    """
    return _STATES[rules.rule](food * 100, room or rules.max)


def death_by_hunger(rules: HungerRules, food: int) -> End | None:
    """Return the cause of death by this amount of food (rules JG.15, TG.18); None if it kills no body, as in rule RG.18."""
    return _ENDS[rules.rule](rules, food)


def food_steps(rules: HungerRules, food: int) -> int | None:
    """Return for how many steps this food lasts; None where a step takes none."""
    pace = rules.per_action + rules.per_step
    return -(-food // pace) if pace else None


def needs_warning(rules: HungerRules, food: int) -> bool:
    """Return whether so little food is left that its player is warned, and sees the turns that remain."""
    steps = food_steps(rules, food)
    return steps is not None and steps <= rules.warn_turns


def turns_left(  # plain numbers of one body
    rules: HungerRules,
    regeneration: RegenerationRules,
    food: int,
    *,
    hp: int = 0,
    hp_max: int = 0,
    part: int = 0,
) -> int:
    """Return the least number of steps that a body survives without food; 0 if hunger does not kill.

    By rules JG.15 and TG.18 no food at all kills; by RG.19 it takes health from then on.
    """
    steps = food_steps(rules, food)
    kills = rules.rule in ("starve_or_choke", "stuffed")
    drains = rules.rule == "six_states" and regeneration.rule == "fed"
    if steps is None or not (kills or drains):
        return 0
    if kills or not hp_max:
        return steps
    left = hp * regeneration.starving_turns - max(0, -part)
    return steps + max(1, -(-left // hp_max))


def _classic_state(percent: int, room: int) -> Hunger:
    if percent <= 5 * room:
        return Hunger.STARVING
    if percent <= 25 * room:
        return Hunger.HUNGRY
    if percent >= 95 * room:
        return Hunger.OVERSATIATED
    if percent >= 75 * room:
        return Hunger.FULL
    return Hunger.NOT_HUNGRY


def _stuffed_state(percent: int, room: int) -> Hunger:
    if percent < 10 * room:
        return Hunger.STARVING
    if percent < 25 * room:
        return Hunger.HUNGRY
    if percent > 90 * room:
        return Hunger.STUFFED
    if percent > 75 * room:
        return Hunger.FULL
    return Hunger.NOT_HUNGRY


def _six_state(percent: int, room: int) -> Hunger:
    if percent > 80 * room:
        return Hunger.FULL
    if percent > 50 * room:
        return Hunger.NOT_HUNGRY
    if percent > 20 * room:
        return Hunger.HUNGRY
    if percent > 10 * room:
        return Hunger.VERY_HUNGRY
    return Hunger.FAMISHED if percent else Hunger.STARVING


def _classic_end(rules: HungerRules, food: int) -> End | None:
    if food <= 0:
        return "starvation"
    return "choking" if food > rules.max else None


def _stuffed_end(_rules: HungerRules, food: int) -> End | None:
    return "starved" if food < 1 else None


_STATES: Final[dict[Rule, Callable[[int, int], Hunger]]] = {
    "none": lambda _percent, _room: Hunger.NOT_HUNGRY,
    "starve_or_choke": _classic_state,
    "stuffed": _stuffed_state,
    "six_states": _six_state,
}
_ENDS: Final[dict[Rule, Callable[[HungerRules, int], End | None]]] = {
    "none": lambda _rules, _food: None,
    "starve_or_choke": _classic_end,
    "stuffed": _stuffed_end,
    "six_states": lambda _rules, _food: None,
}
