"""Exploring with `pick_up`: what is worth it is fetched, all else is passed by."""

from gloam_shared.commands import Drop, Explore
from server.sessions.planning import follow
from support.campaigns import shipped
from support.scenario import Scenario

PICKS = Explore(pick_up=True)


def test_explore_fetches_what_is_worth_it_and_passes_by_the_rest() -> None:
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    for at, kind in enumerate(("rock", "potion_might", "corpse", "long_sword"), 4):
        scenario.lay(kind, at)
    assert follow(scenario, PICKS)[0] == "There is nothing left to explore on this level."
    assert [item.kind for item in scenario["1"].carried] == ["potion_might", "long_sword"]


def test_what_was_dropped_on_purpose_is_not_picked_up_again() -> None:
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    scenario.give("1", "potion_might")
    scenario.turn(("1", Drop(0)))
    follow(scenario, PICKS)
    assert scenario["1"].carried == []


def test_worse_gear_and_more_food_than_three_meals_stay() -> None:
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    scenario.give("1", "long_sword", "ration", "ration")
    for at, kind in enumerate(("club", "ration", "bread"), 4):
        scenario.lay(kind, at)
    follow(scenario, PICKS)
    assert [item.kind for item in scenario["1"].carried] == ["long_sword", "ration", "ration", "ration"]
