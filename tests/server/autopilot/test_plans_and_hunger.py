"""Plans of a player who hungers: they stop at each worse state, and starve no player beside food."""

import pytest

from gloam_shared.protocol.commands import Eat, Explore, Rest, Travel, Wait
from gloam_shared.view.view import Hunger, Stat
from support.bots.plan_runs import first, follow
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario

CORRIDOR = f"#1{'.' * 60}#"


def start(key: str, food: int) -> Scenario:
    """Return a player with an apple and so much food at the start of an unknown corridor."""
    scenario = Scenario(CORRIDOR, campaign=shipped(key))
    scenario.set_food("1", food)
    scenario.give("1", "apple")
    return scenario


@pytest.mark.parametrize("key", ["jsrogue", "rltut"])
def test_presses_explore_alone_warned_and_stopped(key: str) -> None:
    """A player who presses explore alone is warned and stopped before hunger kills."""
    food, reasons = shipped(key).hunger.start, []
    for _ in range(200):
        scenario = start(key, food)
        reasons.append(follow(scenario, Explore())[0])
        food = scenario["1"].food
        if reasons[-1].startswith("You are starving"):
            break
    stops = [reason for reason in reasons if "left to explore" not in reason]
    assert stops == [
        "You stop: you are hungry.",
        "You stop: you are starving.",
        "You are starving: eat before you explore.",
    ]
    assert scenario.alive("1")
    left = scenario.view().fact(Stat.FOOD_TURNS)
    assert left > 10
    scenario.turn(("1", Eat(0)))
    assert scenario.view().fact(Stat.FOOD_TURNS) > left


def starving(food: int = 2) -> Scenario:
    scenario = Scenario(CORRIDOR, campaign=arena(hunger="starve_or_choke"))
    scenario.set_food("1", food)
    return scenario


def test_the_turns_left_count_down_to_death() -> None:
    scenario = starving(3)
    collected = []
    while scenario.alive("1"):
        collected.append(scenario.view().fact(Stat.FOOD_TURNS))
        scenario.turn(("1", Wait()))
    assert collected == [3, 2, 1]


def test_nothing_counted_player_fed() -> None:
    """Nothing is counted for a player who is fed or where no one hungers."""
    assert Scenario("#1.#").view().fact(Stat.FOOD_TURNS) == 0
    assert starving(100).view().fact(Stat.FOOD_TURNS) == 0


def test_gloam_count_goes_death_hunger_brings() -> None:
    """In gloam the count goes on to the death that hunger brings."""
    scenario = Scenario(CORRIDOR, campaign=shipped("gloam"))
    body = scenario["1"]
    body.food = 0
    left = scenario.view().fact(Stat.FOOD_TURNS)
    steps = 0
    while scenario.alive("1"):
        assert scenario.view().fact(Stat.FOOD_TURNS) == left - steps
        scenario.turn(("1", Wait()))
        steps += 1
    assert steps == left


@pytest.mark.parametrize("plan", [Explore(), Rest()])
def test_food_underfoot_bars_a_plan_of_who_starves_too(plan: Explore | Rest) -> None:
    scenario = starving()
    scenario["1"].hp -= 1
    scenario.lay("apple", 1)
    assert first(scenario, plan) == f"You are starving: eat before you {type(plan).__name__.lower()}."


def test_without_food_and_chosen_place_player() -> None:
    """Without food and for a chosen place a player who starves goes on."""
    scenario = starving()
    assert not isinstance(first(scenario, Explore()), str)
    scenario.give("1", "apple")
    assert not isinstance(first(scenario, Travel(2)), str)


def test_player_finds_food_while_starving_takes() -> None:
    """A player who finds food while starving takes it and is stopped to eat it."""
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    scenario.set_food("1", 20)
    scenario.lay("apple", 4)
    events, steps = follow(scenario, Explore(pick_up=True))
    assert events == "You are starving: eat before you explore."
    assert [item.kind for item in scenario["1"].carried] == ["apple"]
    assert steps == 4
    scenario.turn(("1", Eat(0)))
    assert not isinstance(first(scenario, Explore(pick_up=True)), str)


def test_a_player_without_food_starves() -> None:
    """Food that no one picks up stops a player who starves on it."""
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    scenario.set_food("1", 20)
    scenario.lay("apple", 4)
    follow(scenario, Explore())
    events, _ = follow(scenario, Explore())
    assert events == "You are starving: eat before you explore."
    assert (scenario["1"].cell, scenario["1"].carried) == (4, [])


def test_plans_stop_at_worse_states_of_hunger_alone() -> None:
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    fullest = shipped("jsrogue").hunger.max
    scenario.set_food("1", fullest * 95 // 100)
    events, _ = follow(scenario, Explore())
    assert scenario.view().fact(Stat.HUNGER) == Hunger.FULL
    assert "full" not in events
