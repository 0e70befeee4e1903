"""Skills: the kit, bent, cards and trophies of a life, as its player reads them, each with its words."""

import re

import pytest

from gloam_server.views.level_options import option_words, trait_words
from gloam_server.views.own_body import skill_list
from gloam_server.world.growth.bents import STEP
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model.creature import Item
from gloam_server.world.model.inputs import TakeKit
from gloam_shared.view.view import Skill
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario

GLOAM = shipped("gloam")
DECIMAL = re.compile(r"\d[.,]\d")


def shown(scenario: Scenario) -> list[Skill]:
    return list(skill_list(scenario.level, scenario["1"]))


@pytest.mark.rule("F105")
def test_kit_and_its_trait_are_told() -> None:
    scenario = Scenario("#1..#", campaign=GLOAM)
    assert shown(scenario) == []
    give_starting_kit(GLOAM, scenario["1"], scenario.level.new_id)
    at = [kit.key for kit in GLOAM.kits].index("digger")
    scenario.apply(TakeKit(scenario["1"].number, at))
    kit, trait = shown(scenario)
    assert kit == Skill("kit", "digger", GLOAM.kits[at].words)
    assert (trait.kind, trait.words) == ("trait", "A wall takes 2 turns to dig through.")


@pytest.mark.rule("F106")
@pytest.mark.rule("F107")
def test_bent_cards_and_trophies_are_told() -> None:
    """A trophy shows its power while it is carried, and no longer."""
    scenario = Scenario("#1..#", campaign=GLOAM)
    body = scenario["1"]
    body.level, body.bent, body.learned = 3, "fighter", ["cleave"]
    kind = GLOAM.items["wolf_collar"]
    body.slots[0] = Item(99, kind.key, "Skarn's wolf collar", kind.colour, kind.bites)
    assert shown(scenario) == [
        Skill("bent", "fighter", "Strikes hard, and stands what comes back."),
        Skill("trait", "cleave", trait_words(GLOAM.traits["cleave"])),
        Skill("trophy", "Skarn's wolf collar", "The wolves hurt you a quarter less."),
    ]
    body.slots[0] = None
    assert [skill.kind for skill in shown(scenario)] == ["bent", "trait"]


@pytest.mark.rule("F107")
def test_a_card_of_another_version_is_not_told() -> None:
    scenario = Scenario("#1..#", campaign=GLOAM)
    scenario["1"].bent, scenario["1"].learned = "poet", ["verse"]
    assert shown(scenario) == []


@pytest.mark.rule("F106")
def test_no_choice_of_gloam_has_a_decimal() -> None:
    """Neither kits, bents and cards, nor what a level offers."""
    scenario = Scenario("#1..#", campaign=GLOAM)
    body = scenario["1"]
    for bent in GLOAM.bents:
        body.bent = bent
        words = [option_words(GLOAM, body, key) for key in (*GLOAM.traits, STEP)]
        assert [each for each in words if DECIMAL.search(each)] == []
        assert all(each.strip() for each in words)
    texts = [*[kit.words for kit in GLOAM.kits], *[bent.words for bent in GLOAM.bents.values()]]
    assert [each for each in texts if DECIMAL.search(each)] == []
