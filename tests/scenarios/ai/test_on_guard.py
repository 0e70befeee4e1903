"""On guard: that a body strikes by itself, and the fate of a command that turns impossible."""

import pytest

from gloam_shared.protocol.commands import Move
from support.scenarios.scenario import N, Scenario, W, blows


@pytest.mark.rule("F23")
def test_guard_strikes_back_at_an_adjacent_attacker() -> None:
    scenario = Scenario("#1O#", O="ogre")
    scenario.set_health("1", hp=1_000, hp_max=1_000)
    assert blows(scenario.turn(("1", None))) == ["ogre"]
    assert blows(scenario.turn(("1", None))) == ["Player1", "ogre"]


@pytest.mark.rule("F23")
def test_guard_leaves_alone_who_has_not_attacked() -> None:
    scenario = Scenario("#1S#", S="statue")
    for _ in range(5):
        assert scenario.turn(("1", None)) == []


def test_guard_not_go_after_attacker_stepped_back() -> None:
    """Guard does not go after an attacker that stepped back."""
    scenario = Scenario("#1.S#", S="statue")
    scenario.remember_contact("1", "S", at=0)
    assert scenario.turn(("1", None)) == []
    assert scenario.where("1") == (1, 0)


def test_guard_leaves_a_sleeping_attacker_alone() -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario.remember_contact("1", "S", at=0)
    scenario.put_to_sleep("S", 3)
    assert scenario.turn(("1", None)) == []


def test_guard_strikes_the_latest_of_several_attackers() -> None:
    scenario = Scenario("#S1T#", S="statue", T="statue")
    player = scenario["1"]
    player.actions = 5
    player.contacts = {scenario["S"].number: 2, scenario["T"].number: 4}
    [event] = scenario.turn(("1", None))
    assert event.target == scenario["T"].number


def test_guarding_is_an_action_and_ages_the_body() -> None:
    scenario = Scenario("#1.#")
    scenario.turn(("1", None))
    assert scenario["1"].actions == 1


def test_turns_impossible_within_turn_becomes() -> None:
    """A command that turns impossible within the turn becomes guarding and says why."""
    scenario = Scenario(
        """
        ####
        #.2#
        #1S#
        ####
        """,
        S="statue",
    )
    # Both want the same cell; the second finds their friend there, held by the statue.
    events = scenario.turn(("2", Move(*W)), ("1", Move(*N)))
    assert scenario.where("2") == (1, 1)
    assert scenario.where("1") == (1, 2)
    [event] = events
    assert (event.kind, event.actor) == ("guards", scenario["1"].number)
    assert event.source == "Player2 is in danger and holds that place."
    assert scenario["1"].actions == 1


def test_who_turns_to_guarding_strikes_back_too() -> None:
    scenario = Scenario("1O", O="ogre")
    scenario.set_health("1", hp=1_000, hp_max=1_000)
    scenario.turn(("1", None))
    events = scenario.turn(("1", Move(*W)))
    assert [(event.kind, event.actor_name) for event in events] == [
        ("strikes", "Player1"),
        ("guards", "Player1"),
        ("strikes", "ogre"),
    ]
