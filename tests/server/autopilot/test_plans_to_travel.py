"""Plans that lead somewhere: explore, travel, the way to stairs, and run."""

from dataclasses import replace

import pytest

from gloam_server.autopilot import landmarks, plans
from gloam_server.rules.dice import Dice
from gloam_server.world.effects.map_memory import update_map_memory
from gloam_server.world.model.creature import Item, new_creature
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Explore, Move, Run, Travel
from support.bots.plan_runs import DIGS, first, follow, knows, seen_by
from support.content.campaigns import arena
from support.scenarios.device_scenario import machine
from support.scenarios.scenario import E, N, Scenario


def lay(scenario: Scenario, cell: int, name: str = "apple") -> None:
    item = Item(number=1_000_000 + cell, kind="corpse", name=name, colour="red")
    scenario.level.put_item(item, cell, Dice(1, 1, cell))


# Explore.


def on_foot(level: Level, cell: int) -> set[int]:
    """Return the cells that can be walked to."""
    reached, edge = {cell}, [cell]
    for here in edge:
        for there in level.grid.neighbors(here):
            if there not in reached and level.is_walkable(there):
                reached.add(there)
                edge.append(there)
    return reached


@pytest.mark.rule("F02")
@pytest.mark.parametrize("seed", range(30))
def test_explore_comes_know_walked(seed: int) -> None:
    """Explore gets to know every cell that can be reached on foot."""
    dungeon = new_dungeon(arena(), seed)
    level = dungeon.levels[1]
    body = new_creature(level.campaign.player_kind, 1_024, name="Player1", account=1)
    level.add(body, dungeon.realm.arrival, Dice(seed, 1, 0))
    update_map_memory(level)
    reachable = on_foot(level, body.cell)
    terrain = bytes(level.terrain)
    for _ in range(2_000):
        course = plans.begin_plan(seen_by(level, body), Explore(), 1)
        reason = ""
        while isinstance(course, plans.RunningPlan):
            following = plans.continue_plan(seen_by(level, body), course)
            if isinstance(following, plans.PlanEnded):
                reason = following.text
                break
            action, course = following
            apply(level, Turn((PlayerAction(body.number, 0, action),)))
        if reason == "There is nothing left to explore on this level.":
            break
        assert reason.startswith("You found")
    else:
        raise AssertionError("exploring never ended")
    known = level.memory[body.number]
    assert all(known[cell] == terrain[cell] for cell in reachable)
    for cell in reachable:
        assert all(known[there] for there in level.grid.neighbors(cell))
    assert bytes(level.terrain) == terrain, DIGS


@pytest.mark.rule("JG.15")
def test_a_plan_stops_once_when_food_runs_low() -> None:
    """A plan stops when the turns without food are counted, and the next one does not."""
    scenario = Scenario("#1.............#", campaign=arena(hunger="starve_or_choke"))
    scenario.set_food("1", 104)
    stop = "You stop: without food you live 100 turns longer."
    assert follow(scenario, Explore())[0] == stop
    assert scenario["1"].food == 100
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."


def test_explored_level_names_its_devices() -> None:
    scenario = machine("#1......#", "........l")
    follow(scenario, Explore())
    ended = "There is nothing left to explore on this level; it has a lever."
    assert follow(scenario, Explore())[0] == ended


def test_explore_stops_new_thing_and_goes_past() -> None:
    """Explore stops at a new thing and goes on past it."""
    scenario = Scenario("#1.............#")
    lay(scenario, 9)
    assert follow(scenario, Explore())[0] == "You found an apple."
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."


def test_explore_not_stop_thing_sight_already() -> None:
    """Explore does not stop at a thing that was in sight already."""
    scenario = Scenario("#1.............#")
    lay(scenario, 3)
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."


def test_what_is_found_is_reported_with_its_article() -> None:
    scenario = Scenario("#1.............#")
    lay(scenario, 9, "kobold corpse")
    assert follow(scenario, Explore())[0] == "You found a kobold corpse."


def test_explore_not_stop_sight() -> None:
    """Explore does not stop again at what was in sight before."""
    scenario = Scenario("#1.............#")
    lay(scenario, 9)
    before = landmarks.points_of_interest(scenario.view())
    scenario.level.move(scenario["1"], 8)
    known = before | landmarks.points_of_interest(scenario.view())
    scenario.level.move(scenario["1"], 1)
    course = plans.begin_plan(scenario.view(), Explore(), 1, noticed=known)
    while isinstance(course, plans.RunningPlan):
        following = plans.continue_plan(scenario.view(), course)
        if isinstance(following, plans.PlanEnded):
            assert following.text == "There is nothing left to explore on this level."
            break
        action, course = following
        scenario.turn(("1", action))
    assert scenario["1"].cell >= 8


def test_explore_goes_through_closed_doors() -> None:
    scenario = Scenario("#1..+....+....#")
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."
    assert scenario["1"].cell >= 8
    assert Terrain.DOOR_CLOSED not in scenario.level.terrain


def test_travel_leads_through_a_known_door() -> None:
    scenario = Scenario("#1..+....#")
    knows(scenario)
    assert follow(scenario, Travel(8)) == ("", 8)


def test_plans_go_round_known_traps_and_say() -> None:
    """Plans go round known traps and say when there is no other way."""
    round_it = Scenario(
        """
        #######
        #1.^..#
        #.....#
        #######
        """
    )
    knows(round_it)
    assert follow(round_it, Travel(7 + 5)) == ("", 4)
    assert round_it.level.traps
    over_it = Scenario("#1.^......#")
    knows(over_it)
    refusal = "The only way on leads over a trap: step there by hand."
    assert follow(over_it, Travel(8)) == (refusal, 1)
    over_it.level.memory[over_it["1"].number][9:] = bytes(2)
    assert follow(over_it, Explore()) == (refusal, 0)
    assert over_it.level.traps


def test_plans_lead_up_to_a_trap_in_the_only_way() -> None:
    scenario = Scenario("#1......^.....#")
    knows(scenario)
    assert follow(scenario, Travel(12)) == ("The only way on leads over a trap: step there by hand.", 6)
    assert scenario["1"].cell == 7


def test_a_trap_may_be_where_one_travels_to() -> None:
    scenario = Scenario("#1.^..#")
    knows(scenario)
    assert follow(scenario, Travel(3)) == ("You stop: you are hurt.", 2)
    assert not scenario.level.traps


def test_explore_stops_at_new_stairs() -> None:
    scenario = Scenario("#1.........>...#")
    assert follow(scenario, Explore())[0] == "You found stairs down."


def test_explore_does_not_walk_through_a_foe() -> None:
    scenario = Scenario("#1F........#", F="fungus")
    assert first(scenario, Explore()) == "A fungus bars the only way: walk into it to fight."


# Travel.


def test_travel_goes_a_shortest_way_and_ends_there() -> None:
    scenario = Scenario(
        """
        #######
        #1.#..#
        ##.#.##
        ##...##
        #######
        """
    )
    knows(scenario)
    goal = 7 + 5
    assert follow(scenario, Travel(goal)) == ("", 4)  # corners are cut
    assert scenario["1"].cell == goal


@pytest.mark.parametrize("cell", [0, 4, 60_000])
def test_travel_knows_no_way_rock_or_unknown(cell: int) -> None:
    """Travel knows no way to rock or the unknown or beyond the map."""
    assert first(Scenario("#1.#.#"), Travel(cell)) == "You do not know a way there."


def test_travel_goes_only_by_known_ways() -> None:
    scenario = Scenario("#1........#")
    assert first(scenario, Travel(9)) == "You do not know a way there."
    knows(scenario)
    assert first(scenario, Travel(9)) == Move(*E)


def test_travel_to_where_one_stands_ends_at_once() -> None:
    assert first(Scenario("#1.#"), Travel(1)) == ""


def test_travel_passes_friends_by_changing_places() -> None:
    scenario = Scenario("#12..#")
    assert follow(scenario, Travel(4)) == ("", 4)


def test_travel_is_bounded() -> None:
    scenario = Scenario("#1..#")
    view = scenario.view()
    course = plans.begin_plan(view, Travel(3), 1)
    assert isinstance(course, plans.RunningPlan)
    assert not isinstance(
        plans.continue_plan(view, replace(course, steps=plans.STEPS_MAX - 1)), plans.PlanEnded
    )
    assert plans.continue_plan(view, replace(course, steps=plans.STEPS_MAX)) == plans.PlanEnded(
        "You stop: that was far enough.", "far"
    )


# Stairs.


def test_stairs_underfoot_are_taken() -> None:
    scenario = Scenario("#1.#")
    scenario.level.dig(1, Terrain.STAIRS_DOWN)
    update_map_memory(scenario.level)
    view = scenario.view()
    assert plans.plan_for_stairs(view, Climb(down=True)) == Climb(down=True)


def test_known_stairs_travelled_nearest_first() -> None:
    """Known stairs are traveled to the nearest first."""
    scenario = Scenario("#>..1.>#<#")
    view = scenario.view()
    assert plans.plan_for_stairs(view, Climb(down=True)) == Travel(6)


def test_unknown_stairs_left_servers_refusal() -> None:
    """Unknown stairs are left to the servers refusal."""
    scenario = Scenario("#1.......>#")
    view = scenario.view()
    assert plans.plan_for_stairs(view, Climb(down=True)) == Climb(down=True)


# Run.


def test_run_goes_straight_on_to_the_wall() -> None:
    scenario = Scenario("#1....#")
    assert follow(scenario, Run(*E)) == ("", 4)
    assert scenario.where("1") == (5, 0)


def test_run_against_a_wall_or_a_body_ends_at_once() -> None:
    assert follow(Scenario("#1#"), Run(*E)) == ("", 0)
    assert follow(Scenario("#1#"), Run(*N)) == ("", 0)
    assert follow(Scenario("#12.#"), Run(*E)) == ("", 0)
