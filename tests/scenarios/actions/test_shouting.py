"""Shouting: a noise that wakes sleepers within earshot and tells players where it came from (rule F64)."""

import pytest
from msgspec.structs import replace

from gloam_server.world import actions
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Shout
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario, read_events

LOUD = replace(arena(), commands=("shout",))


@pytest.mark.rule("F64")
def test_shout_wakes_sleepers_within_eight_cells() -> None:
    """A sleeper nine cells away sleeps on; the shout costs an action."""
    scenario = Scenario("#1.......kr.#", campaign=LOUD, k="kobold", r="rat")
    scenario.put_to_sleep("k", 50)
    scenario.put_to_sleep("r", 50)
    events = scenario.turn(("1", Shout()))
    assert read_events(events, scenario["1"])[0] == "You shout."
    assert not scenario["k"].asleep
    assert scenario["r"].asleep
    assert scenario["1"].actions == 1


@pytest.mark.rule("F64")
def test_sleeping_friend_learns_the_direction() -> None:
    """Walls do not stop a shout; a player who does not see the shouter learns the direction."""
    scenario = Scenario(
        """
        #######
        #1#####
        ###2###
        #######
        """,
        campaign=LOUD,
    )
    scenario.put_to_sleep("2", 50)
    events = scenario.turn(("1", Shout()))
    assert read_events(events, scenario["2"]) == ["You hear a shout: north-west.", "You wake up."]


def test_a_player_in_sight_reads_who_shouts() -> None:
    """A player who sees the shouter reads the name, not the direction."""
    scenario = Scenario("#1..2#", campaign=LOUD)
    events = scenario.turn(("1", Shout()))
    assert read_events(events, scenario["2"]) == [f"{scenario['1'].name} shouts."]


def test_no_player_out_of_earshot_reads_of_it() -> None:
    """A player nine cells away in the dark behind a wall reads nothing."""
    scenario = Scenario("#1#.......2#", campaign=LOUD)
    events = scenario.turn(("1", Shout()))
    assert read_events(events, scenario["2"]) == []


def test_a_monster_can_shout_as_well() -> None:
    """The command is the same for monsters; no task gives it."""
    scenario = Scenario("#1.k#", campaign=LOUD, k="kobold")
    assert not isinstance(actions.plan(scenario.level, scenario["k"], Shout()), Impossible)


@pytest.mark.parametrize(
    ("campaign", "has_it"), [("gloam", True), ("jsrogue", False), ("rltut", False), ("ruggrogue", False)]
)
def test_only_the_flagship_has_it(campaign: str, has_it: bool) -> None:
    """The classics refuse a shout with a reason, and it costs nothing."""
    assert ("shout" in shipped(campaign).commands) is has_it


def test_a_campaign_without_it_refuses_a_shout() -> None:
    """The refusal has its own reason."""
    scenario = Scenario("#1.#")
    outcome = actions.plan(scenario.level, scenario["1"], Shout())
    assert outcome == Impossible("Shouting is of no use here.", "no_command")
