"""Rings of the flagship, one scenario each, and what all rings have in common (rule F78)."""

from typing import Any

import pytest

from gloam_server.world.actions import plan
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Drop, PutOn, Wait
from gloam_shared.view.view import ItemFlag, Stat
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, read_events

GLOAM = campaign("gloam")


def with_ring(drawing: str, ring: str, **letters: Any) -> Scenario:
    """Return a hall where player 1 has put on a ring."""
    scenario = Scenario(drawing, campaign=GLOAM, **letters)
    scenario.give("1", f"ring_{ring}")
    scenario.turn(("1", PutOn(0)))
    return scenario


def names_in_view(scenario: Scenario) -> list[str]:
    return sorted(creature.name for creature in scenario.view().creatures)


@pytest.mark.rule("F78")
def test_bat_sees_in_dark_as_far_as_in_light() -> None:
    """The bat sees in the dark as far as in the light."""
    hall = "#1....o...#"
    scenario = Scenario(hall, campaign=GLOAM, dark=True, o="ogre")
    scenario.put_to_sleep("o", 500)
    assert names_in_view(scenario) == ["Player1"]
    scenario.give("1", "ring_bat")
    scenario.turn(("1", PutOn(0)))
    assert names_in_view(scenario) == ["Player1", "ogre"]
    assert not scenario.level.field_of_view(scenario["o"])[scenario["1"].cell]
    scenario.turn(("1", PutOn()))
    assert names_in_view(scenario) == ["Player1"]


@pytest.mark.rule("F78")
def test_mending_closes_wounds_faster() -> None:
    def health_after(ring: str) -> int:
        scenario = with_ring("#1....#", ring)
        scenario.set_health("1", hp=5, hp_max=100)
        for _ in range(15):
            scenario.turn(("1", Wait()))
        return scenario["1"].hp

    assert health_after("mending") > health_after("thought") + 3


@pytest.mark.rule("F78")
def test_awareness_feels_what_is_near_behind_walls() -> None:
    scenario = with_ring("#1.#o...#####o#", "awareness", o="ogre")
    far = [body for body in scenario.level.creatures.values() if body.kind == "ogre"]
    assert len(far) == 2
    assert names_in_view(scenario) == ["Player1", "ogre"]


@pytest.mark.rule("F78")
def test_light_feet_spring_no_traps() -> None:
    scenario = with_ring("#1!...#", "light_feet")
    scenario.level.traps.update(dict.fromkeys(scenario.level.traps, "spike_trap"))
    before = scenario["1"].hp
    scenario.go("1", E)
    assert scenario["1"].hp == before
    assert scenario.level.traps
    scenario.turn(("1", PutOn()))
    scenario.level.pending_traps.append(scenario["1"].number)
    scenario.turn(("1", Wait()))
    assert scenario["1"].hp == before - 6


@pytest.mark.rule("F78")
def test_light_feet_do_not_wake_sleepers_sooner() -> None:
    def sleep_after(ring: str) -> int:
        scenario = with_ring("#1...o#", ring, o="ogre")
        scenario.put_to_sleep("o", 40)
        for _ in range(5):
            scenario.turn(("1", Wait()))
        return scenario["o"].asleep

    assert (sleep_after("light_feet"), sleep_after("thought")) == (35, 30)


@pytest.mark.rule("F78")
def test_clear_thought_brings_mana_back_faster() -> None:
    def mana_after(ring: str) -> int:
        scenario = with_ring("#1....#", ring)
        scenario.set_mana("1", mana=0, mana_max=50)
        for _ in range(40):
            scenario.turn(("1", Wait()))
        return scenario["1"].mana

    assert mana_after("thought") == mana_after("bat") + 6


@pytest.mark.rule("F78")
def test_a_ring_is_unknown_until_it_is_put_on() -> None:
    scenario = Scenario("#1...#", campaign=GLOAM)
    scenario.give("1", "ring_bat")
    before = scenario.view().inventory[0]
    assert before.name.endswith(" ring")
    assert before.traits & ItemFlag.RING
    assert not before.traits & ItemFlag.PUT_ON
    events = scenario.turn(("1", PutOn(0)))
    after = scenario.view().inventory[0]
    assert (after.name, bool(after.traits & ItemFlag.PUT_ON)) == ("ring of the bat", True)
    assert read_events(events, scenario["1"])[0].startswith("You put on a")
    assert "You take off the ring of the bat." in read_events(scenario.turn(("1", PutOn())), scenario["1"])


@pytest.mark.rule("F78")
def test_there_one_ring_slot_and_dropped_ring_off() -> None:
    """There is one ring slot and a dropped ring is off."""
    scenario = with_ring("#1...#", "bat")
    _, second = [*scenario["1"].carried, *scenario.give("1", "ring_thought")]
    scenario.turn(("1", PutOn(1)))
    assert scenario["1"].ring == second.number
    scenario.turn(("1", Drop(1)))
    assert scenario["1"].ring == 0


@pytest.mark.rule("F78")
def test_what_cannot_be_put_on_is_refused() -> None:
    scenario = with_ring("#1...#", "bat")
    scenario.give("1", "ration")
    outcomes = [plan(scenario.level, scenario["1"], PutOn(slot)) for slot in (0, 1, 2)]
    assert [one.reason for one in outcomes if isinstance(one, Impossible)] == [
        "already",
        "wrong_kind",
        "gone",
    ]
    scenario.turn(("1", PutOn()))
    off = plan(scenario.level, scenario["1"], PutOn())
    assert isinstance(off, Impossible)
    assert off.text == "You have no ring on."


@pytest.mark.rule("F78")
def test_ring_with_powers_alone_is_worn() -> None:
    """A ring without a spell costs its wearer nothing in any action."""
    scenario = with_ring("#1....#", "embers")
    scenario.turn(("1", Wait()))
    assert scenario["1"].ring
    assert scenario.view().fact(Stat.SIGHT) == scenario["1"].sight
