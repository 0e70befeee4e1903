"""Fire: rules F150, F151 and F152 as played."""

from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.combat.kindling import kindle
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.surfaces.surface_changes import lay_surface, surfaces_of
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import end_of_life
from gloam_shared.protocol.commands import Cast, Move, Wait
from support.content.surface_campaign import tinder
from support.scenarios.scenario import E, Scenario, W, kinds, read_events


def burning(drawing: str, surfaces: str = "", **letters: Any) -> Scenario:
    """Return a scenario on the campaign of surfaces, whose players can cast its spells."""
    scenario = Scenario(drawing, campaign=tinder(), surfaces=surfaces, **letters)
    for name in "12":
        if name in scenario.named:
            scenario.give(name, "red_book")
    return scenario


def cast(scenario: Scenario, spell: str, x: int, y: int = 0) -> None:
    scenario.turn(("1", Cast(spell, y * scenario.width + x)))


@pytest.mark.rule("F151")
def test_fire_damage_sets_grass_alight() -> None:
    scenario = burning('1..."".')
    cast(scenario, "firebolt", 4)
    assert scenario.surface(4) == "fire"
    assert scenario.level.terrain[4] == Terrain.FLOOR
    assert "takes_hold" in [event.kind for event in scenario.events if hasattr(event, "kind")]


@pytest.mark.rule("F151")
@pytest.mark.parametrize(
    ("drawing", "words"),
    [('1."".r', "Fire takes hold, lit by the rat!"), ('1."".#r', "Fire takes hold!")],
    ids=["seen", "unseen"],
)
def test_line_tells_who_lit_a_fire_in_sight(drawing: str, words: str) -> None:
    """Of a creature out of sight, and to the player who lit it, the line tells no name."""
    scenario = burning(drawing, r="rat")
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    kindle(context, [2], "fire", scenario["r"])
    assert read_events(context.events, scenario["1"]) == [words]
    context = TurnContext(scenario.level, Dice(1, 1, 2))
    kindle(context, [3], "fire", scenario["1"])
    assert read_events(context.events, scenario["1"]) == ["Fire takes hold!"]


@pytest.mark.rule("F151")
def test_fire_damage_leaves_bare_floor_alone() -> None:
    scenario = burning("1......")
    cast(scenario, "blaze", 4)
    assert [scenario.surface(x) for x in range(7)] == [""] * 7


@pytest.mark.rule("F152")
def test_fire_goes_over_to_grass_and_ends() -> None:
    scenario = burning('1.""""""""')
    cast(scenario, "firebolt", 3)
    for _ in range(60):
        scenario.turn(("1", Wait()))
    assert Terrain.GRASS not in scenario.level.terrain
    assert not any(surfaces_of(scenario.level).cells)


@pytest.mark.rule("F150")
def test_fire_harms_who_stands_in_it() -> None:
    scenario = burning("1.r", "f..", r="rat")
    events = scenario.turn(("1", Wait()))
    assert scenario["1"].hp == 35
    assert "You take 5 damage from the fire!" in read_events(events, scenario["1"])


@pytest.mark.rule("F150")
def test_walls_and_floor_stop_a_fire() -> None:
    scenario = burning('1f.""', ".f...")
    for _ in range(10):
        scenario.turn(("1", Wait()))
    assert scenario.level.terrain.count(Terrain.GRASS) == 2


@pytest.mark.rule("F150")
def test_a_death_in_a_fire_names_who_lit_it() -> None:
    scenario = burning('1."2.')
    scenario["1"].consents.append(scenario["2"].number)
    scenario["2"].consents.append(scenario["1"].number)
    scenario.set_health("2", hp=5)
    cast(scenario, "firebolt", 2)
    scenario.turn(("2", Move(*W)), ("1", None))
    died = [each for each in scenario.outputs if isinstance(each, PlayerDied)]
    assert [each.by for each in died] == [f"fire that {scenario['1'].name} lit"]
    assert end_of_life(died[0].by) == f"burned in a fire that {scenario['1'].name} lit"


@pytest.mark.rule("F150")
def test_who_lit_a_fire_has_the_kill() -> None:
    scenario = burning("1...r#", r="rat")
    scenario.level.dig(4, Terrain.GRASS)
    scenario["r"].asleep = 50
    scenario.set_health("r", hp=3)
    rat = scenario["r"]
    lay_surface(scenario.level, tinder().surfaces["fire"], 4, Dice(1, 1, 1), scenario["1"])
    events = scenario.turn(("1", Wait()))
    assert not scenario.alive("r")
    assert scenario["1"].kills == 1
    assert "The rat dies of fire that Player1 lit!" in read_events(events, scenario["1"])
    assert rat.struck_by == 0, "a fire is no blow"


@pytest.mark.rule("F150")
def test_a_players_fire_spares_other_players() -> None:
    scenario = burning("12.", "")
    scenario.level.terrain[1] = Terrain.GRASS
    cast(scenario, "blaze", 1)
    assert scenario.surface(1) == "fire"
    before = scenario["2"].hp
    for _ in range(3):
        scenario.turn(("1", Wait()), ("2", Wait()))
    assert scenario["2"].hp == before


@pytest.mark.rule("F150")
def test_fire_spares_what_lives_in_it() -> None:
    scenario = burning("1#i", "..f", i="imp")
    scenario["i"].asleep = 9
    for _ in range(4):
        scenario.turn(("1", Wait()))
    assert scenario["i"].hp == scenario["i"].hp_max


@pytest.mark.rule("F156")
def test_smoke_hides_what_is_behind_it() -> None:
    scenario = burning("1....k", "..s...", k="kobold")
    assert [one.name for one in scenario.view().creatures] == [scenario["1"].name]


@pytest.mark.rule("F156")
def test_fire_lights_the_dark() -> None:
    scenario = Scenario("1......k", campaign=tinder(), dark=True, k="kobold", surfaces="......f.")
    assert "kobold" in [one.name for one in scenario.view().creatures]


@pytest.mark.rule("F152")
def test_a_door_burns_to_an_open_way() -> None:
    scenario = burning('1."+.')
    cast(scenario, "firebolt", 2)
    for _ in range(80):
        scenario.turn(("1", Wait()))
        if scenario.level.terrain[3] == Terrain.FLOOR:
            break
        if not surfaces_of(scenario.level).active:
            break
    assert scenario.level.terrain[3] in (Terrain.FLOOR, Terrain.DOOR_CLOSED)


@pytest.mark.rule("F154")
def test_creatures_leave_a_fire_and_go_around() -> None:
    scenario = burning(
        """
        1.....k
        ......#
        """,
        """
        ...f..f
        .......
        """,
        k="kobold",
    )
    scenario.turn(("1", Wait()))
    assert scenario.surface(*scenario.where("k")) == ""
    for _ in range(3):
        scenario.turn(("1", Wait()))
        assert scenario.surface(*scenario.where("k")) == ""


@pytest.mark.rule("F150")
def test_players_may_walk_through_fire() -> None:
    scenario = burning("1..", ".f.")
    scenario.go("1", E)
    assert scenario.where("1") == (1, 0)
    assert scenario["1"].hp == 35
    assert "blasted" in kinds(scenario.turn(("1", Wait())))
