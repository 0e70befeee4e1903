"""Plans of a player who hungers: they stop once when food runs low, and starve no player beside food."""

import re

import pytest

from gloam_shared.protocol.commands import Eat, Explore, PickUp, Rest, Travel, Wait
from gloam_shared.view.view import Hunger, Stat
from support.bots.plan_runs import carry_out, first, follow
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
def test_a_player_who_explores_is_warned_once(key: str) -> None:
    """A player who presses explore alone is stopped once before food runs out, and eats what they carry when they starve."""
    food, reasons = shipped(key).hunger.start, []
    for _ in range(200):
        scenario = start(key, food)
        reasons.append(follow(scenario, Explore())[0])
        food = scenario["1"].food
        if not scenario["1"].carried:
            break
    stops = [reason for reason in reasons if "left to explore" not in reason]
    assert [re.sub(r"\d+", "N", stop) for stop in stops] == [
        "You stop: without food you live N turns longer."
    ]
    assert 90 <= int(re.findall(r"\d+", stops[0])[0]) <= 100
    assert scenario.alive("1")


@pytest.mark.parametrize(
    ("key", "food"), [("gloam", 500), ("ruggrogue", 300), ("jsrogue", 100), ("rltut", 200)]
)
def test_turns_are_counted_from_the_warning_on(key: str, food: int) -> None:
    """In campaigns where the fed heal, the count begins where healing ends."""
    scenario = Scenario(CORRIDOR, campaign=shipped(key))
    scenario.set_food("1", food + 2)
    assert scenario.view().fact(Stat.FOOD_TURNS) == 0
    scenario.set_food("1", food)
    assert scenario.view().fact(Stat.FOOD_TURNS) >= 100


def test_a_starving_player_eats_the_least_food() -> None:
    """An excess of food kills by the rule of the first classic, so an explorer does not begin with the largest meal."""
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    scenario.set_food("1", 20)
    for kind in ("apple", "melon"):
        scenario.give("1", kind)
    scenario["1"].hp -= 1
    assert first(scenario, Explore()) == Eat(1)
    assert first(scenario, Rest()) == Eat(1)


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
    assert starving(101).view().fact(Stat.FOOD_TURNS) == 0


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
    word = type(plan).__name__.lower()
    assert first(scenario, plan) == f"You are starving: pick up the food here and eat it before you {word}."


def test_without_food_and_chosen_place_player() -> None:
    """Without food and for a chosen place a player who starves goes on."""
    scenario = starving()
    assert not isinstance(first(scenario, Explore()), str)
    scenario.give("1", "apple")
    assert not isinstance(first(scenario, Travel(2)), str)


def test_player_finds_food_while_starving_takes() -> None:
    """A player who finds food while starving takes it and eats it."""
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    scenario.set_food("1", 20)
    scenario.lay("apple", 4)
    _, done = carry_out(scenario, Explore(pick_up=True))
    assert [type(action) for action in done[3:5]] == [PickUp, Eat]
    assert scenario["1"].carried == []


def test_a_player_without_food_starves() -> None:
    """Food that no one picks up stops a player who starves on it."""
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    scenario.set_food("1", 20)
    scenario.lay("apple", 4)
    follow(scenario, Explore())
    events, _ = follow(scenario, Explore())
    assert events == "You are starving: pick up the food here and eat it before you explore."
    assert (scenario["1"].cell, scenario["1"].carried) == (4, [])


def test_plans_stop_at_worse_states_of_hunger_alone() -> None:
    scenario = Scenario(CORRIDOR, campaign=shipped("jsrogue"))
    fullest = shipped("jsrogue").hunger.max
    scenario.set_food("1", fullest * 95 // 100)
    events, _ = follow(scenario, Explore())
    assert scenario.view().fact(Stat.HUNGER) == Hunger.FULL
    assert "full" not in events
