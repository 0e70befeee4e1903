"""Scrolls of the flagship are unknown until they are read (rule F77)."""

from typing import Any

import pytest

from gloam_server.world.actions import plan
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model.inputs import GrantKeepsake, TakeKit
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Quaff, Read
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario, read_events

GLOAM = campaign("gloam")


def scene(drawing: str, scroll: str, **letters: Any) -> Scenario:
    scenario = Scenario(drawing, campaign=GLOAM, **letters)
    scenario.give("1", scroll)
    return scenario


@pytest.mark.rule("F77")
def test_each_scroll_has_a_label_of_its_own_in_a_realm() -> None:
    scrolls = [kind.key for kind in GLOAM.items.values() if kind.group == "scroll"]
    scenario = Scenario("#1...#", campaign=GLOAM)
    scenario.give("1", *scrolls)
    names = [item.name for item in scenario.view().inventory]
    assert len(set(names)) == len(scrolls)
    assert all(name.endswith(" scroll") for name in names)
    assert {item.colour for item in scenario.view().inventory} == {"white"}


@pytest.mark.rule("F77")
def test_reading_tells_name_of_all_scrolls_of_kind() -> None:
    """Reading tells the name of all scrolls of the kind."""
    scenario = scene("#1......#", "scroll_mapping")
    label = scenario.view().inventory[0].name
    events = scenario.turn(("1", Read(0)))
    assert f"The {label} is a scroll of mapping!" in read_events(events, scenario["1"])
    scenario.give("1", "scroll_mapping")
    assert scenario.view().inventory[0].name == "scroll of mapping"


@pytest.mark.rule("F192")
def test_life_knows_the_scrolls_of_its_kit() -> None:
    scenario = Scenario("#1..#", campaign=GLOAM)
    give_starting_kit(GLOAM, scenario["1"], scenario.level.new_id)
    scenario.apply(TakeKit(scenario["1"].number, [kit.key for kit in GLOAM.kits].index("torch_bearer")))
    assert "scroll of mapping" in [item.name for item in scenario.view().inventory]
    scenario.give("1", "scroll_missile")
    assert scenario["1"].known == ["scroll_mapping"]


@pytest.mark.rule("F192")
def test_heir_knows_its_keepsake() -> None:
    scenario = Scenario("#1..2#", campaign=GLOAM)
    scenario.give("2", "wand_striking")
    (item,) = scenario["2"].carried
    scenario["2"].slots[:] = [None] * len(scenario["2"].slots)
    events = scenario.apply(GrantKeepsake(scenario["1"].number, item, (1, 1, 1)))
    assert [held.name.partition(" (")[0] for held in scenario.view().inventory] == ["wand of striking"]
    assert any("wand of striking" in line for line in read_events(events.events, scenario["1"]))


@pytest.mark.rule("F77")
def test_attack_that_is_read_unknown_finds_nearest_foe() -> None:
    """An attack that is read unknown finds the nearest foe."""
    scenario = scene("#1...o..o#", "scroll_missile", o="ogre")
    near, far = sorted(
        (body for body in scenario.level.creatures.values() if body.kind == "ogre"),
        key=lambda body: body.cell,
    )
    before = near.hp, far.hp
    scenario.turn(("1", Read(0)))
    assert (near.hp, far.hp) == (before[0] - 14, before[1])


@pytest.mark.rule("F77")
def test_attack_read_with_no_foe_in_sight_spent_known() -> None:
    """An attack that is read with no foe in sight is spent and known."""
    scenario = scene("#1.....#", "scroll_missile")
    lines = read_events(scenario.turn(("1", Read(0))), scenario["1"])
    assert "It comes to nothing." in lines
    assert lines[-1].endswith(" is a scroll of magic missile!")
    assert scenario["1"].carried == []


@pytest.mark.rule("F77")
def test_a_known_scroll_is_aimed_as_ever() -> None:
    scenario = scene("#1.....#", "scroll_missile")
    scenario["1"].known.append("scroll_missile")
    outcome = plan(scenario.level, scenario["1"], Read(0))
    assert isinstance(outcome, Impossible)
    assert outcome.reason == "no_aim"


@pytest.mark.rule("F77")
def test_no_refusal_tells_what_an_unknown_scroll_is() -> None:
    """An aim out of sight is refused for every scroll; any other is taken."""
    for scroll in (kind.key for kind in GLOAM.items.values() if kind.group == "scroll"):
        scenario = scene("#1........o#", scroll, o="ogre")
        for cell in (None, *range(1, 10)):
            assert not isinstance(plan(scenario.level, scenario["1"], Read(0, cell)), Impossible), (
                scroll,
                cell,
            )


def test_a_potion_of_healing_raises_no_maximum() -> None:
    for potion in ("potion_healing", "potion_great_healing"):
        scenario = scene("#1...#", potion)
        before = scenario["1"].hp_max
        scenario.turn(("1", Quaff(0)))
        assert (scenario["1"].hp, scenario["1"].hp_max) == (before, before)
