"""Players who see a monster learn its past; a player has none."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.texts.creature_history import history_message
from gloam_server.world.model.creature import Victim, new_creature
from gloam_shared.protocol.messages.records import History
from support.content.shipped_files import campaign
from support.scenarios.scenario import Scenario


def asked(scenario: Scenario, name: str) -> History:
    return history_message(scenario.level, scenario["1"], scenario.level.handles[scenario[name].number])


@pytest.mark.rule("F88")
def test_the_past_of_a_monster_in_sight_is_reported() -> None:
    scenario = Scenario("#1k2#k#", k="kobold", partition=2)
    kobold = next(body for body in scenario.level.creatures.values() if body.kind == "kobold")
    kobold.level, kobold.kills, kobold.victim_count = 3, 4, 6
    kobold.victims = [Victim(7, "Bert II")]
    history = history_message(scenario.level, scenario["1"], scenario.level.handles[kobold.number])
    assert history == History(history.handle, 3, 1, 2, 0, 4, ("Bert II",), 6)


@pytest.mark.rule("F115")
def test_a_captive_tells_who_has_a_companion_already() -> None:
    scenario = Scenario("#1k.k#", k="kobold")
    first, second = (body for body in scenario.level.creatures.values() if body.kind == "kobold")
    second.bond = "captive"
    handle = scenario.level.handles[second.number]
    powers = history_message(scenario.level, scenario["1"], handle).powers
    assert powers[0] == "It is a captive: step against it to free it."
    first.bond, first.owner = "companion", scenario["1"].number
    powers = history_message(scenario.level, scenario["1"], handle).powers
    assert powers[0] == "It is a captive: you have a companion already."


@pytest.mark.rule("F185")
def test_a_warden_tells_its_beacon() -> None:
    scenario = Scenario("#1.h#", campaign=campaign("gloam"), h="horgun", partition=5)
    told = "It keeps the herders' beacon dark, which burns once a player slays it."
    assert told in asked(scenario, "h").powers
    elsewhere = Scenario("#1.h#", campaign=campaign("gloam"), h="horgun", partition=6)
    assert told not in asked(elsewhere, "h").powers


@pytest.mark.rule("F88")
def test_nothing_out_of_sight_is_sent() -> None:
    """The history of players, and of what is out of sight, stays hidden."""
    scenario = Scenario("#12#k#", k="kobold")
    for name in ("1", "2", "k"):
        assert asked(scenario, name).level == 0
    assert history_message(scenario.level, scenario["1"], 40_000) == History(40_000)


@pytest.mark.rule("F88")
def test_a_monster_that_came_later_tells_in_which_turn() -> None:
    scenario = Scenario("#1...#")
    level = scenario.level
    level.state.turns = 340
    kobold = new_creature(level.campaign.creatures["kobold"], level.new_id())
    level.add(kobold, 3, Dice(1, 1, 1))
    assert history_message(level, scenario["1"], level.handles[kobold.number]).born_turn == 340
