"""Hunger: rule JG.15 as played, and what it must not do."""

import pytest

from gloam_server.world.model.events import ExperienceGained, PlayerDied
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_shared.protocol.commands import Climb, Drop, Eat, Move, Wait
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import E, Scenario, facts, kinds, read_events


def hungry(drawing: str, food: int) -> Scenario:
    scenario = Scenario(drawing, campaign=arena(hunger="starve_or_choke"), S="statue")
    scenario.set_food("1", food)
    return scenario


@pytest.mark.rule("JG.15")
def test_an_action_of_jsrogue_costs_one_of_500() -> None:
    """A life of jsrogue begins with 500, and each action takes one."""
    scenario = Scenario("#1..#", campaign=shipped("jsrogue"))
    assert scenario["1"].food == 500
    scenario.go("1", E)
    scenario.turn(("1", Wait()))
    scenario.turn(("1", None))
    assert scenario["1"].food == 497


def test_only_who_acts_hungers() -> None:
    scenario = Scenario("#1k2#", campaign=arena(hunger="starve_or_choke"), k="statue")
    scenario.set_stats("2", speed=250)
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert [scenario[name].food for name in ("1", "2", "k")] == [29, 30, 0]


def test_impossible_commands_refused() -> None:
    """Impossible commands are refused before they cost food."""
    scenario = hungry("#1.#", 30)
    before = scenario["1"].food
    events = scenario.turn(("1", Drop(0)))  # it got into a turn all the same, and became guarding
    assert kinds(events) == ["guards"]
    assert scenario["1"].food == before - 1


@pytest.mark.rule("JG.15")
@pytest.mark.parametrize(
    ("food", "words"),
    [
        (51, "You are hungry."),
        (11, "You are starving."),
        (150, "You are not hungry."),
        (190, "You are full."),
    ],
)
def test_new_state_reported_oneself_number(food: int, words: str) -> None:
    """The player reads each new hunger state, with the number."""
    scenario = hungry("#12#", food)
    events = scenario.turn(("1", Wait()))
    assert read_events(events, scenario["1"]) == [words]
    assert [event.amount for event in events] == [food - 1]
    assert read_events(events, scenario["2"]) == []


@pytest.mark.rule("JG.15")
def test_nothing_dies_starvation_and_leaves() -> None:
    """At nothing one dies of starvation and leaves all."""
    scenario = hungry("#1.2#", 1)
    scenario.give("1", "rock", "sword")
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Wait()),)))
    assert read_events(result.events, scenario["1"]) == ["You have died of starvation!"]
    assert read_events(result.events, scenario["2"]) == ["Player1 dies of starvation!"]
    [death] = result.outputs
    assert isinstance(death, PlayerDied)
    assert (death.by, death.account, death.turns, death.cell) == ("starvation", 1, 1, 1)
    assert not scenario.alive("1")
    assert [item.name for item in scenario.level.piles[1]] == [
        "grave of Player1",
        "rock",
        "sword",
        "Player1 corpse",
    ]
    assert not facts(result.events, ExperienceGained)


@pytest.mark.rule("JG.15")
def test_who_eats_beyond_the_maximum_chokes() -> None:
    scenario = hungry("#1.#", 151)
    scenario.give("1", "apple", "rock")
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Eat(0)),)))
    assert read_events(result.events, scenario["1"]) == ["You eat the apple.", "You choke and die!"]
    [death] = result.outputs
    assert isinstance(death, PlayerDied)
    assert death.by == "choking"
    assert [item.name for item in scenario.level.piles[1]] == ["grave of Player1", "rock", "Player1 corpse"]


@pytest.mark.rule("JG.15", "JG.16")
def test_bite_feeds_and_maximum_not_kill() -> None:
    """A bite feeds and the maximum itself does not kill."""
    scenario = hungry("#1.#", 150)
    scenario.give("1", "apple", "melon")
    scenario.turn(("1", Eat(0)))
    assert (scenario["1"].food, scenario.alive("1")) == (199, True)
    scenario.set_food("1", 40)
    scenario.turn(("1", Eat(1)))
    assert scenario["1"].food == 74


def test_a_last_bite_in_time_saves() -> None:
    scenario = hungry("#1.#", 1)
    scenario.give("1", "apple")
    scenario.turn(("1", Eat(0)))
    assert (scenario["1"].food, scenario.alive("1")) == (50, True)


def test_takes_stairs_last_strength_starves_next() -> None:
    """A player who takes the stairs with their last strength starves at their next action."""
    scenario = hungry("#1>#", 2)
    scenario.go("1", E)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Climb(down=True)),)))
    assert [type(output).__name__ for output in result.outputs] == ["ChangedLevel"]
    assert scenario["1"].food == 0


def test_who_starves_by_a_blow_has_struck() -> None:
    scenario = hungry("#1S#", 1)
    assert kinds(scenario.turn(("1", Move(1, 0)))) == ["strikes", "starves"]
