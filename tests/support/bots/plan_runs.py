"""Plans on drawn levels, followed to their end or asked for their first command."""

from collections.abc import Callable

from gloam_server.autopilot.plans import PlanEnded, begin_plan, continue_plan
from gloam_server.views.projection import project
from gloam_server.world.effects.map_memory import known_from_maps
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.protocol.commands import ActionCommand, Plan
from gloam_shared.view.view import Log, View
from support.scenarios.scenario import Scenario

DIGS = "a plan never digs"


def seen_by(level: Level, body: Creature) -> View:
    """Return a player's view, without information about other players."""
    return project(level, body, marks={}, party=(), log=Log())


def follow(
    scenario: Scenario, plan: Plan, *, limit: int = 500, meanwhile: Callable[[int], None] | None = None
) -> tuple[str, int]:
    """Follow a plan of the first player to its end; return why it ended, and after how many turns."""
    reason, done = carry_out(scenario, plan, limit=limit, meanwhile=meanwhile)
    return reason, len(done)


def carry_out(
    scenario: Scenario, plan: Plan, *, limit: int = 500, meanwhile: Callable[[int], None] | None = None
) -> tuple[str, list[ActionCommand]]:
    """Follow a plan of the first player to its end; return why it ended, and what they did."""
    done: list[ActionCommand] = []
    course = begin_plan(scenario.view(), plan, 1)
    if isinstance(course, PlanEnded):
        return course.text, done
    while len(done) < limit:
        mapped = known_from_maps(scenario.level, scenario["1"].number)
        following = continue_plan(scenario.view(), course, mapped)
        if isinstance(following, PlanEnded):
            return following.text, done
        action, course = following
        assert "digs" not in [event.kind for event in scenario.turn(("1", action))], DIGS
        if meanwhile is not None:
            meanwhile(len(done))
        done.append(action)
    raise AssertionError(f"{plan} never ended")


def first(scenario: Scenario, plan: Plan) -> ActionCommand | str:
    """Return the first command of a plan, or why it does not even begin."""
    view = scenario.view()
    course = begin_plan(view, plan, 1)
    if isinstance(course, PlanEnded):
        return course.text
    following = continue_plan(view, course)
    return following.text if isinstance(following, PlanEnded) else following[0]


def knows(scenario: Scenario) -> None:
    """Let the first player remember the whole map."""
    scenario.level.memory[scenario["1"].number][:] = scenario.level.terrain
