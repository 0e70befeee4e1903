"""Plans of two players in one corridor: neither holds the other up."""

import pytest

from gloam_server.autopilot.plans import PlanEnded, RunningPlan, begin_plan, continue_plan
from gloam_server.world.combat.hostility import make_ally
from gloam_server.world.model.creature_state import Down
from gloam_shared.protocol.commands import Travel, Wait
from support.bots.plan_runs import carry_out, knows
from support.scenarios.scenario import Scenario

TURNS = 12


def both_travel(drawing: str, goals: tuple[int, int]) -> tuple[int, int]:
    """Let both players travel, the first acting first; return the cells that they have reached after some turns."""
    scenario = Scenario(drawing)
    knows(scenario)
    scenario.level.memory[scenario["2"].number][:] = scenario.level.terrain
    running: dict[str, RunningPlan] = {}
    for name, goal in zip("12", goals, strict=True):
        course = begin_plan(scenario.view(name), Travel(goal), 1)
        assert isinstance(course, RunningPlan)
        running[name] = course
    for _ in range(TURNS):
        for name, course in list(running.items()):
            following = continue_plan(scenario.view(name), course)
            if isinstance(following, PlanEnded):
                del running[name]
            else:
                action, running[name] = following
                scenario.turn((name, action))
    return scenario["1"].cell, scenario["2"].cell


@pytest.mark.rule("F162")
@pytest.mark.parametrize(
    ("drawing", "goals"),
    [
        ("#12.......#", (8, 9)),
        ("#21.......#", (9, 8)),
        ("#....12...#", (9, 1)),
        ("#....1.2..#", (9, 1)),
        ("#....21...#", (1, 9)),
    ],
)
def test_two_plans_pass_each_other(drawing: str, goals: tuple[int, int]) -> None:
    """Behind each other and against each other, both arrive; changes of places in one turn would undo each other."""
    assert both_travel(drawing, goals) == goals


@pytest.mark.rule("F162")
def test_a_plan_passes_a_friend_who_stands_still() -> None:
    """It waits for a turn, in case the friend goes on, and then changes places."""
    scenario = Scenario("#1.2...#")
    knows(scenario)
    reason, done = carry_out(scenario, Travel(6))
    assert (reason, scenario["1"].cell, scenario["2"].cell) == ("", 6, 2)
    assert done.count(Wait()) == 1
    assert len(done) == 6


@pytest.mark.rule("F162")
def test_a_plan_does_not_step_onto_a_downed_friend() -> None:
    """A step there would lift them, with a potion perhaps: that is for the player to decide."""
    scenario = Scenario("#1.2...#")
    knows(scenario)
    scenario["2"].hp, scenario["2"].down = 1, Down(5, 0, "an ogre")
    assert carry_out(scenario, Travel(6)) == ("Player2 stands in the only way.", [])


@pytest.mark.rule("F162")
@pytest.mark.parametrize("goal", [1, 6])
def test_a_plan_changes_places_with_a_companion(goal: int) -> None:
    """A companion follows its player into a dead end, and would bar the way out."""
    scenario = Scenario("#..1F..#" if goal == 6 else "#..F1..#", F="fungus")
    make_ally(scenario.level, scenario["F"])
    knows(scenario)
    reason, done = carry_out(scenario, Travel(goal))
    assert (reason, scenario["1"].cell) == ("", goal)
    assert Wait() not in done
