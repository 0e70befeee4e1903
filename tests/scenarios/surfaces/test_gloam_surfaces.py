"""The surfaces of gloam as played: rules F150, F151 and F158 with the campaign's own numbers."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.combat.kindling import kindle
from gloam_server.world.model.context import TurnContext
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario


@pytest.mark.rule("F158")
def test_marsh_gas_fills_the_ground_and_burns() -> None:
    """The marsh_trap fills the cells within 2 cells with gas, which takes 2 health a turn, and which a spark sets alight."""
    scenario = Scenario("1!....", campaign=campaign("gloam"), trap="marsh_trap")
    before = scenario["1"].hp
    scenario.go("1", E)
    assert {scenario.surface(x) for x in range(4)} >= {"marsh_gas"}
    assert before - scenario["1"].hp in (0, 2)
    gassed = [x for x in range(6) if scenario.surface(x) == "marsh_gas"]
    kindle(TurnContext(scenario.level, Dice(1, 1, 99)), gassed[:1], "fire", None)
    assert scenario.surface(gassed[0]) == "fire"


@pytest.mark.rule("F151")
def test_grass_of_gloam_burns_down() -> None:
    scenario = Scenario('1..""""""', campaign=campaign("gloam"))
    kindle(TurnContext(scenario.level, Dice(1, 1, 99)), [3], "fire", scenario["1"])
    for _ in range(60):
        scenario.turn(("1", Wait()))
    assert scenario.level.terrain.count(Terrain.GRASS) < 6
    assert not any(scenario.surface(x) for x in range(9))
