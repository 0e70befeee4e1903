"""Turn groups: which enemies hold which players, and which of them share a turn."""

import pytest

from gloam_server.world.combat.hostility import CONTACT_ACTIONS, enemies_holding, is_held
from gloam_server.world.model.turn_group_data import TurnGroup
from gloam_server.world.transition.turn_groups import compute_turn_groups
from gloam_shared.protocol.commands import Wait
from support.scenarios.scenario import E, Scenario


def named(scenario: Scenario, group: TurnGroup) -> tuple[str, str]:
    """Return who is in a turn group, players and creatures, by the signs of the map."""
    signs = {creature.number: sign for sign, creature in scenario.named.items()}
    return "".join(signs[n] for n in group.players), "".join(signs[n] for n in group.creatures)


def division(scenario: Scenario) -> list[tuple[str, str]]:
    return [named(scenario, group) for group in compute_turn_groups(scenario.level).all_groups]


def wild(scenario: Scenario) -> str:
    signs = {creature.number: sign for sign, creature in scenario.named.items()}
    return "".join(signs[number] for number in compute_turn_groups(scenario.level).wild)


def held(scenario: Scenario, sign: str) -> str:
    """Return who holds a player, by the signs of the map."""
    signs = {creature.number: sign for sign, creature in scenario.named.items()}
    return "".join(signs[number] for number in enemies_holding(scenario.level, scenario[sign]))


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
    scenario.put_to_sleep("S", 1)
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
def test_last_twenty_actions_count(ago: int, held_still: bool) -> None:
    """The last twenty actions count and not the one before."""
    scenario = out_of_sight_of_a_statue()
    scenario["1"].actions = ago
    scenario.remember_contact("1", "S", at=0)
    assert is_held(scenario.level, scenario["1"]) is held_still


def test_struck_enemy_and_struck_remember() -> None:
    """A creature that struck an enemy and one that was struck remember it."""
    scenario = Scenario("#1S#", S="statue")
    scenario.go("1", E)
    assert scenario["S"].number in scenario["1"].contacts
    assert scenario["1"].number in scenario["S"].contacts
    scenario = Scenario("#1O#", O="ogre")
    scenario.set_health("1", hp=1_000, hp_max=1_000)
    scenario.turn(("1", Wait()))
    assert scenario["O"].number in scenario["1"].contacts


def test_a_monster_keeps_its_grudges() -> None:
    scenario = Scenario("#k#", k="kobold")
    scenario["k"].contacts[77] = 0
    for _ in range(2 * CONTACT_ACTIONS):
        scenario.wild()
    assert scenario["k"].contacts == {77: 0}


# Turn groups.


@pytest.mark.rule("F19")
def test_an_unheld_player_is_a_group_of_their_own() -> None:
    scenario = Scenario("#12#")
    assert division(scenario) == [("1", ""), ("2", "")]
    assert not any(group.held for group in compute_turn_groups(scenario.level).all_groups)


@pytest.mark.rule("F19")
def test_players_held_same_enemy_share_group() -> None:
    """Players held by the same enemy share a turn group with it."""
    scenario = Scenario("#1.S.2#", S="statue")
    assert division(scenario) == [("12", "S")]
    assert compute_turn_groups(scenario.level).all_groups[0].held


def test_players_held_enemies_not_wait_other() -> None:
    """Players held by enemies of their own do not wait for each other."""
    scenario = Scenario("#S1#2T#", S="statue", T="statue")
    assert division(scenario) == [("1", "S"), ("2", "T")]


def test_a_chain_of_shared_enemies_is_one_group() -> None:
    scenario = Scenario("#1.....S.....2.....T.....3#", S="statue", T="statue")
    assert held(scenario, "1") == "S"
    assert held(scenario, "3") == "T"
    assert division(scenario) == [("123", "ST")]


def test_chain_found_whatever_order_links_come() -> None:
    """A chain is found in any order of its links."""
    scenario = Scenario("#1.....S.....3.....T.....2#", S="statue", T="statue")
    assert division(scenario) == [("123", "ST")]


def test_two_chains_that_a_last_player_joins_are_one() -> None:
    scenario = Scenario("#1.S.4#2.T.3#", S="statue", T="statue")
    assert division(scenario) == [("14", "S"), ("23", "T")]
    scenario.remember_contact("4", "T", at=0)
    assert division(scenario) == [("1234", "ST")]


def test_player_beside_fight() -> None:
    """A player beside a fight who sees no enemy walks on freely."""
    scenario = Scenario("#S.1#2#", S="statue")
    assert division(scenario) == [("1", "S"), ("2", "")]


def test_other_creatures_act_with_the_nearest_player() -> None:
    scenario = Scenario("#1....F..2#", F="fungus")
    assert division(scenario) == [("1", ""), ("2", "F")]


def test_among_equally_near_players_lowest_number() -> None:
    """Among equally near players the lowest number decides."""
    scenario = Scenario("#2..F..1#", F="fungus")
    assert division(scenario) == [("1", "F"), ("2", "")]


@pytest.mark.parametrize(("cells", "near"), [(23, True), (24, False)])
@pytest.mark.rule("F19")
def test_creatures_within_24_cells_near(cells: int, near: bool) -> None:
    """Creatures within 24 cells are near and others are wild."""
    scenario = Scenario(f"#1{'.' * cells}F#", F="fungus")
    assert division(scenario) == [("1", "F" if near else "")]
    assert wild(scenario) == ("" if near else "F")


def test_enemy_acts_holds_though_another_nearer() -> None:
    """An enemy acts with who it holds though another is nearer."""
    scenario = Scenario(
        """
        ##########
        #1....S###
        #######2##
        ##########
        """,
        S="statue",
    )
    scenario.set_stats("2", sight=0)
    assert division(scenario) == [("1", "S"), ("2", "")]


def test_creature_near_held_player_acts_group() -> None:
    """A creature near a held player acts in their turn group."""
    scenario = Scenario("#1..S.F2#", S="statue", F="fungus")
    assert division(scenario) == [("12", "SF")]
