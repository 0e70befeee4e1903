"""The terrain underfoot: water, shallows, grass, holes, the way out, and shrines."""

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.world import actions
from gloam_server.world.actions import stairs
from gloam_server.world.actions.prize_and_exit import ConfirmExit, Exit
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.events import ChangedLevel
from gloam_server.world.model.inputs import Arrive, PlayerAction, Turn
from gloam_server.world.model.outcome import Impossible
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import arena, arena_files
from support.scenarios.scenario import E, Scenario, W, kinds, read_events


def escaping() -> Campaign:
    """Return the arena, won by who leaves it with a sword."""
    files = arena_files()
    victory = b'[victory]\nrule = "escape"\nitem = "sword"\n'
    return load({**files, "campaign.toml": files["campaign.toml"] + victory})


# Water.


@pytest.mark.rule("JG.1")
def test_water_is_no_way_and_hides_nothing() -> None:
    scenario = Scenario("#1~~.2#")
    assert kinds(scenario.go("1", E)) == ["guards"]
    assert scenario.level.field_of_view(scenario["1"])[scenario["2"].cell]


def test_swims_enters_deep_water_and_leaves() -> None:
    """A swimmer enters deep water and leaves it again."""
    scenario = Scenario("#1.~e#", e="eel")
    scenario.set_health("1", hp=1_000, hp_max=1_000)
    assert scenario.where("e") == (4, 0)
    scenario.turn(("1", Wait()))
    assert scenario.where("e") == (3, 0)
    scenario.turn(("1", Wait()))
    assert scenario.where("e") == (2, 0)


def test_who_does_not_swim_does_not_follow_into_water() -> None:
    scenario = Scenario("#1.~k#", k="kobold")
    for _ in range(10):
        scenario.turn(("1", Wait()))
    assert scenario.where("k") == (4, 0)


@pytest.mark.parametrize("sign", [",", '"', "'", "_", "O", "=", ">"])
def test_shallows_grass_and_no_barrier_walked(sign: str) -> None:
    """Shallows, grass and all terrain that is no barrier can be walked on."""
    scenario = Scenario(f"#1{sign}.#")
    assert "guards" not in kinds(scenario.go("1", E))
    assert scenario.where("1") == (2, 0)


def test_left_deep_water_drifts_reached() -> None:
    """Items left in deep water drift to where they can be reached."""
    scenario = Scenario("#1.~~e#", e="eel")
    scenario.level.move(scenario["e"], 3)
    scenario.level.move(scenario["1"], 2)
    scenario.set_health("e", hp=1)
    assert "kills" in kinds(scenario.go("1", E))
    assert scenario.level.piles.keys() <= {1, 2}
    assert scenario.level.piles


@pytest.mark.rule("F12")
def test_no_arrival_in_water_or_in_a_door() -> None:
    scenario = Scenario("#~~+&.1#")
    assert scenario.level.nearest_free_cell(2) == 5


def test_grass_counts_bare_ground() -> None:
    """Grass counts as bare ground and shallows do not."""
    level = Scenario('#",.1#').level
    assert [level.is_empty_floor(cell) for cell in range(6)] == [False, True, False, True, False, False]


# The hole.


@pytest.mark.rule("JG.2")
def test_a_player_jumps_into_a_hole_to_the_place_below() -> None:
    scenario = Scenario("#1O#")
    scenario.go("1", E)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Climb(down=True)),)))
    assert read_events(result.events, scenario["1"]) == ["You jump into the hole, down to level 2!"]
    [output] = result.outputs
    assert isinstance(output, ChangedLevel)
    assert (output.partition, output.creature.number) == (2, scenario["1"].number)


@pytest.mark.rule("JG.2")
def test_only_players_jump_and_no_one_follows() -> None:
    scenario = Scenario("#Ok.1#", k="kobold")
    scenario.level.move(scenario["k"], 1)
    assert actions.plan(scenario.level, scenario["k"], Climb(down=True)) == Impossible(
        "You can't go down here!", "no_stairs"
    )
    scenario = Scenario("#1O#\n##k#", k="kobold")
    scenario.go("1", E)
    result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Climb(down=True)),)))
    assert len(result.outputs) == 1


@pytest.mark.rule("JG.2")
def test_no_climb_up_through_a_hole() -> None:
    scenario = Scenario("#1O#")
    scenario.go("1", E)
    assert actions.plan(scenario.level, scenario["1"], Climb(down=False)) == Impossible(
        "You can't go up here!", "no_stairs"
    )


# The way out.


@pytest.mark.rule("TG.30")
def test_the_way_out_is_one_where_to_escape_is_to_win() -> None:
    scenario = Scenario("#1=#", campaign=escaping())
    scenario.go("1", E)
    assert actions.plan(scenario.level, scenario["1"], Climb(down=False)) == ConfirmExit()
    scenario.give("1", escaping().victory.item)
    assert actions.plan(scenario.level, scenario["1"], Climb(down=False)) == Exit()


def test_elsewhere_way_barred_and_costs_nothing() -> None:
    """Elsewhere the way out is barred and costs nothing."""
    scenario = Scenario("#1=#")
    scenario.go("1", E)
    assert actions.plan(scenario.level, scenario["1"], Climb(down=False)) == Impossible(
        "You cannot leave the dungeon this way.", "no_exit"
    )


def test_stairs_still_lead_where_they_did() -> None:
    scenario = Scenario("#1>#", partition=2)
    scenario.go("1", E)
    assert actions.plan(scenario.level, scenario["1"], Climb(down=True)) == stairs.Climb(3)


# Shrines.


def at_shrine() -> Scenario:
    scenario = Scenario("#1_.#")
    scenario.go("1", E)
    scenario.set_health("1", hp=3)
    return scenario


def test_who_waits_on_a_shrine_is_made_whole_once() -> None:
    scenario = at_shrine()
    events = scenario.turn(("1", Wait()))
    assert read_events(events, scenario["1"]) == ["You rest at the shrine, and are made whole."]
    assert scenario["1"].hp == scenario["1"].hp_max
    scenario.set_health("1", hp=3)
    events = scenario.turn(("1", Wait()))
    assert read_events(events, scenario["1"]) == ["The shrine is silent: it has helped you before."]
    assert scenario["1"].hp == 3


def test_each_shrine_helps_each_life_once() -> None:
    scenario = Scenario("#1_._2#")
    for name, way in (("1", E), ("2", W)):
        scenario.go(name, way)
        scenario.set_health(name, hp=3)
        scenario.turn((name, Wait()))
        assert scenario[name].hp == scenario[name].hp_max
    scenario.go("2", W)
    scenario.go("1", W)
    scenario.go("2", W)
    scenario.set_health("2", hp=3)
    scenario.turn(("2", Wait()))
    assert scenario["2"].hp == scenario["2"].hp_max


def test_guard_shrine_not_wait() -> None:
    """To be on guard on a shrine is not to wait there."""
    scenario = at_shrine()
    assert kinds(scenario.turn(("1", None))) == []
    assert scenario["1"].hp == 3


def test_a_monster_is_not_healed_by_a_shrine() -> None:
    scenario = Scenario("#k_.1#", k="kobold")
    scenario.level.move(scenario["k"], 2)
    scenario.set_health("k", hp=1)
    outcome = actions.plan(scenario.level, scenario["k"], Wait())
    assert not isinstance(outcome, Impossible)
    scenario.turn(("1", Wait()))
    assert scenario["k"].hp == 1


def test_arrivals_stand_on_dry_ground() -> None:
    scenario = Scenario("#~~~.1#")
    body = new_creature(arena().player_kind, 2_048, name="Player2", account=2)
    scenario.apply(Arrive(body, 1, (9, 1, 0)))
    assert scenario.level.terrain[body.cell] == Terrain.FLOOR
