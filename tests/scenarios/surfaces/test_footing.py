"""Webs, rubble, oil and gas: rules F150 to F153 as played."""

import pytest

from gloam_shared.protocol.commands import Cast, Wait
from support.content.surface_campaign import tinder
from support.scenarios.scenario import E, Scenario, kinds


@pytest.mark.rule("F153")
def test_a_web_takes_an_action_to_tear() -> None:
    scenario = Scenario("1..", campaign=tinder(), surfaces="w..")
    assert "tears_free" in kinds(scenario.go("1", E))
    assert scenario.where("1") == (0, 0)
    assert scenario.surface(0) == ""
    scenario.go("1", E)
    assert scenario.where("1") == (1, 0)


@pytest.mark.rule("F153")
def test_a_step_onto_rubble_takes_another_action() -> None:
    scenario = Scenario("1....", campaign=tinder(), surfaces=".r...")
    scenario.go("1", E)
    assert scenario.where("1") == (1, 0)
    scenario.go("1", E)
    assert scenario.where("1") == (1, 0)
    scenario.go("1", E)
    assert scenario.where("1") == (2, 0)


@pytest.mark.rule("F151")
def test_oil_and_webs_burn() -> None:
    scenario = Scenario("1...............", campaign=tinder(), surfaces="...ooooowwww....")
    scenario.give("1", "red_book")
    scenario.turn(("1", Cast("firebolt", 3)))
    assert scenario.surface(3) == "fire"
    for _ in range(30):
        scenario.turn(("1", Wait()))
    assert [scenario.surface(x) for x in range(16)] == [""] * 16


@pytest.mark.rule("F152")
def test_gas_drifts_harms_and_ends() -> None:
    scenario = Scenario("1......", campaign=tinder(), surfaces="...mm..")
    found = set()
    for _ in range(13):
        scenario.turn(("1", Wait()))
        found |= {x for x in range(7) if scenario.surface(x)}
    assert len(found) > 2
    assert not any(scenario.surface(x) for x in range(7))


@pytest.mark.rule("F158")
def test_a_spell_lays_gas_on_free_cells() -> None:
    scenario = Scenario("1....w.", campaign=tinder(), surfaces=".....w.")
    scenario.give("1", "red_book")
    scenario.turn(("1", Cast("gas_cloud", 4)))
    assert scenario.surface(5) == "web"
    assert sum(scenario.surface(x) == "marsh_gas" for x in range(7)) == 2


@pytest.mark.rule("F159")
def test_a_step_onto_fungus_wakes_sleepers() -> None:
    scenario = Scenario("1..k....k", campaign=tinder(), surfaces=".g.......", k="kobold")
    for body in scenario.level.monsters():
        body.asleep, body.ai.dozes = 90, True
    scenario.go("1", E)
    assert sorted(body.asleep > 0 for body in scenario.level.monsters()) == [False, True]
