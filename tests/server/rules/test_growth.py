"""Growth: the tables of all formulas, at each threshold and beside it."""

import itertools
from fractions import Fraction

import pytest

from gloam_server.content.campaign_schema import Award, ExperienceRules, Heal, Threshold
from gloam_server.rules import growth
from gloam_server.rules.growth import KillValue


def rules(
    *,
    award: Award = "worth_minus_level_gap",
    threshold: Threshold = "square",
    heal: Heal = "full",
    generation_percent: int = 50,
) -> ExperienceRules:
    return ExperienceRules(award=award, threshold=threshold, heal=heal, generation_percent=generation_percent)


SQUARE = (10, 40, 90, 160, 250, 360, 490, 640, 810, 1_000, 1_210, 1_440, 1_690, 1_960, 2_250)
POWER_3_2 = (20, 56, 103, 160, 223, 293, 370, 452, 540, 632, 729, 831, 937, 1_047, 1_161)
POWER_7_4 = (25, 84, 170, 282, 417, 575, 753, 951, 1_169, 1_405, 1_661, 1_934, 2_225, 2_533, 2_858)
COMPOUND = (50, 105, 165, 231, 303, 382, 468, 562, 665, 778, 902, 1_038, 1_187, 1_350, 1_529)

AT: tuple[tuple[Threshold, tuple[int, ...]], ...] = (("square", SQUARE), ("compound", COMPOUND))
BEYOND: tuple[tuple[Threshold, tuple[int, ...]], ...] = (("power_3_2", POWER_3_2), ("power_7_4", POWER_7_4))


@pytest.mark.rule("J14.6", "T14.4", "TG.26", "R7", "F36")
@pytest.mark.parametrize(("name", "table"), AT + BEYOND)
def test_the_thresholds_of_levels_1_to_15(name: Threshold, table: tuple[int, ...]) -> None:
    found = tuple(growth.threshold(rules(threshold=name), level) for level in range(1, 16))
    assert found == table


@pytest.mark.rule("J14.6", "R7")
@pytest.mark.parametrize(("name", "table"), AT)
def test_a_level_is_left_at_its_threshold(name: Threshold, table: tuple[int, ...]) -> None:
    for level, at in enumerate(table, start=1):
        found = [growth.level_reached(rules(threshold=name), level, at + beside) for beside in (-1, 0, 1)]
        assert found == [False, True, True], f"level {level}"
        assert growth.least_experience_beyond(rules(threshold=name), level) == at


@pytest.mark.rule("T14.4")
@pytest.mark.parametrize(("name", "table"), BEYOND)
def test_a_level_is_left_only_beyond_its_threshold(name: Threshold, table: tuple[int, ...]) -> None:
    for level, at in enumerate(table, start=1):
        found = [growth.level_reached(rules(threshold=name), level, at + beside) for beside in (-1, 0, 1)]
        assert found == [False, False, True], f"level {level}"
        assert growth.least_experience_beyond(rules(threshold=name), level) == at + 1


@pytest.mark.parametrize("level", [1, 2, 15, 99, 1_000])
def test_powers_are_exact_floors_at_any_size(level: int) -> None:
    half = growth.threshold(rules(threshold="power_3_2"), level)
    quarter = growth.threshold(rules(threshold="power_7_4"), level)
    assert half**2 <= 400 * level**3 < (half + 1) ** 2
    assert Fraction(quarter, 25) ** 4 <= level**7 < Fraction(quarter + 1, 25) ** 4


@pytest.mark.parametrize(("name", "table"), AT + BEYOND)
def test_creature_least_experience_gained_exactly(name: Threshold, table: tuple[int, ...]) -> None:
    """A creature at its least experience has gained exactly one level."""
    for level in range(1, len(table) + 1):
        least = growth.least_experience_beyond(rules(threshold=name), level)
        assert growth.levels_gained(rules(threshold=name), level, least - 1) == 0
        assert growth.levels_gained(rules(threshold=name), level, least) == 1


@pytest.mark.rule("J14.7")
@pytest.mark.parametrize(
    ("experience", "levels"), [(0, 0), (9, 0), (10, 1), (39, 1), (40, 2), (89, 2), (90, 3), (1_000, 10)]
)
def test_one_award_may_bring_several_levels(experience: int, levels: int) -> None:
    assert growth.levels_gained(rules(), 1, experience) == levels


def test_levels_end_at_the_highest() -> None:
    for name, _ in AT + BEYOND:
        enormous = 10**60
        assert growth.levels_gained(rules(threshold=name), 1, enormous) == growth.LEVEL_MAX - 1
        assert growth.levels_gained(rules(threshold=name), growth.LEVEL_MAX, enormous) == 0


@pytest.mark.rule("J14.10")
@pytest.mark.parametrize(
    ("victim", "killer_level", "expected"),
    [
        (KillValue(hp_max=5, attack=4, defence=0, level=1), 1, 9),
        (KillValue(hp_max=5, attack=4, defence=0, level=1), 2, 6),
        (KillValue(hp_max=5, attack=4, defence=0, level=1), 3, 3),
        (KillValue(hp_max=5, attack=4, defence=0, level=1), 4, 0),
        (KillValue(hp_max=5, attack=4, defence=0, level=1), 9, 0),
        (KillValue(hp_max=10, attack=0, defence=2, level=3), 1, 18),
        (KillValue(hp_max=40, attack=10, defence=0, level=1), 1, 50),
    ],
)
def test_a_kill_is_worth_the_gap(victim: KillValue, killer_level: int, expected: int) -> None:
    """A kill is worth health, attack and defense less three times the gap."""
    assert growth.award(rules(), victim, killer_level) == expected


@pytest.mark.rule("T14.2")
@pytest.mark.parametrize(("killer_level", "expected"), [(1, 13), (7, 1), (8, 0), (30, 0)])
def test_kill_worth_victim_less_twice_killers(killer_level: int, expected: int) -> None:
    """A kill is worth the victim less twice the killers level."""
    victim = KillValue(hp_max=6, attack=4, defence=5, level=12)
    assert growth.award(rules(award="worth_minus_twice_killer"), victim, killer_level) == expected


@pytest.mark.rule("TG.26")
@pytest.mark.parametrize(("killer_level", "expected"), [(1, 14), (7, 8), (14, 1), (15, 0), (30, 0)])
def test_kill_worth_victim_less_killers_level(killer_level: int, expected: int) -> None:
    """A kill is worth the victim less the killers level."""
    victim = KillValue(hp_max=6, attack=4, defence=5, level=12)
    assert growth.award(rules(award="worth_minus_killer"), victim, killer_level) == expected


@pytest.mark.rule("F35")
@pytest.mark.parametrize(("generation", "expected"), [(0, 40), (1, 20), (2, 10), (5, 1), (6, 0), (99, 0)])
def test_each_generation_halves_what_a_kill_is_worth(generation: int, expected: int) -> None:
    victim = KillValue(hp_max=40, attack=0, defence=0, level=1, generation=generation)
    assert growth.award(rules(), victim, 1) == expected


@pytest.mark.rule("J14.10")
@pytest.mark.parametrize(("percent", "expected"), [(0, 0), (25, 10), (50, 20), (100, 40)])
def test_child_worth_campaigns_number(percent: int, expected: int) -> None:
    """The worth of a child is the campaign's own number."""
    child = KillValue(hp_max=40, attack=0, defence=0, level=1, generation=1)
    native = KillValue(hp_max=40, attack=0, defence=0, level=1)
    assert growth.award(rules(generation_percent=percent), child, 1) == expected
    assert growth.award(rules(generation_percent=percent), native, 1) == 40


@pytest.mark.rule("F35")
@pytest.mark.parametrize(
    ("whole", "weights", "expected"),
    [
        (10, (1, 1, 1), (4, 3, 3)),
        (10, (1, 2, 2), (2, 4, 4)),
        (11, (1, 2, 2), (2, 5, 4)),
        (7, (0, 5), (0, 7)),
        (7, (0, 0), (7, 0)),
        (0, (3, 4), (0, 0)),
        (9, (), ()),
    ],
)
def test_shares_are_whole_and_lose_nothing(
    whole: int, weights: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert growth.experience_shares(whole, weights) == expected


@pytest.mark.rule("R1", "R2")
@pytest.mark.parametrize(
    ("base", "level", "expected"),
    [(14, 2, 15), (14, 3, 17), (30, 30, 117), (480, 6, 720), (5, 2, 6), (0, 9, 0)],
)
def test_a_number_of_level_one_grows_by_a_tenth(base: int, level: int, expected: int) -> None:
    """A number of level one grows by a tenth of itself, rounded."""
    assert growth.scale_stat(base, 10, level) == expected
    assert growth.scale_stat(base, 0, level) == base


@pytest.mark.rule("R5", "R7")
def test_the_steps_of_the_compound_thresholds() -> None:
    sums = [0, *(growth.threshold(rules(threshold="compound"), level) for level in range(1, 31))]
    steps = [after - before for before, after in itertools.pairwise(sums)]
    assert steps[:15] == [50, 55, 60, 66, 72, 79, 86, 94, 103, 113, 124, 136, 149, 163, 179]
    assert [(level, steps[level - 1], sums[level - 1]) for level in (18, 20, 22, 25, 28, 30)] == [
        (18, 236, 1_940),
        (20, 284, 2_435),
        (22, 343, 3_031),
        (25, 455, 4_165),
        (28, 605, 5_670),
        (30, 731, 6_940),
    ]


@pytest.mark.rule("R2")
@pytest.mark.parametrize(("level", "expected"), [(1, 10), (2, 11), (25, 34)])
def test_kill_worth_ten_and_more_level(level: int, expected: int) -> None:
    """A kill is worth ten and one more for each level."""
    victim = KillValue(hp_max=99, attack=99, defence=99, level=level)
    assert growth.award(rules(award="level_plus_9"), victim, 50) == expected


@pytest.mark.rule("J14.7")
def test_a_level_heals_wholly() -> None:
    assert growth.healing_on_level_up(rules(), 1, 40, 2, 1) == 40


@pytest.mark.rule("T14.4")
@pytest.mark.parametrize(("level", "gained", "expected"), [(2, 1, 14), (3, 1, 16), (3, 2, 20), (9, 1, 28)])
def test_a_level_heals_twice_its_number(level: int, gained: int, expected: int) -> None:
    assert growth.healing_on_level_up(rules(heal="twice_level"), 10, 100, level, gained) == expected


def test_healing_ends_at_the_maximum() -> None:
    assert growth.healing_on_level_up(rules(heal="twice_level"), 39, 40, 5, 1) == 40
