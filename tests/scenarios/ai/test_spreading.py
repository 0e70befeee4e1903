"""Spreading growths: how often, where, and what their children are (rules J7.17, JG.7)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.creature import Creature
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario, kinds, read_events

HALL = """
    ........
    ........
    ...F....
    ........
    ........
    """


def fungi(scenario: Scenario) -> list[Creature]:
    return [creature for creature in scenario.level.creatures.values() if creature.kind == "fungus"]


def grow(scenario: Scenario, turns: int) -> None:
    for _ in range(turns):
        scenario.wild()


def test_child_put_free_cell_beside_parent() -> None:
    """A child is put on a free cell beside its parent."""
    for seed in range(20):
        scenario = Scenario(HALL, F="fungus", seed=seed)
        grow(scenario, 4)
        parent, child = fungi(scenario)
        assert scenario.grid.distance(parent.cell, child.cell) == 1


def test_child_whole_growth_and_parent_less_put() -> None:
    """A child is a whole growth of its own and the parent has one less to put."""
    scenario = Scenario(HALL, F="fungus")
    grow(scenario, 4)
    parent, child = fungi(scenario)
    assert parent.children == 4
    assert (child.kind, child.children, child.hp, child.level) == ("fungus", 5, 10, 1)
    assert child.number != parent.number


@pytest.mark.rule("J7.17")
def test_a_growth_is_heard_around_the_child() -> None:
    """Players within five cells of the child read the line, wherever the parent is."""
    heard: dict[int, bool] = {}
    for seed in range(30):
        near = replace(arena(), message_radius=5)
        scenario = Scenario("1....F.\n#####..", campaign=near, F="fungus", seed=seed)
        told: list[bool] = []
        for _ in range(4):
            lines = read_events(scenario.turn(("1", Wait())), scenario["1"])
            told += ["fungus is spreading" in line for line in lines]
        if len(fungi(scenario)) > 1:
            child = fungi(scenario)[1]
            heard[scenario.grid.distance(scenario["1"].cell, child.cell)] = any(told)
    assert heard == {4: True, 5: True, 6: False}


def test_a_growth_acts_only_every_fourth_turn() -> None:
    scenario = Scenario(HALL, F="fungus")
    counts = []
    for _ in range(8):
        grow(scenario, 1)
        counts.append(fungi(scenario)[0].children)
    assert counts[:4] == [5, 5, 5, 4]
    assert counts[4:7] == [4, 4, 4]


def test_the_children_run_out() -> None:
    scenario = Scenario(HALL, F="fungus")
    scenario.set_children("F", 1)
    grow(scenario, 4)
    [child] = [growth for growth in fungi(scenario) if growth is not scenario["F"]]
    child.children = 0
    grow(scenario, 40)
    assert scenario["F"].children == 0
    assert len(fungi(scenario)) == 2


def test_stairs_and_walls_are_no_ground_for_a_child() -> None:
    scenario = Scenario(
        """
        >>>
        >F#
        <~<
        """,
        F="fungus",
    )
    grow(scenario, 200)
    assert len(fungi(scenario)) == 1
    assert scenario["F"].children == 5


def test_an_occupied_cell_is_no_ground_for_a_child() -> None:
    scenario = Scenario("SFS", S="statue", F="fungus")
    grow(scenario, 200)
    assert len(fungi(scenario)) == 1


def test_only_plain_floor_is_ever_grown_over() -> None:
    scenario = Scenario(
        """
        #.>.#
        #.F.#
        #.<.#
        """,
        F="fungus",
    )
    grow(scenario, 200)
    for growth in fungi(scenario):
        assert scenario.level.terrain[growth.cell] == Terrain.FLOOR
    assert len(fungi(scenario)) == 7


def test_spreading_is_shown_to_who_sees_it() -> None:
    scenario = Scenario(
        """
        #####
        #1F.#
        #...#
        #####
        """,
        F="fungus",
    )
    events = [event for _ in range(40) for event in scenario.turn(("1", Wait()))]
    seen_events = [event for event in events if event.kind == "spreads"]
    assert seen_events
    assert all(event.witnesses == (scenario["1"].number,) for event in seen_events)


@pytest.mark.thorough
@pytest.mark.rule("JG.7")
def test_cave_growth_spreads_act_fifty() -> None:
    """In the cave a growth spreads in about one act of fifty."""
    campaign: Campaign = shipped("jsrogue")
    spread = 0
    for seed in range(40):
        scenario = Scenario(HALL, campaign=campaign, F="fungus", seed=seed)
        scenario.set_children("F", 100)
        for _ in range(400):
            spread += kinds(scenario.wild()).count("spreads")
            for growth in fungi(scenario)[1:]:
                scenario.level.remove(growth)
    # 40 growths of 100 acts at two in a hundred: 80 expected, with a deviation of 9.
    assert 45 <= spread <= 115


def test_nothing_spreads_level_holds_creatures() -> None:
    """Nothing spreads where a level holds all the creatures that it may."""
    hall = "\n".join(["." * 40] * 20) + "\n" + "F" + "." * 39
    scenario = Scenario(hall, F="fungus")
    grow(scenario, 400)
    assert len(fungi(scenario)) == scenario.level.level_kind.creatures_max
