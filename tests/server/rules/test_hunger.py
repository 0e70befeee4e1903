"""Rule JG.15: what hunger does, by its numbers."""

import pytest

from gloam_server.content.campaign_schema import HungerRules
from gloam_server.rules.hunger import Work, death_by_hunger, fill_stomach, food_cost, hunger_state
from gloam_shared.view.view import Hunger

RULES = HungerRules(rule="starve_or_choke")


@pytest.mark.rule("JG.15")
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
def test_the_states_are_hundredths_of_the_maximum(food: int, expected: Hunger) -> None:
    assert hunger_state(RULES, food) == expected


@pytest.mark.rule("JG.15")
@pytest.mark.parametrize(
    ("food", "expected"),
    [(0, "starvation"), (1, None), (1_000, None), (1_001, "choking"), (-3, "starvation")],
)
def test_too_little_starves_and_too_much_chokes(food: int, expected: str | None) -> None:
    assert death_by_hunger(RULES, food) == expected


@pytest.mark.rule("JG.15")
def test_an_action_takes_one_whatever_it_was() -> None:
    assert {food_cost(RULES, work) for work in ("step", "dig", "blow", "other")} == {1}
    assert food_cost(HungerRules(rule="starve_or_choke", per_action=7), "other") == 7


@pytest.mark.rule("JG.15")
def test_much_stays_stomach_and_little_nothing() -> None:
    """Too much stays in the stomach and too little is nothing."""
    assert fill_stomach(RULES, 1_200, 1_000) == (1_200, 1_000, False)
    assert fill_stomach(RULES, -5, 1_000) == (0, 1_000, False)


def test_nothing_changes_without_hunger() -> None:
    rules = HungerRules()
    assert {food_cost(rules, work) for work in ("step", "dig", "blow", "other")} == {0}
    assert {hunger_state(rules, food) for food in (0, 7, 5_000)} == {Hunger.NOT_HUNGRY}
    assert {death_by_hunger(rules, food) for food in (0, 7, 5_000)} == {None}


STUFFED = HungerRules(rule="stuffed", start=666, max=1_000, per_step=1, per_dig=10, per_blow=2, per_point=1)


@pytest.mark.rule("TG.18")
@pytest.mark.parametrize(("work", "expected"), [("other", 1), ("step", 2), ("dig", 11), ("blow", 3)])
def test_an_action_takes_one_and_what_it_was(work: Work, expected: int) -> None:
    assert food_cost(STUFFED, work) == expected
    assert food_cost(STUFFED, work, 2) == expected + 2  # two points of health or mana grew again


@pytest.mark.rule("TG.18")
@pytest.mark.parametrize(
    ("food", "room", "expected"),
    [
        (1_000, 1_000, (1_000, 1_000, False)),
        (1_001, 1_000, (1_000, 1_000, True)),
        (1_100, 1_000, (1_050, 1_050, True)),
        (1_100, 1_200, (1_100, 1_200, False)),
    ],
)
def test_a_stomach_grows_to_the_mean_of_both(food: int, room: int, expected: tuple[int, int, bool]) -> None:
    assert fill_stomach(STUFFED, food, room) == expected


@pytest.mark.rule("TG.18")
@pytest.mark.parametrize(
    ("food", "expected"),
    [
        (99, Hunger.STARVING),
        (100, Hunger.HUNGRY),
        (249, Hunger.HUNGRY),
        (250, Hunger.NOT_HUNGRY),
        (750, Hunger.NOT_HUNGRY),
        (751, Hunger.FULL),
        (900, Hunger.FULL),
        (901, Hunger.STUFFED),
    ],
)
def test_the_labels(food: int, expected: Hunger) -> None:
    assert hunger_state(STUFFED, food, 1_000) == expected
    assert hunger_state(STUFFED, food * 2, 2_000) == expected
    assert hunger_state(STUFFED, food) == expected


@pytest.mark.rule("TG.18")
def test_below_one_starves_and_too_much_does_not_choke() -> None:
    assert [death_by_hunger(STUFFED, food) for food in (0, 1, 1_000)] == ["starved", None, None]


SIX = HungerRules(rule="six_states", start=1_500, max=1_500, per_healing=1)


@pytest.mark.rule("RG.18")
@pytest.mark.parametrize(
    ("food", "expected"),
    [
        (1_500, Hunger.FULL),
        (1_201, Hunger.FULL),
        (1_200, Hunger.NOT_HUNGRY),
        (751, Hunger.NOT_HUNGRY),
        (750, Hunger.HUNGRY),
        (301, Hunger.HUNGRY),
        (300, Hunger.VERY_HUNGRY),
        (151, Hunger.VERY_HUNGRY),
        (150, Hunger.FAMISHED),
        (1, Hunger.FAMISHED),
        (0, Hunger.STARVING),
    ],
)
def test_the_six_states(food: int, expected: Hunger) -> None:
    assert hunger_state(SIX, food) == expected


@pytest.mark.rule("RG.18")
def test_action_takes_and_more_while_healing() -> None:
    """An action takes one and one more while healing."""
    assert food_cost(SIX, "blow") == 1
    assert food_cost(SIX, "blow", healing=True) == 2


@pytest.mark.rule("RG.18")
def test_much_lost_and_nothing_kills() -> None:
    """Food beyond the maximum is lost and none of it kills."""
    assert fill_stomach(SIX, 2_000, 1_500) == (1_500, 1_500, False)
    assert [death_by_hunger(SIX, food) for food in (0, 1_500)] == [None, None]
