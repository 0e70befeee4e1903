"""Wardens and lit beacons on a level."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from gloam_server.content.growth.learning import LearningRules
from gloam_server.rules.dice import Dice
from gloam_server.world.ai.descent import has_outgrown
from gloam_server.world.combat.damage import kill_creature
from gloam_server.world.growth.beacons import after_beacons, lay_unlit_beacon
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Envelope, RecordBeacon, Respawn, SetBeacons
from gloam_server.world.model.surfaces.surface_changes import can_lie, surface_at
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_server.world.transition.serialization import serialize_level
from support.content.beacon_campaign import beacon_arena
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, read_events

GRASS = """
    ######
    #1r."#
    ######
"""
STAIRS = """
    ######
    #1kr>#
    ######
"""
DARK = """
    ###############
    #1....#......k#
    ###############
"""
DRAWING = """
    ######
    #1kr.#
    ######
"""


def reports(scenario: Scenario) -> list[RecordBeacon]:
    return [
        each.input
        for each in scenario.outputs
        if isinstance(each, Envelope) and each.to == REALM_PARTITION and isinstance(each.input, RecordBeacon)
    ]


@pytest.mark.rule("F186")
@pytest.mark.parametrize(("partition", "count"), [(1, 1), (2, 0)])
def test_a_slain_warden_lights_its_beacon(partition: int, count: int) -> None:
    """A warden that a player slays on its own depth lights the beacon there; on another depth it is any creature."""
    scenario = Scenario(DRAWING, campaign=beacon_arena(), partition=partition, k="kobold", r="rat")
    scenario.set_health("k", hp=1)
    cell = scenario.named["k"].cell
    for _ in range(60):
        scenario.go("1", (1, 0))
        if not scenario.alive("k"):
            break
    assert [(each.cell, each.account) for each in reports(scenario)] == [(cell, 1)] * count
    assert scenario["1"].statistics.beacons == (["the fire of the gate"] if count else UNSET)


@pytest.mark.rule("F186")
def test_a_warden_that_others_slay_returns() -> None:
    """Another creature, or none, ends it: the beacon stays dark, and its warden returns to its depth."""
    scenario = Scenario(DRAWING, campaign=beacon_arena(), k="kobold", r="rat")
    context = TurnContext(scenario.level, Dice(1, 1, 99))
    kill_creature(context, scenario["k"], scenario["r"], "a rat")
    assert Envelope(1, Respawn("kobold")) in context.outputs
    assert not any(
        isinstance(each, Envelope) and isinstance(each.input, RecordBeacon) for each in context.outputs
    )


@pytest.mark.rule("F186")
def test_a_warden_slain_on_other_stairs_counts() -> None:
    """One that followed a player lights the beacon of its own depth, on the cell that it kept there."""
    scenario = Scenario(DRAWING, campaign=beacon_arena(), partition=2, k="kobold", r="rat")
    scenario.set_home("k", level=1, cell=14)
    context = TurnContext(scenario.level, Dice(1, 2, 99))
    kill_creature(context, scenario["k"], scenario["1"], "")
    assert Envelope(REALM_PARTITION, RecordBeacon(1, 14, 1)) in context.outputs


@pytest.mark.rule("F185", "F186")
@pytest.mark.parametrize(
    ("warden", "depth"), [("horgun", 5), ("kragga", 10), ("ulfric", 15), ("vorrun", 20), ("sithra", 25)]
)
def test_the_wardens_of_gloam_keep_beacons(warden: str, depth: int) -> None:
    """Each keeps the beacon of its depth dark: its death lights that one, and a guard stays where it stood."""
    gloam = shipped("gloam")
    scenario = Scenario(DRAWING, campaign=gloam, partition=depth, k=warden, r="rat")
    context = TurnContext(scenario.level, Dice(1, depth, 99))
    kill_creature(context, scenario["k"], scenario["1"], "")
    assert Envelope(REALM_PARTITION, RecordBeacon(depth, scenario["k"].cell, 1)) in context.outputs
    assert "guard" in gloam.creatures[warden].tasks


@pytest.mark.rule("F185")
def test_a_warden_never_outgrows_its_depth() -> None:
    """A creature of its level goes down; the warden stays, for its beacon is here."""
    learning = LearningRules(leaves_above=(1,))
    campaign = replace(beacon_arena(), learning=learning)
    scenario = Scenario(STAIRS, campaign=campaign, k="kobold", r="rat")
    for name in "kr":
        scenario.set_progress(name, level=9)
    assert has_outgrown(scenario.level, scenario["r"])
    assert not has_outgrown(scenario.level, scenario["k"])


@pytest.mark.rule("F186")
def test_a_lit_beacon_burns_on_its_cell() -> None:
    """In a world without dark ones it lies on the floor nearest to where the warden fell, with a line; then it is dark."""
    scenario = Scenario(GRASS, campaign=beacon_arena(), r="rat")
    level, grass = scenario.level, 4 + scenario.width
    result = scenario.apply(SetBeacons(1, grass, (REALM_PARTITION, 1, 0)))
    assert read_events(result.events, scenario["1"]) == ["The beacon flares up!"]
    assert scenario.surface(3, 1) == "beacon"
    assert scenario.view().place.name.endswith(", beacons 1/2")
    assert scenario.apply(SetBeacons(2, grass, (REALM_PARTITION, 2, 0))).events == ()
    assert level.state.surfaces
    assert sum(map(bool, level.state.surfaces.cells)) == 1, "told twice, it burns once"
    assert not can_lie(level, level.campaign.surfaces["beacon"], 3 + scenario.width)
    scenario.apply(SetBeacons(0, -1, (REALM_PARTITION, 3, 0)))
    assert scenario.surface(3, 1) == "dark_beacon"
    assert "beacons" not in scenario.view().place.name
    scenario.apply(SetBeacons(1, 1 + scenario.width, (REALM_PARTITION, 4, 0)))
    assert scenario.surface(3, 1) == "beacon", "it burns where it stood, not where its warden fell this time"


@pytest.mark.rule("F186")
def test_a_lit_beacon_lights_its_whole_level() -> None:
    """Walls and distance do not stop its light, and darkness returns when it goes out."""
    scenario = Scenario(DARK, campaign=beacon_arena(), dark=True, k="kobold")
    lay_unlit_beacon(TurnContext(scenario.level, Dice(1, 1, 99)))
    cell = scenario["k"].cell
    assert scenario.surface(13, 1) == "dark_beacon"
    seen = [scenario.level.field_of_view(scenario["1"])[3 + scenario.width]]
    for number, lit in ((1, cell), (2, -1)):
        scenario.apply(SetBeacons(max(0, min(lit, 1)), lit, (REALM_PARTITION, number, 0)))
        seen.append(scenario.level.field_of_view(scenario["1"])[3 + scenario.width])
    assert seen == [0, 1, 0]


@pytest.mark.rule("F186")
def test_a_dark_beacon_marks_where_the_light_will_be() -> None:
    """The warden that left its place and died lights the beacon, and lives begin there."""
    scenario = Scenario(DRAWING, campaign=beacon_arena(), k="kobold", r="rat")
    context = TurnContext(scenario.level, Dice(1, 1, 99))
    lay_unlit_beacon(context)
    kept = scenario["k"].cell
    lay_unlit_beacon(context)
    assert scenario.level.state.surfaces
    assert sum(map(bool, scenario.level.state.surfaces.cells)) == 1, "one a level"
    scenario.level.move(scenario["k"], kept + 2)
    kill_creature(context, scenario["k"], scenario["1"], "")
    assert Envelope(REALM_PARTITION, RecordBeacon(1, kept, 1)) in context.outputs


@pytest.mark.rule("F185")
def test_each_beacon_of_gloam_stands_by_its_warden() -> None:
    dungeon = new_dungeon(shipped("gloam"), 3)
    populate(dungeon)
    for beacon in dungeon.campaign.beacons.places:
        level = dungeon.levels[beacon.depth]
        [warden] = [each for each in level.creatures.values() if each.kind == beacon.warden]
        [cell] = [
            cell
            for cell in range(level.grid.size)
            if (kind := surface_at(level, cell)) is not None and kind.key == "dark_beacon"
        ]
        assert level.grid.distance(warden.cell, cell) <= 2, beacon.name


@pytest.mark.rule("F187")
def test_levels_without_beacons_keep_their_bytes() -> None:
    """A message about other depths' beacons brings a level no surfaces."""
    scenario = Scenario(GRASS, campaign=beacon_arena(), r="rat")
    scenario.apply(SetBeacons(0, -1, (REALM_PARTITION, 1, 0)))
    assert not scenario.level.state.surfaces


@pytest.mark.rule("F187")
def test_lit_beacons_weaken_what_is_to_be_slain() -> None:
    """Each lit beacon weakens the blows of the creature of the victory, and its health, by a tenth; no other's."""
    scenario = Scenario(DRAWING, campaign=beacon_arena(), k="kobold", r="rat")
    player, rat, kobold = (scenario.named[sign] for sign in "1rk")
    before = serialize_level(scenario.level)
    assert b"beacons" not in before
    assert after_beacons(scenario.level, player, 100, rat) == 100
    scenario.apply(SetBeacons(2, -1, (REALM_PARTITION, 1, 0)))
    assert after_beacons(scenario.level, player, 100, rat) == 80
    assert after_beacons(scenario.level, rat, 80, player) == 100
    assert after_beacons(scenario.level, player, 100, kobold) == 100
    assert after_beacons(scenario.level, player, 1, rat) == 1
    resists = {one.name: one.menace.resists if one.menace else () for one in scenario.view().creatures}
    assert set(resists["rat"]) == {-25}, "words of danger count it"
    assert not resists["kobold"]
    scenario.apply(SetBeacons(0, -1, (REALM_PARTITION, 2, 0)))
    assert after_beacons(scenario.level, player, 100, rat) == 100
