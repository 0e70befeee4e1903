"""A bot's choice of cards by simulated outcome: what helps against the foes that it remembers is taken."""

import pytest

from gloam_lab.balance.outcome import best_by_outcome
from gloam_lab.bots.bot_memory import Foe
from gloam_lab.bots.style import Style
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario

GLOAM = shipped("gloam")
ORC = Foe(12, 4, 20, "orc")


def chosen(*cards: str, foe: Foe = ORC, style: Style = Style.FIGHTER, carries: tuple[str, ...] = ()) -> str:
    """Return the card that a life takes of some, or "step"."""
    scenario = Scenario("#1#", campaign=GLOAM)
    scenario.set_health("1", hp=60, hp_max=60)
    scenario.set_stats("1", attack=1_000, defence=500)
    scenario.give("1", *carries)
    body = scenario["1"]
    body.mana = body.mana_max = 30
    body.bent, body.points, body.level, body.offer = "mage", 1, 3, cards
    at = best_by_outcome(scenario.level, body, scenario.view(), style, (foe,))
    return (*cards, "step")[at]


@pytest.mark.parametrize(
    ("cards", "taken"),
    [
        (("steady_light", "second_blow"), "second_blow"),
        (("light_hand", "parry", "shoulder_to_shoulder"), "parry"),
        (("shared_wounds",), "step"),
    ],
)
def test_it_takes_what_helps_in_fights(cards: tuple[str, ...], taken: str) -> None:
    assert chosen(*cards) == taken


def test_a_grudge_is_taken_against_its_people() -> None:
    cards = ("goblin_bane", "undead_bane")
    assert chosen(*cards, foe=replace_name("goblin")) == "goblin_bane"
    assert chosen(*cards, foe=replace_name("Gnash the zombie")) == "undead_bane"


def replace_name(name: str) -> Foe:
    return ORC._replace(name=name)


def test_magic_is_for_who_casts() -> None:
    assert chosen("mages_memory", "fury", style=Style.FIGHTER) == "fury"


def test_the_same_life_chooses_the_same() -> None:
    cards = ("keen_edge", "riposte", "blood_feast")
    assert len({chosen(*cards) for _ in range(3)}) == 1
