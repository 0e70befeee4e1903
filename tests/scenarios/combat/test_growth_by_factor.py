"""Growth by a factor of the level, and gear that grows with its own (rules R1, R7, R13, RG.14, RG.20, F37)."""

import pytest
from msgspec.structs import replace

from gloam_server.rules.dice import Dice
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.items.equipment import total_attack, total_defense
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.inputs import FreeAction
from gloam_shared.protocol.commands import Choose, Wear, Wield
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import Scenario, kinds, read_events


def rise(scenario: Scenario, name: str, amount: int) -> list[str]:
    """Give experience; return what happened, by kind."""
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    gain_experience(context, scenario[name], amount)
    return kinds(context.events)


@pytest.mark.rule("R7", "RG.20")
def test_a_level_raises_all_numbers() -> None:
    """A level raises all numbers and heals wholly, without a choice."""
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    player = scenario["1"]
    player.hp = 3
    assert rise(scenario, "1", 49) == ["ExperienceGained"]
    assert rise(scenario, "1", 1) == ["ExperienceGained", "advances", "LevelGained"]
    assert (player.level, player.experience, player.points) == (2, 50, 0)
    assert (player.hp, player.hp_max, player.attack, player.defence) == (33, 33, 528, 264)


@pytest.mark.rule("R7")
def test_several_levels_are_one_message() -> None:
    """Several levels together are one message and the sum of them."""
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    assert rise(scenario, "1", 303) == ["ExperienceGained", "advances", "LevelGained"]
    player = scenario["1"]
    assert (player.level, player.hp, player.attack, player.defence) == (6, 45, 720, 360)


@pytest.mark.rule("R7")
def test_extra_health_from_potions_is_kept() -> None:
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    scenario["1"].hp_max += 4
    rise(scenario, "1", 50)
    assert (scenario["1"].hp, scenario["1"].hp_max) == (37, 37)


@pytest.mark.rule("R8")
def test_monster_rises_same_record_and_numbers() -> None:
    """A monster rises by the same record and numbers."""
    scenario = Scenario("#1b#", campaign=shipped("ruggrogue"), b="blob")
    rise(scenario, "b", 55)
    blob = scenario["b"]
    assert (blob.level, blob.hp_max, blob.attack, blob.defence) == (2, 15, 880, 440)


@pytest.mark.rule("R1", "F90")
def test_a_kind_may_have_a_factor_of_its_own() -> None:
    """A kind's own factor counts instead of the campaign's, and players keep the campaign's."""
    ruggrogue = shipped("ruggrogue")
    blob = replace(ruggrogue.creatures["blob"], factor_percent=50)
    campaign = replace(ruggrogue, creatures={**ruggrogue.creatures, "blob": blob})
    scenario = Scenario("#1b#", campaign=campaign, b="blob")
    rise(scenario, "b", 55)
    rise(scenario, "1", 50)
    assert scenario["b"].attack == blob.attack * 3 // 2
    assert scenario["1"].attack == 528


@pytest.mark.rule("F37")
def test_the_factor_and_a_choice_stand_together() -> None:
    campaign = with_rules(arena(), "experience", factor_percent=10)
    scenario = Scenario("#1.#", campaign=campaign)
    rise(scenario, "1", 10)
    scenario.apply(FreeAction(scenario["1"].number, 1, Choose(0)))
    player = scenario["1"]
    assert (player.hp_max, player.attack, player.points) == (44, 10 + 1 + 2, 0)


@pytest.mark.rule("RG.14")
def test_gear_grows_level_and_says_name() -> None:
    """Gear grows with its own level and says so in its name."""
    scenario = Scenario("#12#", campaign=shipped("ruggrogue"))
    knife, jerkin = scenario.give("1", "knife", "jerkin")
    knife.power, jerkin.power = 3, 6
    events = scenario.turn(("1", Wield(0)), ("2", None)) + scenario.turn(("1", Wear(1)), ("2", None))
    player = scenario["1"]
    assert read_events(events, player) == ["You are wielding a +3 Knife.", "You are wearing a +6 Jerkin."]
    assert read_events(events, scenario["2"]) == [
        "Player1 is wielding a +3 Knife.",
        "Player1 is wearing a +6 Jerkin.",
    ]
    assert total_attack(scenario.level, player) == 480 + 384
    assert total_defense(scenario.level, player) == 240 + 240


@pytest.mark.rule("R13", "RG.14")
def test_a_bonus_shows_in_name_and_numbers() -> None:
    """A bonus counts in the name and the numbers, but not in the looks."""
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    [plain, better] = scenario.give("1", "knife", "knife")
    plain.power, better.power, better.bonus = 2, 5, 3
    listed = scenario.inventory("1")
    assert [(thing.name, thing.attack, thing.glyph) for thing in listed] == [
        ("+2 Knife", 4, ")"),
        ("+5 Knife", 4, ")"),
    ]
    better.power = 8
    assert scenario.inventory("1")[1].attack == 5  # 5.44, rounded for display


@pytest.mark.rule("R3")
def test_what_a_player_is_shown_is_rounded() -> None:
    scenario = Scenario("#1.#", campaign=shipped("ruggrogue"))
    [knife] = scenario.give("1", "knife")
    knife.power = 1
    assert scenario.inventory("1")[0].attack == 3
