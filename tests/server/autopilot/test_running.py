"""Running (rule RG.23): the three ways in which a run goes on, and what stops it."""

import pytest

from gloam_server.autopilot.plans import RUN_MAX, PlanEnded, RunningPlan, begin_plan, continue_plan
from gloam_shared.geometry import DIRECTIONS, Direction
from gloam_shared.protocol.commands import Move, Run
from support.content.campaigns import arena
from support.scenarios.scenario import E, N, S, Scenario, W


def run(scenario: Scenario, heading: Direction) -> tuple[str, tuple[int, int], int]:
    """Run to the end; return why it ended, where, and after how many turns."""
    course = begin_plan(scenario.view(), Run(*heading), 1)
    if isinstance(course, PlanEnded):
        return course.text, scenario.where("1"), 0
    for turns in range(RUN_MAX + 1):
        following = continue_plan(scenario.view(), course)
        if isinstance(following, PlanEnded):
            return following.text, scenario.where("1"), turns
        action, course = following
        scenario.turn(("1", action))
    raise AssertionError("the run never ended")


@pytest.mark.rule("RG.23")
def test_a_run_follows_a_corridor_round_its_corners() -> None:
    scenario = Scenario(
        """
        ##########
        #1....####
        #####.####
        #####....#
        ########.#
        ########.#
        ##########
        """
    )
    assert run(scenario, E) == ("", (8, 5), 11)


@pytest.mark.rule("RG.23")
@pytest.mark.parametrize("turned", range(8))
def test_run_follows_corridor_whichever_way_leads(turned: int) -> None:
    """A corridor that leads away in each of the eight directions, ten cells long, in solid rock."""
    dx, dy = DIRECTIONS[turned]
    size = 23
    rows = [["#"] * size for _ in range(size)]
    for far in range(11):
        rows[11 + dy * far][11 + dx * far] = "."
    rows[11][11] = "1"
    scenario = Scenario("\n".join("".join(row) for row in rows))
    assert run(scenario, (dx, dy)) == ("", (11 + 10 * dx, 11 + 10 * dy), 10)


@pytest.mark.rule("RG.23")
def test_run_corridor_stops_another_leads_away() -> None:
    """A run in a corridor stops where another leads away."""
    scenario = Scenario(
        """
        ###########
        #1........#
        #####.#####
        #####.#####
        ###########
        """
    )
    reason, where, _ = run(scenario, E)
    assert (reason, where) == ("", (4, 1))


@pytest.mark.rule("RG.23")
def test_run_corridor_stops_opens_room() -> None:
    """A run in a corridor stops where it opens into a room."""
    scenario = Scenario(
        """
        ###########
        ######....#
        #1........#
        ######....#
        ###########
        """
    )
    reason, (x, y), _ = run(scenario, E)
    assert (reason, y) == ("", 2)
    assert 4 <= x <= 6


@pytest.mark.rule("RG.23")
def test_a_run_along_a_wall_stops_where_the_wall_does() -> None:
    scenario = Scenario(
        """
        ####.#######
        #1.........#
        #..........#
        #..........#
        ############
        """
    )
    assert run(scenario, E) == ("", (3, 1), 2)


@pytest.mark.rule("RG.23")
def test_a_run_along_a_wall_goes_to_its_end() -> None:
    scenario = Scenario(
        """
        ############
        #1.........#
        #..........#
        #..........#
        ############
        """
    )
    assert run(scenario, E) == ("", (10, 1), 9)


@pytest.mark.rule("RG.23")
def test_run_across_open_stops_wall_begins() -> None:
    """A run across the open stops where a wall begins."""
    scenario = Scenario(
        """
        ############
        #..........#
        #......#####
        #1.........#
        #..........#
        #..........#
        ############
        """
    )
    reason, where, _ = run(scenario, E)
    assert (reason, where) == ("", (6, 3))


@pytest.mark.rule("RG.23")
def test_a_diagonal_run_crosses_the_open() -> None:
    scenario = Scenario(
        """
        ############
        #1.........#
        #..........#
        #..........#
        #..........#
        #..........#
        #..........#
        ############
        """
    )
    reason, (x, y), turns = run(scenario, (1, 1))
    assert (reason, x - y) == ("", 0)
    assert turns == x - 1 >= 3


@pytest.mark.rule("RG.23")
@pytest.mark.parametrize(
    ("sign", "words"),
    [
        ("'", "an open door"),
        ("+", "a closed door"),
        (">", "a rock staircase leading downwards"),
        ("^", "a trap"),
        ("_", "a shrine"),
        ("&", "a burning brazier"),
    ],
)
def test_run_stops_beside_whatever_neither_floor(sign: str, words: str) -> None:
    """A run stops beside anything that is neither floor nor wall."""
    scenario = Scenario(f"########\n#1...{sign}.#\n########")
    assert run(scenario, E) == (f"You stop at {words}.", (4, 1), 3)


@pytest.mark.rule("RG.23")
@pytest.mark.parametrize("sign", [",", '"'])
def test_run_not_stop_grass_and_shallow_water(sign: str) -> None:
    """A run does not stop for grass and shallow water."""
    scenario = Scenario(f"########\n#1...{sign}.#\n########")
    assert run(scenario, E) == ("", (6, 1), 5)


@pytest.mark.rule("RG.23")
def test_a_run_stops_beside_an_item() -> None:
    """A run stops beside an item, and not when it only enters sight."""
    scenario = Scenario("############\n#1.........#\n############")
    scenario.lay("apple", 8, 1)
    assert run(scenario, E) == ("You stop at an apple.", (7, 1), 6)
    assert run(scenario, E) == ("You stop at an apple.", (8, 1), 1)
    assert run(scenario, E) == ("", (10, 1), 2)


@pytest.mark.rule("RG.23")
def test_run_begins_step_cannot_go() -> None:
    """A run begins with one step even where it cannot go on."""
    scenario = Scenario("####\n#..#\n#1.#\n#.##\n####")
    assert run(scenario, N)[1:] == ((1, 1), 1)


@pytest.mark.rule("RG.23")
def test_run_against_wall_or_friend_not_begin() -> None:
    """A run against a wall or a friend does not begin."""
    assert run(Scenario("#1#"), E) == ("", (1, 0), 0)
    assert run(Scenario("#12.#"), E) == ("", (1, 0), 0)


@pytest.mark.rule("RG.23")
def test_a_run_against_a_closed_door_opens_it_and_ends() -> None:
    scenario = Scenario("#1+..#")
    assert run(scenario, E) == ("", (1, 0), 1)
    assert run(scenario, E)[1] == (2, 0)


@pytest.mark.rule("RG.23")
def test_a_run_is_refused_while_foes_are_near() -> None:
    scenario = Scenario("#1...S#", S="statue")
    assert run(scenario, E) == ("You cannot run while foes are near. A statue is deadly.", (1, 0), 0)


@pytest.mark.rule("RG.23")
def test_a_run_stops_when_a_foe_comes_into_view() -> None:
    scenario = Scenario("#1..........S#", S="statue")
    assert run(scenario, E) == ("A statue comes into view.", (6, 0), 5)


@pytest.mark.rule("RG.23")
def test_a_run_stops_when_food_runs_low() -> None:
    """A run stops when food runs low, and not at other states of hunger."""
    scenario = Scenario("#1.............#", campaign=arena(hunger="starve_or_choke"))
    scenario.set_food("1", 104)
    assert run(scenario, E)[0] == "You stop: without food you live 100 turns longer."
    scenario = Scenario("#1.............#", campaign=arena(hunger="starve_or_choke"))
    scenario.set_food("1", 154)  # full above 150 of 200
    assert run(scenario, E) == ("", (14, 0), 13)


@pytest.mark.rule("RG.23")
def test_a_run_is_200_steps_at_most() -> None:
    scenario = Scenario("#1" + "." * 240 + "#")
    assert run(scenario, E) == ("You stop: that was far enough.", (201, 0), RUN_MAX)


def test_a_run_in_a_corridor_turns_its_heading_with_it() -> None:
    scenario = Scenario("####\n#1.#\n##.#\n##.#\n####")
    course = begin_plan(scenario.view(), Run(*E), 1)
    assert isinstance(course, RunningPlan)
    for expected in (E, S):
        following = continue_plan(scenario.view(), course)
        assert not isinstance(following, PlanEnded)
        action, course = following
        assert action == Move(*expected)
        scenario.turn(("1", action))


@pytest.mark.rule("RG.23")
def test_running_back_is_running_too() -> None:
    scenario = Scenario("#......1#")
    assert run(scenario, W) == ("", (1, 0), 6)


@pytest.mark.rule("F17")
def test_only_a_friend_in_the_way_stops_a_run() -> None:
    """A friend in view does not stop a run, and one in the way does."""
    scenario = Scenario(
        """
        ############
        #1.........#
        #..........#
        #........2.#
        ############
        """
    )
    assert run(scenario, E) == ("", (10, 1), 9)
    assert run(Scenario("#1....2.#"), E) == ("", (5, 0), 4)
