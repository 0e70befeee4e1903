"""Time by bubbles: who shares a turn with whom, in which order they act, and how often."""

import pytest

from gloam_server.world.bubbles import Bubble, divide
from gloam_server.world.events import Event
from gloam_server.world.hostility import CONTACT_ACTIONS, holders, is_held
from gloam_server.world.inputs import Act, Turn
from gloam_server.world.turn import able
from gloam_shared.commands import Action, Move, Wait
from support.campaigns import arena
from support.scenario import E, N, Scenario, W, kinds

FAR = "." * 30
"""More cells than a creature acts with a player across."""


def named(scenario: Scenario, bubble: Bubble) -> tuple[str, str]:
    """Return who is in a bubble, players and creatures, by the signs of the map."""
    signs = {creature.number: sign for sign, creature in scenario.named.items()}
    return "".join(signs[n] for n in bubble.players), "".join(signs[n] for n in bubble.creatures)


def division(scenario: Scenario) -> list[tuple[str, str]]:
    return [named(scenario, bubble) for bubble in divide(scenario.level).bubbles]


def wild(scenario: Scenario) -> str:
    signs = {creature.number: sign for sign, creature in scenario.named.items()}
    return "".join(signs[number] for number in divide(scenario.level).wild)


def held(scenario: Scenario, sign: str) -> str:
    """Return who holds a player, by the signs of the map."""
    signs = {creature.number: sign for sign, creature in scenario.named.items()}
    return "".join(signs[number] for number in holders(scenario.level, scenario[sign]))


def blows(events: list[Event]) -> list[str]:
    return [event.actor_name for event in events if event.kind == "strikes"]


# Who is held.


def test_an_enemy_in_sight_holds() -> None:
    scenario = Scenario("#1....S#", S="statue")
    assert held(scenario, "1") == "S"


def test_an_enemy_out_of_sight_does_not_hold() -> None:
    assert held(Scenario("#1......S#", S="statue"), "1") == ""
    assert held(Scenario("#1#S#", S="statue"), "1") == ""


def test_a_growth_that_cannot_attack_is_no_enemy() -> None:
    assert held(Scenario("#1F#", F="fungus"), "1") == ""


def test_the_sleeping_are_no_enemies_until_they_wake() -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario["S"].asleep = 1
    assert held(scenario, "1") == ""
    scenario.turn(("1", Wait()))
    assert held(scenario, "1") == "S"


def test_friends_do_not_hold_each_other() -> None:
    scenario = Scenario("#12#")
    assert not is_held(scenario.level, scenario["1"])


def out_of_sight_of_a_statue() -> Scenario:
    return Scenario(
        """
        ########
        #1#S..2#
        ########
        """,
        S="statue",
    )


def test_a_contact_holds_for_twenty_own_actions() -> None:
    scenario = out_of_sight_of_a_statue()
    player, statue = scenario["1"], scenario["S"]
    player.contacts[statue.number] = player.actions
    for _ in range(CONTACT_ACTIONS - 1):
        scenario.turn(("1", Wait()), ("2", Wait()))
        assert held(scenario, "1") == "S"
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert held(scenario, "1") == ""
    assert player.contacts == {}


@pytest.mark.parametrize(("ago", "held_still"), [(CONTACT_ACTIONS - 1, True), (CONTACT_ACTIONS, False)])
def test_the_last_twenty_actions_count_and_not_the_one_before(ago: int, held_still: bool) -> None:
    scenario = out_of_sight_of_a_statue()
    scenario["1"].actions = ago
    scenario["1"].contacts[scenario["S"].number] = 0
    assert is_held(scenario.level, scenario["1"]) is held_still


def test_who_struck_an_enemy_and_who_was_struck_remember_it() -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario.go("1", E)
    assert scenario["S"].number in scenario["1"].contacts
    assert scenario["1"].number in scenario["S"].contacts
    scenario = Scenario("#1O#", O="ogre")
    scenario["1"].hp = scenario["1"].hp_max = 1_000
    scenario.turn(("1", Wait()))
    assert scenario["O"].number in scenario["1"].contacts


def test_a_monster_keeps_its_grudges() -> None:
    scenario = Scenario("#k#", k="kobold")
    scenario["k"].contacts[77] = 0
    for _ in range(2 * CONTACT_ACTIONS):
        scenario.wild()
    assert scenario["k"].contacts == {77: 0}


# Bubbles.


def test_whom_nothing_holds_is_a_bubble_of_his_own() -> None:
    scenario = Scenario("#12#")
    assert division(scenario) == [("1", ""), ("2", "")]
    assert not any(bubble.held for bubble in divide(scenario.level).bubbles)


def test_players_held_by_the_same_enemy_share_a_bubble_with_it() -> None:
    scenario = Scenario("#1.S.2#", S="statue")
    assert division(scenario) == [("12", "S")]
    assert divide(scenario.level).bubbles[0].held


def test_players_held_by_enemies_of_their_own_do_not_wait_for_each_other() -> None:
    scenario = Scenario("#S1#2T#", S="statue", T="statue")
    assert division(scenario) == [("1", "S"), ("2", "T")]


def test_a_chain_of_shared_enemies_is_one_bubble() -> None:
    scenario = Scenario("#1.....S.....2.....T.....3#", S="statue", T="statue")
    assert held(scenario, "1") == "S"
    assert held(scenario, "3") == "T"
    assert division(scenario) == [("123", "ST")]


def test_a_chain_is_found_in_whatever_order_its_links_come() -> None:
    scenario = Scenario("#1.....S.....3.....T.....2#", S="statue", T="statue")
    assert division(scenario) == [("123", "ST")]


def test_two_chains_that_a_last_player_joins_are_one() -> None:
    scenario = Scenario("#1.S.4#2.T.3#", S="statue", T="statue")
    assert division(scenario) == [("14", "S"), ("23", "T")]
    scenario["4"].contacts[scenario["T"].number] = 0
    assert division(scenario) == [("1234", "ST")]


def test_a_player_beside_a_fight_who_sees_no_enemy_walks_on_freely() -> None:
    scenario = Scenario("#S.1#2#", S="statue")
    assert division(scenario) == [("1", "S"), ("2", "")]


def test_other_creatures_act_with_the_nearest_player() -> None:
    scenario = Scenario("#1....F..2#", F="fungus")
    assert division(scenario) == [("1", ""), ("2", "F")]


def test_among_equally_near_players_the_lowest_number_decides() -> None:
    scenario = Scenario("#2..F..1#", F="fungus")
    assert division(scenario) == [("1", "F"), ("2", "")]


@pytest.mark.parametrize(("cells", "near"), [(23, True), (24, False)])
def test_creatures_within_24_cells_are_near_and_others_are_wild(cells: int, near: bool) -> None:
    scenario = Scenario(f"#1{'.' * cells}F#", F="fungus")
    assert division(scenario) == [("1", "F" if near else "")]
    assert wild(scenario) == ("" if near else "F")


def test_an_enemy_acts_with_whom_it_holds_though_another_is_nearer() -> None:
    scenario = Scenario(
        """
        ##########
        #1....S###
        #######2##
        ##########
        """,
        S="statue",
    )
    scenario["2"].sight = 0
    assert division(scenario) == [("1", "S"), ("2", "")]


def test_a_creature_near_a_held_player_acts_in_his_bubble() -> None:
    scenario = Scenario("#1..S.F2#", S="statue", F="fungus")
    assert division(scenario) == [("12", "SF")]


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


def test_a_turn_is_one_action_of_the_fastest_player() -> None:
    scenario = Scenario("#1S2#", S="statue")
    scenario["1"].speed = 2_000
    for _ in range(4):
        scenario.turn(("1", Wait()), ("2", Wait()))
    assert (scenario["1"].actions, scenario["2"].actions, scenario["S"].actions) == (4, 2, 2)


def test_a_slow_player_alone_loses_no_time_against_himself_but_foes_gain_on_him() -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario["1"].speed = 500
    for _ in range(4):
        scenario.turn(("1", Wait()))
    assert scenario["1"].actions == 2
    assert scenario["S"].actions == 4


def test_who_is_short_of_energy_is_not_able_to_act() -> None:
    scenario = Scenario("#1S2#", S="statue")
    scenario["1"].speed = 2_000
    [bubble] = divide(scenario.level).bubbles
    assert able(scenario.level, bubble, scenario["1"])
    assert not able(scenario.level, bubble, scenario["2"])
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert able(scenario.level, bubble, scenario["2"])


def test_players_of_another_bubble_gain_no_energy() -> None:
    scenario = Scenario("#12#")
    scenario.turn(("1", Wait()))
    assert scenario["2"].energy == 0


# Order.


def test_players_act_in_the_order_of_their_commands_and_before_creatures() -> None:
    scenario = Scenario("#1S2k#", S="statue", k="kobold")
    events = scenario.turn(("2", Move(*W)), ("1", Move(*E)))
    assert [event.actor_name for event in events] == ["Player2", "Player1", "kobold"]


def test_creatures_act_the_nearest_first_and_ties_by_number() -> None:
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
    scenario["1"].hp = scenario["1"].hp_max = 1_000
    events = scenario.turn(("1", Wait()))
    assert [event.actor for event in events] == sorted(event.actor for event in events)
    assert len(events) == 3


def test_a_nearer_creature_acts_before_a_farther_one_with_a_lower_number() -> None:
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
    scenario["k"].speed = 2_000  # it comes near and strikes in one turn
    events = scenario.turn(("1", Wait()))
    assert scenario["k"].number < scenario["K"].number
    assert [event.actor for event in events] == [scenario["K"].number, scenario["k"].number]


# On guard.


def test_guard_strikes_back_at_an_adjacent_attacker() -> None:
    scenario = Scenario("#1O#", O="ogre")
    scenario["1"].hp = scenario["1"].hp_max = 1_000
    assert blows(scenario.turn(("1", None))) == ["ogre"]
    assert blows(scenario.turn(("1", None))) == ["Player1", "ogre"]


def test_guard_leaves_alone_who_has_not_attacked() -> None:
    scenario = Scenario("#1S#", S="statue")
    for _ in range(5):
        assert scenario.turn(("1", None)) == []


def test_guard_does_not_go_after_an_attacker_that_stepped_back() -> None:
    scenario = Scenario("#1.S#", S="statue")
    scenario["1"].contacts[scenario["S"].number] = 0
    assert scenario.turn(("1", None)) == []
    assert scenario.where("1") == (1, 0)


def test_guard_leaves_a_sleeping_attacker_alone() -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario["1"].contacts[scenario["S"].number] = 0
    scenario["S"].asleep = 3
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


def test_what_turns_impossible_within_the_turn_becomes_guarding_and_says_why() -> None:
    scenario = Scenario(
        """
        ####
        #.2#
        #1S#
        ####
        """,
        S="statue",
    )
    # Both want the same cell; the second finds his friend there, whom the statue holds.
    events = scenario.turn(("2", Move(*W)), ("1", Move(*N)))
    assert scenario.where("2") == (1, 1)
    assert scenario.where("1") == (1, 2)
    [event] = events
    assert (event.kind, event.actor) == ("guards", scenario["1"].number)
    assert event.source == "Player2 is in danger and holds that place."
    assert scenario["1"].actions == 1


def test_who_turns_to_guarding_strikes_back_too() -> None:
    scenario = Scenario("1O", O="ogre")
    scenario["1"].hp = scenario["1"].hp_max = 1_000
    scenario.turn(("1", None))
    events = scenario.turn(("1", Move(*W)))
    assert [(event.kind, event.actor_name) for event in events] == [
        ("strikes", "Player1"),
        ("guards", "Player1"),
        ("strikes", "ogre"),
    ]


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


def test_a_sleeping_creature_does_not_act_until_it_wakes() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario["k"].asleep = 4
    struck = [blows(scenario.turn(("1", Wait()))) for _ in range(3)]
    assert struck == [[], [], ["kobold"]]


def test_a_sleeping_player_does_not_act_until_he_wakes() -> None:
    scenario = Scenario("#1S2#", S="statue")
    scenario["2"].asleep = 4
    struck = [blows(scenario.turn(("1", Wait()), ("2", Move(*W)))) for _ in range(3)]
    assert struck == [[], [], ["Player2"]]
    assert scenario["2"].actions == 1


def test_who_sleeps_is_not_able_to_act() -> None:
    scenario = Scenario("#1#")
    scenario["1"].asleep = 1
    assert not able(scenario.level, divide(scenario.level).bubbles[0], scenario["1"])


def test_sleep_saves_up_no_energy() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario["1"].asleep = scenario["k"].asleep = 10
    for _ in range(5):
        scenario.turn(("1", None))
    assert scenario["1"].energy == scenario["k"].energy == 0


# The wild.


def turns_until_wild(scenario: Scenario, *acts: tuple[str, Action | None]) -> int:
    """Return how many such turns it takes until the wild is due."""
    for count in range(1, 50):
        scenario.turn(*acts)
        if scenario.level.wild_due:
            return count
    raise AssertionError("the wild never came")


@pytest.mark.parametrize("every", [1, 2, 4])
def test_the_wild_is_due_after_so_many_turns_of_one_player(every: int) -> None:
    scenario = Scenario("#1#", campaign=arena(wild_every=every))
    for _ in range(3):
        assert turns_until_wild(scenario, ("1", Wait())) == every
        scenario.wild()
        assert not scenario.level.wild_due


def test_turns_of_different_players_are_not_added_up() -> None:
    scenario = Scenario("#1#2#", campaign=arena(wild_every=4))
    for _ in range(3):
        scenario.turn(("1", Wait()))
        scenario.turn(("2", Wait()))
    assert not scenario.level.wild_due
    scenario.turn(("2", Wait()))
    assert scenario.level.wild_due


def test_after_the_wild_every_player_counts_anew() -> None:
    scenario = Scenario("#1#2#", campaign=arena(wild_every=4))
    for _ in range(3):
        scenario.turn(("2", Wait()))
    assert turns_until_wild(scenario, ("1", Wait())) == 4
    scenario.wild()
    scenario.turn(("2", Wait()))
    assert not scenario.level.wild_due


def test_guarding_counts_as_a_turn_taken() -> None:
    scenario = Scenario("#1#", campaign=arena(wild_every=4))
    assert turns_until_wild(scenario, ("1", None)) == 4


def test_the_wild_moves_only_whom_no_player_is_near() -> None:
    scenario = Scenario(f"#1.B.{FAR}b#", B="bat", b="bat")
    scenario.wild()
    assert (scenario["B"].actions, scenario["b"].actions) == (0, 2)


def test_a_turn_of_a_bubble_does_not_move_the_wild() -> None:
    scenario = Scenario(f"#1.B.{FAR}b#", B="bat", b="bat")
    scenario.turn(("1", Wait()))
    assert (scenario["B"].actions, scenario["b"].actions) == (2, 0)


# Turns themselves.


def test_a_command_done_is_remembered_by_its_number() -> None:
    scenario = Scenario("#1#")
    scenario.apply(Turn((Act(scenario["1"].number, 7, Wait()),)))
    assert scenario["1"].command == 7
    scenario.apply(Turn((Act(scenario["1"].number, 0, None),)))
    assert scenario["1"].command == 7


def test_a_turn_of_players_who_are_gone_changes_nothing_but_the_count() -> None:
    scenario = Scenario("#1k#", k="kobold")
    before = scenario["1"].hp
    assert scenario.apply(Turn((Act(999_424, 1, Wait()),))).events == ()
    assert scenario["1"].hp == before
    assert scenario.level.sequence == 1


def test_turns_of_two_bubbles_run_one_after_another_and_effects_fall_on_whoever_is_there() -> None:
    scenario = Scenario("#1....2#", campaign=arena())
    scenario.turn(("1", Move(*E)))
    scenario.turn(("2", Move(*W)))
    assert (scenario.where("1"), scenario.where("2")) == ((2, 0), (5, 0))
    assert kinds(scenario.turn(("1", Move(*E)))) == []
