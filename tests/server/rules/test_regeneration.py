"""Regeneration: thousandths of a point a turn, and healing by what one ate."""

import pytest

from gloam_server.content.campaign_schema import RegenerationRules
from gloam_server.rules.regeneration import by_thousandths, from_food, heals_by_feeding
from gloam_shared.view.view import Hunger

FED = RegenerationRules(rule="fed")


def points(rate: int, turns: int, part: int = 0) -> list[int]:
    """Return the turns, from 1, in which a point is gained, as often as it is more than one."""
    came = []
    for turn in range(1, turns + 1):
        step = by_thousandths(rate, part)
        part = step.part
        came += [turn] * step.points
    return came


@pytest.mark.rule("TG.25")
def test_ten_thousandths_point_hundred_turns() -> None:
    """Ten thousandths are a point in a hundred turns."""
    assert points(10, 400) == [1, 101, 201, 301]
    assert points(20, 200) == [1, 51, 101, 151]


@pytest.mark.rule("TG.25")
def test_a_point_comes_below_zero() -> None:
    """A point is gained when the cooldown falls below zero, and not at it."""
    assert by_thousandths(10, -10) == (0, 0)
    assert by_thousandths(10, 0) == (1, -990)


@pytest.mark.rule("TG.25")
def test_more_than_a_point_a_turn_and_none() -> None:
    assert sum(by_thousandths(2_500, 0)[:1]) == 3
    assert len(points(2_500, 100)) == 250
    assert points(0, 100) == []


def test_a_rate_below_nothing_drains() -> None:
    part, lost = 0, 0
    for _ in range(1_000):
        step = by_thousandths(-10, part)
        part, lost = step.part, lost - step.points
    assert lost == 9
    assert -1_000 <= part <= 0


@pytest.mark.rule("RG.19")
@pytest.mark.parametrize("hp_max", [30, 45, 117, 900])
def test_fed_regains_health_300_turns(hp_max: int) -> None:
    """A fed player regains all their health in 300 turns."""
    hp, part = 0, 0
    for _ in range(300):
        step = from_food(FED, Hunger.HUNGRY, hp, hp_max, part)
        part, hp = step.part, hp + step.points
    assert hp == hp_max


@pytest.mark.rule("RG.19")
@pytest.mark.parametrize("hp_max", [30, 45, 117])
def test_who_starves_loses_all_his_health_in_400_turns(hp_max: int) -> None:
    hp, part = hp_max, 0
    for _ in range(400):
        step = from_food(FED, Hunger.STARVING, hp, hp_max, part)
        part, hp = step.part, hp + step.points
    assert hp == 0


@pytest.mark.rule("RG.19")
@pytest.mark.parametrize(
    ("hunger", "heals"),
    [
        (Hunger.FULL, True),
        (Hunger.NOT_HUNGRY, True),
        (Hunger.HUNGRY, True),
        (Hunger.VERY_HUNGRY, False),
        (Hunger.FAMISHED, False),
        (Hunger.STARVING, False),
    ],
)
def test_only_who_is_not_very_hungry_heals(hunger: Hunger, *, heals: bool) -> None:
    assert heals_by_feeding(hunger, 10, 30) is heals
    assert (from_food(FED, hunger, 10, 30, 290).points > 0) is heals


@pytest.mark.rule("RG.19")
def test_who_is_unhurt_saves_nothing_up() -> None:
    assert not heals_by_feeding(Hunger.FULL, 30, 30)
    assert from_food(FED, Hunger.FULL, 30, 30, 290) == (0, 0)
