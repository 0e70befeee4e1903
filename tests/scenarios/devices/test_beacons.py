"""Wardens and lit beacons on a level."""

import pytest

from gloam_server.world.growth.beacons import after_beacons
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import Envelope, RecordBeacon, SetBeacons
from gloam_server.world.transition.serialization import serialize_level
from support.content.beacon_campaign import beacon_arena
from support.scenarios.scenario import Scenario

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
    scenario.apply(SetBeacons(0, -1, (REALM_PARTITION, 2, 0)))
    assert after_beacons(scenario.level, player, 100, rat) == 100
