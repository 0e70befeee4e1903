"""Plans: what keeps them from beginning, what ends them, and what they know."""

from dataclasses import replace

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.sessions.plans import Course, Ended, begin, proceed
from gloam_server.world.creature import born
from gloam_shared.commands import Explore, Move, Plan, Rest, Run, Travel
from server.sessions.planning import first, follow, knows
from support.scenario import E, Scenario

WALKS = [Explore(), Travel(12), Run(*E), Rest()]


@pytest.mark.parametrize("plan", WALKS)
def test_no_plan_begins_while_something_holds_one(plan: Plan) -> None:
    scenario = Scenario("#1...S.......#", S="statue")
    word = type(plan).__name__.lower()
    assert first(scenario, plan) == f"You cannot {word} while foes are near."


@pytest.mark.parametrize("plan", WALKS)
def test_a_new_enemy_ends_a_plan(plan: Plan) -> None:
    scenario = Scenario("#1.............#")
    scenario["1"].hp = 30
    knows(scenario)

    def come(turn: int) -> None:
        if turn == 2:
            ogre = born(scenario.level.campaign.creatures["ogre"], 99)
            scenario.level.add(ogre, scenario["1"].cell + 4, Dice(1, 1, 99))

    if isinstance(plan, Explore):
        scenario.level.memory[scenario["1"].number][10:] = bytes(6)
    assert follow(scenario, plan, meanwhile=come) == ("An ogre comes into view.", 3)


@pytest.mark.parametrize("plan", WALKS)
def test_being_hurt_ends_a_plan(plan: Plan) -> None:
    scenario = Scenario("#1.............#")
    scenario["1"].hp = 30
    if not isinstance(plan, Explore):
        knows(scenario)

    def hurt(turn: int) -> None:
        if turn == 2:
            scenario["1"].hp -= 1

    assert follow(scenario, plan, meanwhile=hurt) == ("You stop: you are hurt.", 3)


def test_another_level_ends_a_plan_without_a_word() -> None:
    scenario = Scenario("#1.............#")
    view = scenario.view()
    course = begin(view, Explore(), 1)
    assert isinstance(course, Course)
    assert proceed(view, replace(course, depth=2)) == Ended()


def test_a_harmless_foe_ends_no_plan() -> None:
    scenario = Scenario("#1..........F#", F="fungus")
    knows(scenario)
    assert follow(scenario, Travel(11)) == ("", 10)


def test_a_plan_carries_the_number_of_its_command() -> None:
    scenario = Scenario("#1..#")
    course = begin(scenario.view(), Run(*E), 17)
    assert isinstance(course, Course)
    assert course.number == 17


def test_a_plan_knows_only_the_view() -> None:
    """What lies beyond sight changes no step: the same view, the same plan."""
    one, other = Scenario("#1........S#", S="statue"), Scenario("#1.........#")
    views = [scenario.view() for scenario in (one, other)]
    steps = []
    for view in views:
        course = begin(view, Explore(), 1)
        assert isinstance(course, Course)
        following = proceed(view, course)
        assert not isinstance(following, Ended)
        steps.append(following[0])
    assert steps[0] == steps[1] == Move(*E)


def test_who_only_goes_to_and_fro_and_learns_nothing_stops() -> None:
    scenario = Scenario("#1....#")
    view = scenario.view()
    course = begin(view, Travel(5), 1)
    assert isinstance(course, Course)
    here = view.cell
    to_and_fro = replace(course, steps=6, trail=(here, 2, here, 2, here, 2))
    assert proceed(view, to_and_fro) == Ended("You stop: the only way is blocked.")
