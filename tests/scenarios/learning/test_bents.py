"""Levels of players: bents, cards and steps, by choices sent by hand (rules F106, F107)."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.growth.bents import STEP, cards_for, default_option, options_of
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.inputs import FreeAction
from gloam_shared.protocol.commands import Choose, ChooseFor
from gloam_shared.view.choices import Choosing, GainKind
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, narrations

GLOAM = shipped("gloam")
BENTS = list(GLOAM.bents)
PLAIN = replace(GLOAM, bents={}, cards=replace(GLOAM.cards, every=0))
"""Gloam without bents, where what a level brings waits for a choice of gains."""


def rise(scenario: Scenario, level: int, name: str = "1") -> None:
    """Give a player the experience of a level."""
    body = scenario[name]
    wanted = least_experience_beyond(GLOAM.experience, level - 1)
    gain_experience(TurnContext(scenario.level, Dice(1, 1, level)), body, wanted - body.experience)
    assert body.level == level


def choose(scenario: Scenario, option: int, level: int | None = None, name: str = "1") -> list[str]:
    """Send a choice by hand, for a level or for the next choice; return the kinds of lines that it led to."""
    command = Choose(option) if level is None else ChooseFor(option, level)
    return [
        each.kind for each in narrations(scenario.apply(FreeAction(scenario[name].number, 1, command)).events)
    ]


def life(level: int = 1, bent: str = "", campaign: Campaign = GLOAM) -> Scenario:
    """Return a life alone, raised to a level after the choice of a bent."""
    scenario = Scenario("#1..#", campaign=campaign)
    if level > 1:
        rise(scenario, 2)
        if bent:
            choose(scenario, BENTS.index(bent))
    if level > 2:
        rise(scenario, level)
    return scenario


@pytest.mark.rule("F106")
def test_first_level_offers_each_bent() -> None:
    scenario = life(2)
    view = scenario.view()
    assert view.choosing == Choosing("Choose a bent", 1)
    assert [words.split(":")[0] for words in view.choices] == BENTS
    assert view.gains[0].kind == GainKind.ATTACK
    assert choose(scenario, BENTS.index("mage")) == ["takes_card"]
    assert scenario["1"].bent == "mage"
    assert scenario.view().choices == ()


@pytest.mark.rule("F106")
@pytest.mark.parametrize("bent", BENTS)
def test_each_level_is_a_step(bent: str) -> None:
    """The level before the choice counts, too, and those that offer cards do not."""
    scenario, step = life(5, bent), GLOAM.bents[bent]
    body, plain = scenario["1"], life(5, campaign=PLAIN)["1"]
    assert (body.hp_max, body.attack, body.defence, body.mana_max) == (
        plain.hp_max + 3 * step.health,
        plain.attack + 3 * step.attack,
        plain.defence + 3 * step.defence,
        plain.mana_max + 3 * step.mana,
    )
    assert body.points == 1
    assert body.steps is UNSET


@pytest.mark.rule("F106")
def test_steps_wait_for_the_bent() -> None:
    scenario = life(2)
    rise(scenario, 5)
    before = scenario["1"].attack
    assert scenario["1"].points == 2  # the bent, and the card of level 3
    choose(scenario, BENTS.index("archer"))
    assert scenario["1"].attack == before + 3 * GLOAM.bents["archer"].attack
    assert scenario.view().choosing == Choosing("Choose a card (level 3)", 3)


@pytest.mark.rule("F107")
def test_card_is_one_of_three_or_a_step() -> None:
    scenario = life(3, "fighter")
    body = scenario["1"]
    options = options_of(scenario.level, body)
    assert len(options) == 4
    assert options[-1] == STEP
    assert len(set(options)) == 4
    assert len(scenario.view().choices) == len(scenario.view().gains) == 4
    assert choose(scenario, 1) == ["takes_card"]
    assert body.learned == [options[1]]
    assert body.points == 0


@pytest.mark.rule("F107")
def test_step_instead_of_a_card() -> None:
    scenario = life(3, "guardian")
    before = scenario["1"].hp_max
    choose(scenario, 3, 3)
    assert scenario["1"].hp_max == before + GLOAM.bents["guardian"].health
    assert scenario["1"].learned == []


@pytest.mark.rule("F107")
def test_offer_stays_while_the_player_kills() -> None:
    scenario = life(3, "scout")
    before = options_of(scenario.level, scenario["1"])
    scenario["1"].statistics.slain = dict.fromkeys(GLOAM.creatures, 1)
    assert options_of(scenario.level, scenario["1"]) == before
    assert before == options_of(life(3, "scout").level, life(3, "scout")["1"])


@pytest.mark.rule("F107")
def test_kills_offer_what_such_creatures_learn() -> None:
    scenario = life(2, "scout")
    body = scenario["1"]
    assert not {card.key for card in cards_for(scenario.level, body)} & set(GLOAM.learners)
    learner = next(kind for kind in GLOAM.creatures.values() if "swift" in kind.learns)
    body.statistics.slain[learner.key] = 1
    assert "swift" in {card.key for card in cards_for(scenario.level, body)}


@pytest.mark.rule("F107")
def test_suits_decide_whose_card_it_is() -> None:
    def offered(bent: str) -> set[str]:
        scenario = life(2, bent)
        return {card.key for card in cards_for(scenario.level, scenario["1"])}

    assert "iron_arm" in offered("fighter")
    assert "iron_arm" not in offered("mage")
    assert "thick_skin" in offered("mage")


@pytest.mark.rule("F107")
@pytest.mark.parametrize(("option", "level"), [(0, 3), (0, 9), (0, 1), (9, 6), (4, 6)])
def test_choice_sent_twice_or_late_takes_nothing(option: int, level: int) -> None:
    scenario = life(6, "fighter")
    choose(scenario, 0, 3)
    learned, points = list(scenario["1"].learned), scenario["1"].points
    assert choose(scenario, option, level) == []
    assert (scenario["1"].learned, scenario["1"].points) == (learned, points)
    assert points == 1


@pytest.mark.rule("F107")
def test_choice_of_a_dead_life_takes_nothing() -> None:
    scenario = Scenario("#12.#", campaign=GLOAM)
    rise(scenario, 2)
    scenario.level.remove(scenario["1"])
    assert choose(scenario, 0, 1) == []
    assert scenario["1"].bent is UNSET
    assert choose(scenario, 0, 1, name="2") == []


@pytest.mark.rule("F107")
def test_choice_where_no_level_offers_cards() -> None:
    scenario = Scenario("#1..#", campaign=PLAIN)
    rise(scenario, 2)
    assert choose(scenario, 0, 1) == []
    assert scenario["1"].points == 1
    assert scenario.view().choosing == Choosing()


@pytest.mark.rule("F106")
@pytest.mark.parametrize("points", [0, 2])
def test_life_of_an_older_world_keeps_its_gains(points: int) -> None:
    scenario = Scenario("#1..#", campaign=GLOAM)
    body = scenario["1"]
    experience = least_experience_beyond(GLOAM.experience, 6)
    scenario.set_progress("1", level=7, experience=experience)
    body.points = points
    before = body.attack
    rise(scenario, 8)
    assert body.attack >= before
    before = body.attack
    assert scenario.view().choosing.level == 1
    choose(scenario, 0)
    assert body.attack == before + GLOAM.bents[BENTS[0]].attack


@pytest.mark.rule("F107")
def test_default_is_a_step_and_never_a_card() -> None:
    scenario = life(2)
    assert default_option(scenario.level, scenario["1"]) == 0
    scenario = life(3, "archer")
    at = default_option(scenario.level, scenario["1"])
    assert at is not None
    assert options_of(scenario.level, scenario["1"])[at] == STEP
    assert default_option(life(1).level, life(1)["1"]) is None
