"""Ice on deep water: rules F151 and F155 as played."""

from typing import Any

import pytest

from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Cast, Wait
from support.content.surface_campaign import tinder
from support.scenarios.scenario import E, Scenario, kinds


def lake(drawing: str, surfaces: str = "", **letters: Any) -> Scenario:
    scenario = Scenario(drawing, campaign=tinder(), surfaces=surfaces, **letters)
    scenario.give("1", "red_book")
    return scenario


@pytest.mark.rule("F151")
def test_cold_freezes_deep_water_and_ice_bears() -> None:
    scenario = lake("1~~~~.")
    scenario.turn(("1", Cast("frost", 2)))
    assert [scenario.surface(x) for x in range(1, 5)] == ["ice"] * 4
    scenario.go("1", E)
    scenario.go("1", E)
    assert scenario.where("1") == (2, 0)


@pytest.mark.rule("F155")
def test_ice_grows_thin_and_is_water_again() -> None:
    scenario = lake("1~~~~.")
    scenario.turn(("1", Cast("frost", 2)))
    found = set()
    for _ in range(16):
        scenario.turn(("1", Wait()))
        found.add(scenario.surface(2))
    assert found == {"ice", "thin_ice", ""}
    assert list(scenario.level.terrain[1:5]) == [Terrain.WATER] * 4


@pytest.mark.rule("F155")
def test_who_breaks_in_comes_ashore() -> None:
    scenario = lake("1~~~.", ".tt..")
    scenario.go("1", E)
    events = [event for _ in range(5) for event in scenario.turn(("1", Wait()))]
    assert "breaks_under" in kinds(events)
    assert scenario.level.terrain[scenario["1"].cell] != Terrain.WATER
    assert scenario["1"].hp == 34


@pytest.mark.rule("F151")
def test_fire_ends_ice_under_a_body() -> None:
    scenario = lake("1~~~~~~k", ".iiiiii.", k="kobold")
    scenario.go("1", E)
    scenario.turn(("1", Cast("blaze", 2)))
    assert scenario.level.is_walkable(scenario["1"].cell)
    assert not any(scenario.surface(x) == "ice" for x in range(1, 5) if x != scenario.where("1")[0])
