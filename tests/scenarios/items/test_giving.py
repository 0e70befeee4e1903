"""Giving: a thing from hand to hand, to a friend beside one."""

import pytest

from gloam_server.world import actions
from gloam_server.world.actions import giving
from gloam_server.world.model.inputs import FreeAction
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Duel, Give, Wait
from support.scenarios.scenario import Scenario, read_events


def handle(scenario: Scenario, name: str) -> int:
    return scenario.level.handles[scenario[name].number]


def refusal(scenario: Scenario, name: str, slot: int = 0) -> str:
    outcome = actions.plan(scenario.level, scenario["1"], Give(slot, handle(scenario, name)))
    assert isinstance(outcome, Impossible)
    return outcome.text


@pytest.mark.rule("F45")
def test_thing_goes_hand_hand_first_free_slot() -> None:
    """A thing goes from hand to hand into the first free slot."""
    scenario = Scenario("#12.3#")
    scenario.give("1", "sword")
    scenario.give("2", "apple")
    scenario.wield("1", scenario["1"].carried[0].number)
    events = scenario.turn(("1", Give(0, handle(scenario, "2"))))
    assert scenario.names("2") == ["a apple", "b sword"]
    assert (scenario.names("1"), scenario["1"].wielded) == ([], 0)
    assert read_events(events, scenario["1"]) == ["You give the sword to Player2."]
    assert read_events(events, scenario["2"]) == ["You receive a sword from Player1."]
    assert read_events(events, scenario["3"]) == ["Player1 gives a sword to Player2."]


@pytest.mark.rule("F45")
def test_monster_takes_no_gifts_nor_far_or_gone() -> None:
    """A monster takes no gifts nor who is far or gone."""
    scenario = Scenario("#k1.2#", k="kobold")
    scenario.give("1", "apple")
    words = {refusal(scenario, "k"), refusal(scenario, "2"), refusal(scenario, "1")}
    outcome = actions.plan(scenario.level, scenario["1"], Give(0, 0))
    assert isinstance(outcome, Impossible)
    assert words == {outcome.text}


@pytest.mark.rule("F45")
def test_who_has_no_room_is_named() -> None:
    scenario = Scenario("#12#")
    scenario.give("1", "apple")
    scenario.give("2", *["rock"] * 10)
    assert refusal(scenario, "2") == "Player2 has no room for that."


@pytest.mark.rule("F45")
def test_nothing_is_given_in_a_duel() -> None:
    scenario = Scenario("#12#")
    scenario.give("1", "apple")
    for one, other in ("12", "21"):
        scenario.apply(FreeAction(scenario[one].number, 0, Duel(handle(scenario, other))))
    assert "no friend" in refusal(scenario, "2")


@pytest.mark.rule("F45")
@pytest.mark.parametrize("slot", [3, 25])
def test_an_empty_slot_gives_nothing(slot: int) -> None:
    scenario = Scenario("#12#")
    assert refusal(scenario, "2", slot) == "You carry nothing there."


@pytest.mark.rule("A64")
def test_what_is_bound_cannot_be_given() -> None:
    scenario = Scenario("#12#")
    [item] = scenario.give("1", "sword")
    item.bound = scenario["1"].number
    assert refusal(scenario, "2") == "That is bound to your life; you cannot give it away."


@pytest.mark.rule("F45")
def test_who_gives_to_somebody_in_danger_is_in_it_too() -> None:
    scenario = Scenario("#######\n#12..k#\n#######", k="kobold")
    scenario.give("1", "apple")
    kobold = scenario["k"].number
    scenario["2"].contacts[kobold] = scenario["2"].actions
    outcome = actions.plan(scenario.level, scenario["1"], Give(0, handle(scenario, "2")))
    assert outcome == giving.Give(0, scenario["2"].number)
    scenario.turn(("1", Give(0, handle(scenario, "2"))), ("2", Wait()))
    assert kobold in scenario["1"].contacts
