"""Levels without piles, where things spread; and food as rltut has it (rules TG.16, TG.17)."""

import pytest

from gloam_shared.protocol.commands import Drop, Eat, Move
from support.content.behavior_campaigns import caves
from support.scenarios.scenario import E, Scenario, read_events


def hall(drawing: str, **letters: str) -> Scenario:
    return Scenario(drawing, campaign=caves(), seed=1, partition=1, dark=False, **letters)


@pytest.mark.rule("TG.17")
def test_a_dropped_item_takes_the_nearest_free_cell() -> None:
    """An item dropped on another goes to the nearest free cell."""
    scenario = hall("...\n.1.\n...")
    for _ in range(9):
        scenario.give("1", "rock")
        scenario.turn(("1", Drop(0)))
    assert sorted(scenario.level.piles) == list(range(9))
    assert all(len(pile) == 1 for pile in scenario.level.piles.values())


@pytest.mark.rule("TG.17")
def test_on_a_full_level_things_lie_in_piles_after_all() -> None:
    scenario = hall("1.")
    scenario.give("1", "rock", "rock", "rock")
    for slot in range(3):
        scenario.turn(("1", Drop(slot)))
    assert sorted(len(pile) for pile in scenario.level.piles.values()) == [1, 2]


@pytest.mark.rule("TG.17")
def test_the_owner_of_the_cell_sees_it_land() -> None:
    scenario = hall("12")
    scenario.lay("rock", 0)
    scenario.give("1", "apple")
    events = scenario.turn(("1", Drop(0)))
    assert "An apple lands between your feet." in read_events(events, scenario["2"])
    assert "An apple lands between your feet." not in read_events(events, scenario["1"])


@pytest.mark.rule("TG.17")
def test_corpse_feeds_five_times_health_died() -> None:
    """A corpse feeds five times the health of who died."""
    scenario = hall("1b", b="bat")
    scenario.set_health("b", hp=1)
    scenario.set_health("b", hp_max=25)
    scenario.turn(("1", Move(*E)))
    [corpse] = scenario.level.piles[1]
    assert corpse.food == 125


@pytest.mark.rule("TG.17")
def test_what_is_bad_takes_food_and_is_reported() -> None:
    scenario = hall("1")
    [apple] = scenario.give("1", "apple")
    apple.food = -50
    scenario.set_food("1", 300)
    assert read_events(scenario.turn(("1", Eat(0))), scenario["1"]) == ["You eat the apple.", "Gross!"]
    assert scenario["1"].food == 250


@pytest.mark.rule("TG.16")
def test_a_thing_is_wielded_or_worn_as_its_kind_says() -> None:
    items = caves().items
    wielded = {kind.key for kind in items.values() if kind.wieldable}
    assert wielded == {kind.key for kind in items.values() if kind.attack + kind.ranged > 0}
    assert all(items[key].attack + items[key].ranged >= items[key].defence for key in wielded)
