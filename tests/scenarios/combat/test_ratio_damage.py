"""Attacks by the ratio rule and their messages, and the order of a turn in ruggrogue (rules RG.5, RG.6, RG.7, RG.17)."""

import pytest

from gloam_server.world.model.events import Narration
from gloam_shared.protocol.commands import Wait
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, read_events

TOLD = {
    "strikes": ("You strike the blob for {} damage!", "Player1 strikes the blob for {} damage."),
    "strikes_hard": ("You strike the blob for {} damage!!", "Player1 strikes the blob for {} damage!!"),
    "strikes_lightly": ("You strike the blob for {} damage.", "Player1 strikes the blob for {} damage."),
    "strikes_vainly": (
        "You strike the blob, but it does no damage.",
        "Player1 strikes the blob, but does no damage.",
    ),
    "misses": ("You miss the blob.", "Player1 misses the blob."),
}


def blows(attack: int, count: int = 120, *, asleep: int = 0) -> tuple[Scenario, list[Narration]]:
    scenario = Scenario("#2.1b#", campaign=shipped("ruggrogue"), b="blob")
    found = []
    for _ in range(count):
        scenario.set_stats("1", attack=attack)
        scenario.set_health("1", hp=30)
        scenario.set_health("b", hp=scenario["b"].hp_max)
        scenario.put_to_sleep("b", asleep)
        before = scenario["b"].hp
        event = scenario.go("1", E)[0]
        assert event.actor == scenario["1"].number
        assert before - scenario["b"].hp == event.amount
        found.append(event)
    return scenario, found


@pytest.mark.rule("RG.7")
def test_each_swing_has_its_templates() -> None:
    """Each swing has a message for the attacker and one for viewers."""
    scenario, events = blows(480)
    _, vain = blows(10)
    for kind, (mine, theirs) in TOLD.items():
        event = next(event for event in [*events, *vain] if event.kind == kind)
        assert read_events([event], scenario["1"]) == [mine.format(event.amount)]
        assert read_events([event], scenario["2"]) == [theirs.format(event.amount)]


@pytest.mark.rule("RG.7")
def test_an_attack_on_a_sleeper_always_hits() -> None:
    _, events = blows(480, asleep=1_000)
    assert all(event.kind != "misses" for event in events)


@pytest.mark.rule("RG.17")
def test_a_blow_that_takes_nothing_does_not_wake() -> None:
    scenario = Scenario("#1b#", campaign=shipped("ruggrogue"), b="blob")
    scenario.set_stats("1", attack=1)
    scenario.put_to_sleep("b", 500)
    while scenario.go("1", E)[0].kind != "strikes_vainly":
        scenario.put_to_sleep("b", 500)
    assert scenario["b"].asleep >= 498


def test_a_miss_is_an_attack_all_the_same() -> None:
    scenario = Scenario("#1b#", campaign=shipped("ruggrogue"), b="blob")
    while scenario.go("1", E)[0].kind != "misses":
        scenario.set_health("b", hp=14)
        scenario.set_health("1", hp=30)
        scenario["1"].contacts.clear()
    assert scenario["b"].number in scenario["1"].contacts


@pytest.mark.rule("RG.5")
def test_player_acts_first_monsters_nearest_first() -> None:
    """The player acts first then the monsters nearest first."""
    scenario = Scenario(
        """
        #######
        #1.sb.#
        #.....#
        #######
        """,
        campaign=shipped("ruggrogue"),
        b="blob",
        s="snake",
    )
    scenario.turn(("1", Wait()))
    # The one behind finds the cell before it free again in the same turn.
    assert (scenario.where("s"), scenario.where("b")) == ((2, 1), (3, 1))
    events = scenario.go("1", E)
    assert [event.actor_name for event in events][:2] == ["Player1", "snake"]


@pytest.mark.rule("RG.6")
def test_a_monster_without_a_target_stays() -> None:
    scenario = Scenario(
        """
        ########
        #1##b..#
        ########
        """,
        campaign=shipped("ruggrogue"),
        b="blob",
    )
    for _ in range(10):
        scenario.turn(("1", Wait()))
    assert scenario.where("b") == (4, 1)
