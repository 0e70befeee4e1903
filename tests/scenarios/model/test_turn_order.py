"""Time: how often bodies act and in which order, how they age and sleep, and when the wild moves."""

import pytest

from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_server.world.transition.turn import can_act
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.protocol.commands import ActionCommand, Move, Wait
from support.content.campaigns import arena
from support.scenarios.scenario import E, Scenario, W, blows, kinds

FAR = "." * 30
"""More cells than a creature acts with a player across."""


# Energy.


def test_a_bat_acts_twice_a_turn() -> None:
    scenario = Scenario("#1.......B#", B="bat")
    scenario.turn(("1", Wait()))
    assert scenario["B"].actions == 2


def test_a_growth_acts_every_fourth_turn() -> None:
    scenario = Scenario("#1F#", F="fungus")
    acted = []
    for _ in range(8):
        scenario.turn(("1", Wait()))
        acted.append(scenario["F"].actions)
    assert acted == [0, 0, 0, 1, 1, 1, 1, 2]


@pytest.mark.rule("F20")
def test_a_turn_is_one_action_of_the_fastest_player() -> None:
    scenario = Scenario("#1S2#", S="statue")
    scenario.set_stats("1", speed=2_000)
    for _ in range(4):
        scenario.turn(("1", Wait()), ("2", Wait()))
    assert (scenario["1"].actions, scenario["2"].actions, scenario["S"].actions) == (4, 2, 2)


def test_slow_player_alone_loses_no_time_against() -> None:
    """A slow player alone loses no time against themselves but foes gain on them."""
    scenario = Scenario("#1S#", S="statue")
    scenario.set_stats("1", speed=500)
    for _ in range(4):
        scenario.turn(("1", Wait()))
    assert scenario["1"].actions == 2
    assert scenario["S"].actions == 4


def test_who_is_short_of_energy_is_not_able_to_act() -> None:
    scenario = Scenario("#1S2#", S="statue")
    scenario.set_stats("1", speed=2_000)
    [group] = compute_turn_groups(scenario.level).all_groups
    assert can_act(scenario.level, group, scenario["1"])
    assert not can_act(scenario.level, group, scenario["2"])
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert can_act(scenario.level, group, scenario["2"])


def test_players_of_another_group_gain_no_energy() -> None:
    scenario = Scenario("#12#")
    scenario.turn(("1", Wait()))
    assert scenario["2"].energy == 0


# Order.


def test_players_act_order_commands() -> None:
    """Players act in the order of their commands and before creatures."""
    scenario = Scenario("#1S2k#", S="statue", k="kobold")
    events = scenario.turn(("2", Move(*W)), ("1", Move(*E)))
    assert [event.actor_name for event in events] == ["Player2", "Player1", "kobold"]


def test_creatures_act_nearest_first_and_ties() -> None:
    """Creatures act the nearest first and ties by number."""
    scenario = Scenario(
        """
        #####
        #k.k#
        #.1.#
        #O..#
        #####
        """,
        k="ogre",
        O="kobold",
    )
    scenario.set_health("1", hp=1_000, hp_max=1_000)
    events = scenario.turn(("1", Wait()))
    assert [event.actor for event in events] == sorted(event.actor for event in events)
    assert len(events) == 3


def test_nearer_creature_acts_before_farther() -> None:
    """A nearer creature acts before a farther one with a lower number."""
    scenario = Scenario(
        """
        #####
        #k..#
        #..1#
        #..K#
        #####
        """,
        k="kobold",
        K="kobold",
    )
    scenario.set_stats("k", speed=2_000)  # it approaches and strikes in one turn
    events = scenario.turn(("1", Wait()))
    assert scenario["k"].number < scenario["K"].number
    assert [event.actor for event in events] == [scenario["K"].number, scenario["k"].number]


# Ageing.


def test_a_body_ages_only_by_its_own_actions() -> None:
    scenario = Scenario("#1#2#")
    for _ in range(3):
        scenario.turn(("1", Wait()))
    assert (scenario["1"].actions, scenario["2"].actions) == (3, 0)


def test_no_body_ages_by_the_wild() -> None:
    scenario = Scenario("#1#")
    scenario.wild()
    assert scenario["1"].actions == 0


def test_sleeping_creature_not_act_until_wakes() -> None:
    """A sleeping creature does not act until it wakes."""
    scenario = Scenario("#1k#", k="kobold")
    scenario.put_to_sleep("k", 4)
    struck = [blows(scenario.turn(("1", Wait()))) for _ in range(3)]
    assert struck == [[], [], ["kobold"]]


def test_a_sleeping_player_does_not_act_until_he_wakes() -> None:
    scenario = Scenario("#1S2#", S="statue")
    scenario.put_to_sleep("2", 4)
    struck = [blows(scenario.turn(("1", Wait()), ("2", Move(*W)))) for _ in range(3)]
    assert struck == [[], [], ["Player2"]]
    assert scenario["2"].actions == 1


def test_who_sleeps_is_not_able_to_act() -> None:
    scenario = Scenario("#1#")
    scenario.put_to_sleep("1", 1)
    assert not can_act(scenario.level, compute_turn_groups(scenario.level).all_groups[0], scenario["1"])


def test_sleep_saves_up_no_energy() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario.put_to_sleep("1", 10)
    scenario.put_to_sleep("k", 10)
    for _ in range(5):
        scenario.turn(("1", None))
    assert scenario["1"].energy == scenario["k"].energy == 0


# The wild.


def turns_until_wild(scenario: Scenario, *acts: tuple[str, ActionCommand | None]) -> int:
    """Return how many such turns it takes until the wild is due."""
    for count in range(1, 50):
        scenario.turn(*acts)
        if scenario.level.state.wild_due:
            return count
    raise AssertionError("the wild never came")


@pytest.mark.parametrize("every", [1, 2, 4])
def test_wild_due_after_many_turns_player(every: int) -> None:
    """The wild is due after this many turns of one player."""
    scenario = Scenario("#1#", campaign=arena(wild_every=every))
    for _ in range(3):
        assert turns_until_wild(scenario, ("1", Wait())) == every
        scenario.wild()
        assert not scenario.level.state.wild_due


def test_turns_of_different_players_are_not_added_up() -> None:
    scenario = Scenario("#1#2#", campaign=arena(wild_every=4))
    for _ in range(3):
        scenario.turn(("1", Wait()))
        scenario.turn(("2", Wait()))
    assert not scenario.level.state.wild_due
    scenario.turn(("2", Wait()))
    assert scenario.level.state.wild_due


def test_after_the_wild_every_player_counts_again() -> None:
    scenario = Scenario("#1#2#", campaign=arena(wild_every=4))
    for _ in range(3):
        scenario.turn(("2", Wait()))
    assert turns_until_wild(scenario, ("1", Wait())) == 4
    scenario.wild()
    scenario.turn(("2", Wait()))
    assert not scenario.level.state.wild_due


def test_guarding_counts_as_a_turn_taken() -> None:
    scenario = Scenario("#1#", campaign=arena(wild_every=4))
    assert turns_until_wild(scenario, ("1", None)) == 4


def test_the_wild_moves_only_those_far_from_players() -> None:
    scenario = Scenario(f"#1.B.{FAR}b#", B="bat", b="bat")
    scenario.wild()
    assert (scenario["B"].actions, scenario["b"].actions) == (0, 2)


def test_a_turn_of_a_group_does_not_move_the_wild() -> None:
    scenario = Scenario(f"#1.B.{FAR}b#", B="bat", b="bat")
    scenario.turn(("1", Wait()))
    assert (scenario["B"].actions, scenario["b"].actions) == (2, 0)


# Turns themselves.


def test_a_command_done_is_remembered_by_its_number() -> None:
    scenario = Scenario("#1#")
    scenario.apply(Turn((PlayerAction(scenario["1"].number, 7, Wait()),)))
    assert scenario["1"].command == 7
    scenario.apply(Turn((PlayerAction(scenario["1"].number, 0, None),)))
    assert scenario["1"].command == 7


def test_turn_players_gone_changes_nothing() -> None:
    """A turn of players who are gone changes nothing but the count."""
    scenario = Scenario("#1k#", k="kobold")
    before = scenario["1"].hp
    assert scenario.apply(Turn((PlayerAction(999_424, 1, Wait()),))).events == ()
    assert scenario["1"].hp == before
    assert scenario.level.sequence == 1


def test_turns_two_groups_run_after_another() -> None:
    """Turns of two turn groups run one after another and effects fall on a player who is there."""
    scenario = Scenario("#1....2#", campaign=arena())
    scenario.turn(("1", Move(*E)))
    scenario.turn(("2", Move(*W)))
    assert (scenario.where("1"), scenario.where("2")) == ((2, 0), (5, 0))
    assert kinds(scenario.turn(("1", Move(*E)))) == []
