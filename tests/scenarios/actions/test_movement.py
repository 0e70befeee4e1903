"""Steps and what they become: a blow, a swap, a hole, or nothing (rule J7.15)."""

import pytest
from msgspec.structs import replace

from gloam_server.world.actions import plan, walking
from gloam_server.world.combat.hostility import enemies_holding, is_held
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Dig, Move, Wait
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import E, N, S, Scenario, W, kinds

REFUSED = "guards"


@pytest.mark.rule("J7.15")
def test_foe_way_struck() -> None:
    """A foe in the way is struck before anything else."""
    scenario = Scenario("#1S#", S="statue")
    events = scenario.go("1", E)
    assert kinds(events) == ["strikes"]
    assert scenario.where("1") == (1, 0)
    assert scenario["S"].hp < scenario["S"].hp_max


@pytest.mark.rule("J7.15")
def test_a_free_cell_is_stepped_onto() -> None:
    scenario = Scenario("#1.#")
    assert scenario.go("1", E) == []
    assert scenario.where("1") == (2, 0)


@pytest.mark.rule("J7.15")
def test_wall_dug_and_body_stays_turn() -> None:
    """A wall is dug and the body stays where it is that turn."""
    scenario = Scenario("#####\n#1#.#\n#####")
    assert kinds(scenario.go("1", E)) == ["digs"]
    assert scenario.level.terrain[7] == Terrain.FLOOR
    assert scenario.where("1") == (1, 1)
    assert scenario["1"].actions == 1
    scenario.go("1", E)
    assert scenario.where("1") == (2, 1)


@pytest.mark.rule("J7.9")
def test_jsrogues_border_is_dug_and_never_entered() -> None:
    """In jsrogue border rock is dug, and what lies beyond is never entered."""
    scenario = Scenario("####\n#1.#\n####", campaign=shipped("jsrogue"))
    for direction in (N, W):
        assert kinds(scenario.go("1", direction)) == ["digs"]
        scenario.go("1", direction)
    assert scenario.where("1") == (0, 0)
    before = scenario["1"].actions
    for direction in DIRECTIONS:
        if direction[0] < 0 or direction[1] < 0:
            outcome = plan(scenario.level, scenario["1"], Move(*direction))
            assert isinstance(outcome, Impossible)
            assert outcome.text == "The rock beyond cannot be dug."
    assert scenario["1"].actions == before
    assert any(scenario.level.field_of_view(scenario["1"])), "who stands on the edge sees"
    scenario.view()


@pytest.mark.rule("F05")
@pytest.mark.parametrize("key", ["ruggrogue", "gloam"])
def test_elsewhere_border_rock_stays(key: str) -> None:
    campaign = shipped(key)
    scenario = Scenario("####\n#1.#\n####", campaign=campaign)
    assert not scenario.level.is_diggable(1)
    assert not isinstance(plan(scenario.level, scenario["1"], Move(*N)), walking.Dig)


def test_a_hole_in_the_wall_is_seen_through_at_once() -> None:
    scenario = Scenario("######\n#1#..#\n######")
    assert not scenario.level.field_of_view(scenario["1"])[9]
    scenario.go("1", E)
    assert scenario.level.field_of_view(scenario["1"])[9]


def test_digging_takes_the_turn_so_foes_act() -> None:
    scenario = Scenario(
        """
        ######
        ##1k##
        ######
        """,
        k="kobold",
    )
    events = scenario.go("1", W)
    assert kinds(events) == ["digs", "strikes"]


@pytest.mark.rule("J7.15")
def test_a_step_of_a_held_key_never_digs() -> None:
    scenario = Scenario("#####\n#1#.#\n#####")
    [event] = scenario.turn(("1", Move(1, 0, digs=False)))
    assert (event.kind, event.source) == (REFUSED, "Solid rock.")
    assert scenario.level.terrain[7] == Terrain.WALL


def test_digging_command_step_rock_says() -> None:
    """A step into rock only says so where digging is a command of its own."""
    scenario = Scenario("#####\n#1#.#\n#####", campaign=replace(arena(), digging="command"))
    [event] = scenario.go("1", E)
    assert (event.kind, event.source) == (REFUSED, "Solid rock.")
    assert kinds(scenario.turn(("1", Dig(1, 0)))) == ["digs"]
    assert scenario.level.terrain[7] == Terrain.FLOOR
    assert scenario.where("1") == (1, 1)


def test_command_dig_refuses_no_rock() -> None:
    """The command to dig refuses what is no rock and who cannot dig."""
    scenario = Scenario("#####\n#1.k##\n#####", k="kobold")
    refused = [plan(scenario.level, scenario["1"], Dig(*way)) for way in (E, N, (0, 0))]
    assert refused == [
        Impossible("There is no rock to dig.", "no_rock"),
        Impossible("The rock beyond cannot be dug.", "undiggable"),
        Impossible("You cannot dig that way.", "no_direction"),
    ]
    assert plan(scenario.level, scenario["k"], Dig(1, 0)) == Impossible(
        "You cannot dig through rock.", "no_digging"
    )


@pytest.mark.rule("JG.14")
def test_monsters_do_not_dig() -> None:
    scenario = Scenario("#1#k#", k="kobold")
    before = bytes(scenario.level.terrain)
    for _ in range(20):
        scenario.turn(("1", None))
    assert bytes(scenario.level.terrain) == before


def test_nothing_beyond_edge_level_dug_or_entered() -> None:
    """Nothing beyond the edge of the level can be dug or entered."""
    scenario = Scenario("1.#")
    for direction in (N, S, W):
        [event] = scenario.go("1", direction)
        assert event.kind == REFUSED
        assert event.source == "The rock beyond cannot be dug."
    assert scenario.where("1") == (0, 0)


@pytest.mark.rule("F05")
def test_the_border_of_a_level_cannot_be_dug() -> None:
    """The border of a level cannot be dug, and the rock inside can."""
    scenario = Scenario("#####\n#1###\n#####")
    for direction in (N, S, W):
        [event] = scenario.go("1", direction)
        assert (event.kind, event.source) == (REFUSED, "The rock beyond cannot be dug.")
    assert kinds(scenario.go("1", E)) == ["digs"]


@pytest.mark.rule("F05")
def test_doors_water_and_stairs_are_not_dug_away() -> None:
    for sign in "+'~<>_=&O,^":
        scenario = Scenario(f"#####\n#1{sign}.#\n#####")
        assert "digs" not in kinds(scenario.go("1", E))


def test_water_can_neither_be_entered_nor_dug() -> None:
    scenario = Scenario("#1~#")
    [event] = scenario.go("1", E)
    assert event.kind == REFUSED
    assert scenario.level.terrain[2] == Terrain.WATER


def test_corners_may_be_cut() -> None:
    scenario = Scenario(
        """
        1#
        #.
        """
    )
    assert scenario.go("1", (1, 1)) == []
    assert scenario.where("1") == (1, 1)


def test_all_eight_directions_are_steps() -> None:
    for direction in DIRECTIONS:
        scenario = Scenario(
            """
            ...
            .1.
            ...
            """
        )
        scenario.go("1", direction)
        assert scenario.where("1") == (1 + direction[0], 1 + direction[1])


def test_four_way_campaign_refuses_diagonal_steps() -> None:
    """A four way campaign refuses diagonal steps and allows straight ones."""
    drawing = """
        ...
        .1.
        ...
        """
    for direction in DIRECTIONS:
        scenario = Scenario(drawing, campaign=arena(movement="four"))
        events = scenario.go("1", direction)
        straight = 0 in direction
        assert kinds(events) == ([] if straight else [REFUSED])
        assert (scenario.where("1") == (1, 1)) is not straight


def test_four_way_campaign_monster_never_steps() -> None:
    """In a four way campaign a monster never steps or strikes diagonally."""
    scenario = Scenario(
        """
        #####
        #1#.#
        ##k.#
        #####
        """,
        campaign=arena(movement="four"),
        k="kobold",
    )
    for _ in range(20):
        assert "strikes" not in kinds(scenario.turn(("1", None)))
    assert scenario["1"].hp == 40


def test_friends_change_places() -> None:
    """Friends change places when nothing holds the other."""
    scenario = Scenario("#12#")
    assert kinds(scenario.go("1", E)) == ["swaps"]
    assert scenario.where("1") == (2, 0)
    assert scenario.where("2") == (1, 0)


@pytest.mark.rule("A58")
@pytest.mark.parametrize("ground", [Terrain.STAIRS_DOWN, Terrain.STAIRS_UP, Terrain.DOOR_OPEN])
def test_no_unheld_player_bars_stairs_or_a_door(ground: Terrain) -> None:
    """No one bars stairs or a door who nothing holds."""
    scenario = Scenario("#12.#")
    scenario.level.terrain[scenario["2"].cell] = ground
    for _ in range(3):  # however often they go back there
        assert kinds(scenario.go("1", E))[:1] == ["swaps"]
        assert scenario.where("1") == (2, 0)
        scenario.go("2", E)


def test_swap_spends_turn_asked() -> None:
    """A swap spends only the turn of who asked for it."""
    scenario = Scenario("#12#")
    scenario.go("1", E)
    assert (scenario["1"].actions, scenario["2"].actions) == (1, 0)


def test_a_held_friend_cannot_be_moved() -> None:
    scenario = Scenario(
        """
        ##########
        #12.....S#
        ##########
        """,
        S="statue",
    )
    [event] = [event for event in scenario.go("1", E) if event.actor == scenario["1"].number]
    assert event.kind == REFUSED
    assert event.source == "Player2 is in danger and holds that place."
    assert scenario.where("2") == (2, 1)


def test_swaps_friend_enemys_sight_held() -> None:
    """A player who swaps a friend into an enemy's sight is held with them."""
    scenario = Scenario(
        """
        #######
        #1...S#
        #2#####
        #######
        """,
        S="statue",
    )
    assert not is_held(scenario.level, scenario["2"])
    assert kinds(scenario.go("1", S)) == ["swaps"]
    assert not scenario.level.field_of_view(scenario["1"])[scenario["S"].cell]
    assert enemies_holding(scenario.level, scenario["1"]) == [scenario["S"].number]
    assert enemies_holding(scenario.level, scenario["2"]) == [scenario["S"].number]


def test_a_swap_in_safety_makes_no_contact() -> None:
    scenario = Scenario("#12#")
    scenario.go("1", E)
    assert scenario["1"].contacts == scenario["2"].contacts == {}


def test_monsters_do_not_change_places_with_each_other() -> None:
    scenario = Scenario("#kK.1#", k="kobold", K="kobold")
    scenario.set_health("1", hp=1_000, hp_max=1_000)
    for _ in range(20):
        scenario.turn(("1", Wait()))
        assert scenario["k"].cell < scenario["K"].cell


def test_players_cannot_strike_each_other() -> None:
    scenario = Scenario("#12#")
    for _ in range(3):
        scenario.go("1", E)
        scenario.go("1", W)
    assert scenario["2"].hp == scenario["2"].hp_max
