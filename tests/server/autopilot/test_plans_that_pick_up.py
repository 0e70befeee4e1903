"""Exploring with `pick_up`: what is worth it is fetched, all else is passed by."""

from dataclasses import replace

import pytest

from gloam_server.autopilot.assessment import is_full
from gloam_server.autopilot.plans import RunningPlan, begin_plan, plan_for_stairs, taking
from gloam_server.engine.turns.plan_steps import goals_with_room
from gloam_server.world.effects.map_memory import known_from_maps, reveal_cells
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Drop, Explore, PickUp, Run, Throw, Travel
from gloam_shared.view.view import ItemFlag
from support.bots.plan_runs import follow, knows
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario

PICKS = Explore(pick_up=True)


def test_explore_fetches_worth_and_passes_rest() -> None:
    """Explore fetches what is worth it and passes by the rest."""
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    for at, kind in enumerate(("rock", "potion_might", "corpse", "long_sword"), 4):
        scenario.lay(kind, at)
    assert follow(scenario, PICKS)[0] == "There is nothing left to explore on this level."
    assert [item.kind for item in scenario["1"].carried] == ["potion_might", "long_sword"]


@pytest.mark.rule("F17")
def test_exploring_goes_where_only_a_map_was() -> None:
    """A map shows ways, but no items: exploring ends once each cell of it was seen."""
    scenario = Scenario(
        "#1....#....#\n#####..#.#.#\n####..###..#\n####...#..##\n#####.....##", campaign=shipped("gloam")
    )
    scenario.lay("potion_might", 10)
    reveal_cells(scenario.level, scenario["1"], range(scenario.level.grid.size))
    assert any(known_from_maps(scenario.level, scenario["1"].number))
    assert Terrain.UNKNOWN not in scenario.view().terrain[1:6]
    assert follow(scenario, PICKS)[0] == "There is nothing left to explore on this level."
    assert [item.kind for item in scenario["1"].carried] == ["potion_might"]
    assert not any(known_from_maps(scenario.level, scenario["1"].number))


def test_dropped_purpose_not_picked() -> None:
    """An item that was dropped on purpose is not picked up again."""
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    scenario.give("1", "potion_might")
    scenario.turn(("1", Drop(0)))
    follow(scenario, PICKS)
    assert scenario["1"].carried == []


def test_worse_gear_and_more_food() -> None:
    """Worse gear and more food than three meals stay."""
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    scenario.give("1", "long_sword", "ration", "ration")
    for at, kind in enumerate(("club", "ration", "bread"), 4):
        scenario.lay(kind, at)
    follow(scenario, PICKS)
    assert [item.kind for item in scenario["1"].carried] == ["long_sword", "ration", "ration", "ration"]


def test_a_full_pack_drops_only_the_goals_of_the_start() -> None:
    """A goal that was seen later has room, in a stack perhaps: without it exploring would turn back and forth."""
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    begun = begin_plan(scenario.view(), Explore(pick_up=True, cells=(9,)), 1)
    assert isinstance(begun, RunningPlan)
    under_way = replace(begun, steps=1)
    assert goals_with_room(scenario["1"], begun).wanted == {9}
    scenario.give("1", *["long_sword"] * scenario["1"].slots.count(None))
    assert goals_with_room(scenario["1"], begun).wanted == set()
    assert goals_with_room(scenario["1"], under_way).wanted == {9}


ROUND_A_CORNER = """
    ############
    #1.........#
    ##########.#
    #..........#
    ############
"""


@pytest.mark.parametrize(("recalled", "carried"), [(True, ["potion_might"]), (False, [])])
def test_explore_goes_to_what_is_recalled_out_of_sight(recalled: bool, carried: list[str]) -> None:
    scenario = Scenario(ROUND_A_CORNER, campaign=shipped("gloam"))
    knows(scenario)
    scenario.lay("potion_might", 1, 3)
    cell = 3 * scenario.width + 1
    assert not scenario.view().sight[cell]
    events, _ = follow(scenario, Explore(pick_up=True, cells=(cell,) if recalled else ()))
    assert events == "There is nothing left to explore on this level."
    assert [item.kind for item in scenario["1"].carried] == carried


def test_a_wrong_memory_holds_no_one() -> None:
    """An item that is recalled wrongly or in the rock holds no one up."""
    scenario = Scenario(ROUND_A_CORNER, campaign=shipped("gloam"))
    knows(scenario)
    gone, rock, beyond = 3 * scenario.width + 1, 0, 65_535
    events, steps = follow(scenario, Explore(pick_up=True, cells=(gone, rock, beyond)))
    assert events == "There is nothing left to explore on this level."
    assert steps < 30


def test_a_missile_that_was_thrown_is_fetched_again() -> None:
    scenario = Scenario("#1.............#", campaign=shipped("gloam"))
    scenario.give("1", "javelin")
    scenario.turn(("1", Throw(0, 6)))
    assert scenario["1"].carried == []
    follow(scenario, PICKS)
    assert [item.kind for item in scenario["1"].carried] == ["javelin"]


def test_worse_weapon_and_rock_thrown_fetched() -> None:
    """A worse weapon and a rock that were thrown are fetched and a gift is not."""
    scenario = Scenario("#12............#", campaign=shipped("gloam"))
    scenario.give("1", "knife", "rock", "long_sword", "dagger")
    knows(scenario)
    scenario.turn(("1", Throw(3, 2)))
    assert [item.left_by for _, item in scenario.level.items_at()] == [scenario["1"].number]
    for slot in (0, 1):
        scenario.turn(("1", Throw(slot, 7)))
    follow(scenario, PICKS)
    assert sorted(item.kind for item in scenario["1"].carried) == ["knife", "long_sword", "rock"]


def test_lies_beneath_way_picked_plan_says() -> None:
    """An item beneath a way is picked up only where the plan says so."""
    for plan, carried in ((Travel(8), 0), (Travel(8, pick_up=True), 2), (Run(1, 0, pick_up=True), 1)):
        scenario = Scenario("#1.............#", campaign=shipped("gloam"))
        knows(scenario)
        for at in (2, 8):
            scenario.lay("potion_might", at)
        follow(scenario, plan)
        assert len(scenario["1"].carried) == carried, plan


def test_way_stairs_journey_picks_climb_says() -> None:
    """The way to stairs is a journey that picks up as the climb says."""
    scenario = Scenario("#1....>#")
    knows(scenario)
    assert scenario.level.terrain[6] == Terrain.STAIRS_DOWN
    for pick_up in (True, False):
        assert plan_for_stairs(scenario.view(), Climb(down=True, pick_up=pick_up)) == Travel(6, pick_up)


def test_a_full_pack_is_seen_and_nothing_is_taken() -> None:
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.lay("potion_might", 1)
    [thing] = scenario.view().pile
    assert thing.traits & ItemFlag.WORTH
    assert taking(scenario.view(), "ratio") == PickUp((thing.handle,))
    scenario.give("1", *["rock"] * len(scenario["1"].slots))
    [thing] = scenario.view().pile
    assert thing.traits & ItemFlag.WORTH
    assert thing.traits & ItemFlag.NO_ROOM
    assert is_full(scenario.view())
    assert taking(scenario.view(), "ratio") is None
