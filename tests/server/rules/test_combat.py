"""Combat: what a blow does, by each formula."""

from collections import Counter
from fractions import Fraction

import pytest

from gloam_server.content.campaign_schema import CombatRules
from gloam_server.rules.combat import AttackOutcome, attack_outcome, mean_damage
from gloam_server.rules.dice import Dice

EXCESS = CombatRules()
RATIO = CombatRules(damage="ratio", scale=100, miss_percent=10)


def blows(
    rules: CombatRules, attack: int, defence: int, count: int, *, asleep: bool = False
) -> list[AttackOutcome]:
    dice = Dice(1, 1, 1)
    return [attack_outcome(rules, dice, 3, attack, defence, asleep=asleep) for _ in range(count)]


@pytest.mark.rule("JG.5", "TG.19")
@pytest.mark.parametrize(("attack", "defence", "most"), [(10, 0, 10), (4, 0, 4), (10, 7, 3), (5, 4, 1)])
def test_damage_1_excess_attack_over_defence(attack: int, defence: int, most: int) -> None:
    """Damage is 1 to the excess of attack over defense."""
    found = blows(EXCESS, attack, defence, 400)
    assert {each.amount for each in found} == set(range(1, most + 1))
    assert {each.swing for each in found} == {"plain"}


@pytest.mark.rule("JG.5")
@pytest.mark.parametrize(("attack", "defence"), [(5, 5), (5, 9), (0, 0)])
def test_a_blow_never_misses_and_does_1_at_least(attack: int, defence: int) -> None:
    assert {each.amount for each in blows(EXCESS, attack, defence, 50)} == {1}


@pytest.mark.rule("F24")
def test_excess_reported_points_whatever_scale() -> None:
    """The excess is in points on each scale."""
    found = blows(CombatRules(damage="excess", scale=100), 1_000, 700, 400)
    assert {each.amount for each in found} == {1, 2, 3}


@pytest.mark.rule("RG.7")
@pytest.mark.parametrize(
    ("attack", "defence", "expected"),
    [
        (800, 400, Fraction(4)),  # rule R4: half of a matched attack
        (800, 0, Fraction(8)),
        (800, 200, Fraction(6)),
        (1_000, 100, Fraction(9)),
        (480, 400, Fraction(480, 100) * (Fraction(1, 4) + Fraction(1, 8) * Fraction(480, 400))),
        (400, 4_000, Fraction(4) * (Fraction(1, 4) + Fraction(1, 8) * Fraction(1, 10))),
        (0, 50, Fraction(0)),
    ],
)
def test_the_mean_damage_of_a_hit(attack: int, defence: int, expected: Fraction) -> None:
    assert Fraction(*mean_damage(100, attack, defence)) == expected


@pytest.mark.rule("RG.7")
def test_both_branches_meet_at_twice_the_defence() -> None:
    assert Fraction(*mean_damage(100, 800, 400)) == 4
    assert Fraction(*mean_damage(100, 79_999, 40_000)) < 400 < Fraction(*mean_damage(100, 80_001, 40_000))


@pytest.mark.rule("RG.7")
def test_swings_keep_their_shares() -> None:
    """A tenth misses; of the swings half are plain, a quarter heavy, a quarter light."""
    found = Counter(each.swing for each in blows(RATIO, 800, 400, 40_000))
    assert 3_800 < found["miss"] < 4_200
    assert 17_600 < found["plain"] < 18_400
    assert 8_700 < found["heavy"] < 9_300
    assert 8_700 < found["light"] < 9_300


@pytest.mark.rule("RG.7")
def test_no_blow_misses_a_sleeper() -> None:
    assert all(each.swing != "miss" for each in blows(RATIO, 800, 400, 2_000, asleep=True))


@pytest.mark.rule("RG.7")
def test_swings_do_the_whole_half_more_and_half() -> None:
    for each in blows(RATIO, 800, 400, 500):
        assert each.amount == {"plain": 4, "heavy": 6, "light": 2, "miss": 0}[each.swing]


@pytest.mark.rule("RG.7")
@pytest.mark.parametrize(
    ("attack", "defence"), [(800, 400), (480, 240), (720, 480), (333, 517), (1_872, 936)]
)
def test_the_mean_damage_is_nine_tenths(attack: int, defence: int) -> None:
    """The mean factor of hits is one, of all blows nine tenths."""
    count = 20_000
    mean = Fraction(*mean_damage(100, attack, defence))
    hits = Fraction(sum(each.amount for each in blows(RATIO, attack, defence, count, asleep=True)), count)
    every = Fraction(sum(each.amount for each in blows(RATIO, attack, defence, count)), count)
    assert abs(hits / mean - 1) < Fraction(2, 100)
    assert abs(every / mean - Fraction(9, 10)) < Fraction(2, 100)


@pytest.mark.rule("RG.7")
def test_fraction_rounded_chance_and_come_nothing() -> None:
    """A fraction is rounded by chance and may give 0."""
    amounts = Counter(each.amount for each in blows(RATIO, 100, 400, 8_000, asleep=True))
    assert set(amounts) == {0, 1}  # a hit does 0.28 in the mean
    assert 1_950 < amounts[1] < 2_550
