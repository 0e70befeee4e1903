"""Sleepers, noise and bait: who hears what a player does, and what follows (rules F122, F123)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.powers import Power
from gloam_server.world.generation import PlacedCreature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.inputs import PopulateLevel
from gloam_shared.protocol.commands import Dig, Move, Throw, Wait
from gloam_shared.view.view import Stat
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import E, Scenario, W, kinds


def loud(**rules: int) -> Campaign:
    """Return the arena, where a sleeper within earshot wakes for sure."""
    given = {"wakes_percent": 100, "step": 3, "blow": 6, "door": 4, "dig": 8, "lands": 4, **rules}
    return with_rules(arena(), "hearing", **given)


def sleeping(drawing: str, campaign: Campaign, *, S: str) -> Scenario:  # noqa: N803
    """Return a scenario whose creature sleeps since its level was made."""
    scenario = Scenario(drawing, campaign=campaign, S=S)
    scenario.put_to_sleep("S", 1)
    scenario["S"].ai.dozes = True
    return scenario


@pytest.mark.rule("F122")
@pytest.mark.parametrize(("cells", "wakes"), [("...", True), ("....", False)])
def test_step_wakes_within_its_cells(cells: str, wakes: bool) -> None:
    """A step is heard three cells far; who wakes goes to look, and the sheet says so."""
    scenario = sleeping(f"#1.{cells[1:]}S#", loud(), S="statue")
    scenario.go("1", E)
    assert bool(scenario["S"].asleep) is not wakes
    assert scenario.view().fact(Stat.HEARD) == 1 + wakes
    assert (scenario["S"].ai.last_seen is not None) is wakes


@pytest.mark.rule("F122")
def test_walls_halve_what_is_heard() -> None:
    """A sleeper behind a wall, two cells away, hears a step of four cells and none of three."""
    for step, asleep in ((3, True), (4, False)):
        scenario = sleeping("#1.#S#", loud(step=step), S="statue")
        scenario.go("1", E)
        assert bool(scenario["S"].asleep) is asleep


@pytest.mark.rule("F122")
def test_digging_is_louder_than_a_step() -> None:
    scenario = sleeping("##########\n##1.....S#\n##########", loud(), S="statue")
    scenario.go("1", E)
    assert scenario["S"].asleep
    scenario.turn(("1", Move(*W)))
    scenario.turn(("1", Dig(*W)))
    assert not scenario["S"].asleep


@pytest.mark.rule("F122")
def test_waiting_wakes_nothing() -> None:
    scenario = sleeping("#1S#", loud(), S="statue")
    scenario.turn(("1", Wait()))
    assert scenario["S"].asleep


@pytest.mark.rule("F122")
def test_a_wound_wakes_a_sleeper() -> None:
    """A blow wakes what sleeps since the level was made, also where no noise does."""
    scenario = sleeping("#1S#", with_rules(arena(), "hearing"), S="statue")
    scenario.go("1", E)
    assert not scenario["S"].asleep
    assert not scenario["S"].ai.dozes


@pytest.mark.rule("F122")
def test_noise_wakes_none_from_a_spell() -> None:
    scenario = Scenario("#1.S#", campaign=loud(), S="statue")
    scenario.put_to_sleep("S", 30)
    scenario.go("1", E)
    assert scenario["S"].asleep


@pytest.mark.rule("F122")
def test_quiet_takes_cells_off_each_noise() -> None:
    """With a power of two cells a step is heard one cell far."""
    campaign = loud()
    human = replace(campaign.player_kind, powers=(Power("quiet", amount=2),))
    campaign = replace(campaign, creatures={**campaign.creatures, "human": human})
    scenario = sleeping("#1..S#", campaign, S="statue")
    scenario.go("1", E)
    assert scenario["S"].asleep
    scenario.go("1", E)
    assert not scenario["S"].asleep


@pytest.mark.rule("F122")
def test_a_blade_that_stabs_does_more_to_a_sleeper() -> None:
    """The same blow does three times its damage to a sleeper, and not to one awake."""
    hurt = []
    for percent, asleep in ((0, 1), (200, 1), (200, 0)):
        campaign = with_rules(arena(), "hearing")
        human = replace(campaign.player_kind, powers=(Power("stabs", percent=percent),))
        campaign = replace(campaign, creatures={**campaign.creatures, "human": human})
        scenario = Scenario("#1S#", campaign=campaign, S="statue")
        scenario.put_to_sleep("S", asleep)
        scenario.go("1", E)
        hurt.append(1_000 - scenario["S"].hp)
    assert hurt[1] == 3 * hurt[0]
    assert hurt[2] == hurt[0]


@pytest.mark.rule("F122")
def test_a_share_of_the_creatures_of_gloam_sleeps() -> None:
    """The share is drawn for each creature; a boss, and those that lie in wait, are awake."""
    campaign = with_rules(arena(), "hearing", sleepers_percent=100)
    ogre = replace(campaign.creatures["ogre"], boss=True)
    rat = replace(campaign.creatures["rat"], tasks=("ambush", "hunt"))
    campaign = replace(campaign, creatures={**campaign.creatures, "ogre": ogre, "rat": rat})
    scenario = Scenario("1........", campaign=campaign)
    spawns = tuple(PlacedCreature(kind, cell, 0) for cell, kind in enumerate(("kobold", "ogre", "rat"), 4))
    scenario.apply(PopulateLevel(0, 0, spawns=spawns))
    assert [(each.kind, each.asleep) for each in scenario.level.monsters()] == [
        ("kobold", 1),
        ("ogre", 0),
        ("rat", 0),
    ]
    assert shipped("gloam").hearing.sleepers_percent == 23


@pytest.mark.rule("F122")
@pytest.mark.parametrize("campaign", ["jsrogue", "rltut", "ruggrogue"])
def test_no_classic_has_noise(campaign: str) -> None:
    scenario = Scenario("#1.#", campaign=shipped(campaign))
    assert scenario.view().fact(Stat.HEARD) == 0
    assert shipped(campaign).hearing.sleepers_percent == 0


@pytest.mark.rule("F123")
def test_a_thrown_item_draws_hunters() -> None:
    """A kobold that sees no player goes to look where the item landed, and a sleeper near it wakes."""
    scenario = Scenario(
        """
        ########
        #1.....#
        ######.#
        #####k.#
        ########
        """,
        campaign=loud(),
        k="kobold",
    )
    scenario.give("1", "apple")
    scenario.turn(("1", Throw(0, 8 + 6)))
    assert kinds(scenario.events)[0] == "throws"
    assert scenario["k"].ai.last_seen == LevelCell(1, 14)
