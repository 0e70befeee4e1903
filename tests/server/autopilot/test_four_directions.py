"""Movement without diagonal steps (`movement = "four"`): neither a plan nor a bot makes one."""

import pytest
from msgspec.structs import replace

from gloam_lab.balance import simulation
from gloam_server.content.campaign import Campaign
from gloam_server.world.actions import plan
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Outcome
from gloam_shared.geometry import ORTHOGONAL
from gloam_shared.protocol.commands import ActionCommand, Explore, Fight, Move, Run, Travel
from support.bots.plan_runs import carry_out
from support.content.campaigns import arena, shipped
from support.run.effort import effort
from support.run.fault_seam import FaultSeam
from support.scenarios.scenario import E, N, Scenario

FOUR = arena(movement="four")


def test_travel_goes_round_the_corner() -> None:
    drawing = """
        ######
        #1...#
        #....#
        #....#
        ######
    """
    scenario = Scenario(drawing, campaign=FOUR)
    reason, done = carry_out(scenario, Travel(3 * scenario.width + 4))
    assert reason == ""
    assert len(done) == 5
    assert {(way.dx, way.dy) for way in done if isinstance(way, Move)} <= set(ORTHOGONAL)


def test_explore_leads_straight_steps_reach() -> None:
    """Explore leads to what straight steps reach and to nothing else."""
    drawing = """
        ########
        #1.#...#
        #..#...#
        #...####
        ########
    """
    scenario = Scenario(drawing, campaign=FOUR)
    assert carry_out(scenario, Explore())[0] == "There is nothing left to explore on this level."
    assert scenario["1"].cell % scenario.width < 4, "the gap between two corners is no way"


def test_fight_steps_beside_a_foe_that_stands_aslant() -> None:
    drawing = """
        #####
        #1..#
        #.k.#
        #...#
        #####
    """
    scenario = Scenario(drawing, campaign=FOUR, k="kobold")
    _, done = carry_out(scenario, Fight())
    assert len(done) == 1
    assert isinstance(done[0], Move)
    assert (done[0].dx, done[0].dy) in ORTHOGONAL


def test_run_follows_corridor_leads_straight() -> None:
    """A run follows a corridor only where it leads straight."""
    drawing = """
        ########
        #1..####
        ####...#
        ########
    """
    scenario = Scenario(drawing, campaign=FOUR)
    assert carry_out(scenario, Run(*E)) == ("", [Move(*E), Move(*E)])
    assert carry_out(Scenario(drawing), Run(*E))[1] == [Move(*E), Move(*E), Move(1, 1), Move(*E), Move(*E)]
    assert carry_out(scenario, Run(1, -1))[1] == []
    assert carry_out(scenario, Run(*N))[1] == []


@pytest.mark.thorough
@pytest.mark.unchecked
@pytest.mark.parametrize("name", ["gloam", "jsrogue"][: effort(1, 2)])
def test_bots_go_down_without_a_step_aslant(name: str, seam: FaultSeam) -> None:
    steps = set()

    def spy(level: Level, body: Creature, command: ActionCommand) -> Outcome:
        if isinstance(command, Move) and body.account:
            steps.add((command.dx, command.dy))
        return plan(level, body, command)

    seam.plant(plan, spy, within=simulation)
    stats = simulation.Simulation(_four_way(shipped(name)), 3, 2, turns_max=1_600).play()

    assert steps == set(ORTHOGONAL)
    assert max(life.depth for life in stats.lives) > 1
    assert stats.felled_by_players > 3


def _four_way(campaign: Campaign) -> Campaign:
    return replace(campaign, movement="four")
