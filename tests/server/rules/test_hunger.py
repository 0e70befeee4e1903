"""Rule JG.15: what hunger does, by its numbers."""

import pytest

from gloam_server.content.outline import HungerRules
from gloam_server.rules.hunger import eaten_into, end, state
from gloam_shared.view import Hunger

RULES = HungerRules(rule="starve_or_choke")


@pytest.mark.parametrize(
    ("food", "expected"),
    [
        (1, Hunger.STARVING),
        (50, Hunger.STARVING),
        (51, Hunger.HUNGRY),
        (250, Hunger.HUNGRY),
        (251, Hunger.NOT_HUNGRY),
        (500, Hunger.NOT_HUNGRY),
        (749, Hunger.NOT_HUNGRY),
        (750, Hunger.FULL),
        (949, Hunger.FULL),
        (950, Hunger.OVERSATIATED),
        (1_000, Hunger.OVERSATIATED),
    ],
)
def test_jg15_the_states_are_hundredths_of_the_maximum(food: int, expected: Hunger) -> None:
    assert state(RULES, food) == expected


@pytest.mark.parametrize(
    ("food", "expected"),
    [(0, "starvation"), (1, None), (1_000, None), (1_001, "choking"), (-3, "starvation")],
)
def test_jg15_too_little_starves_and_too_much_chokes(food: int, expected: str | None) -> None:
    assert end(RULES, food) == expected


def test_jg15_an_action_takes_one_and_never_below_nothing() -> None:
    assert [eaten_into(RULES, food) for food in (500, 1, 0)] == [499, 0, 0]
    assert eaten_into(HungerRules(rule="starve_or_choke", per_action=7), 3) == 0


def test_where_nobody_hungers_nothing_changes() -> None:
    rules = HungerRules()

    assert [eaten_into(rules, food) for food in (0, 7, 5_000)] == [0, 7, 5_000]
    assert {state(rules, food) for food in (0, 7, 5_000)} == {Hunger.NOT_HUNGRY}
    assert {end(rules, food) for food in (0, 7, 5_000)} == {None}
