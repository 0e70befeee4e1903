"""The part of a view that tells programs about magic and level-up choices, and no more than the player knows."""

from typing import get_args

import pytest

from gloam_server.content.spells import EffectKind
from gloam_server.views.magic_effects import first_effect
from gloam_shared.view import patch
from gloam_shared.view.choices import GainKind, LevelGain
from gloam_shared.view.view import NOWHERE, MagicEffect
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario


def test_unidentified_potion_shows_no_effect() -> None:
    """The effect is shown with the name, not before."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "potion_clarity")
    assert [thing.effect for thing in scenario.inventory("1")] == [MagicEffect.NONE]
    scenario["1"].known.append("potion_clarity")
    assert [thing.effect for thing in scenario.inventory("1")] == [MagicEffect.MANA]


def test_items_without_magic_show_no_effect() -> None:
    """Only potions and scrolls have one."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "knife", "ration", "potion_healing")
    shown = {thing.name: thing.effect for thing in scenario.inventory("1")}
    assert shown == {"knife": 0, "ration": 0, "potion of healing": MagicEffect.HEAL}


def test_a_spell_shows_its_first_effect() -> None:
    """Each spell that the player can cast has its effect."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "book_fire")
    shown = {spell.key: spell.effect for spell in scenario.view().spells}
    assert shown == dict.fromkeys(("dart", "fireball", "lance"), MagicEffect.HARM)


@pytest.mark.parametrize("does", sorted(set(get_args(EffectKind)) - {"strengthen", "lay"}))
def test_every_kind_of_effect_has_its_number(does: str) -> None:
    """Each kind has a member of its own name."""
    spells = [each for key in ("gloam", "rltut", "ruggrogue") for each in shipped(key).spells.values()]
    assert does.upper() in MagicEffect.__members__
    assert {first_effect(spell).name for spell in spells if spell.effects[0].does == does} <= {does.upper()}


def test_strengthening_names_what_it_adds() -> None:
    """A strengthening may weaken, restore or only sharpen the eyes."""
    spells = shipped("gloam").spells
    shown = {key: first_effect(spells[key]) for key in ("might", "haste", "curse", "web", "sharp_eyes")}
    assert shown == {
        "might": MagicEffect.STRENGTHEN,
        "haste": MagicEffect.STRENGTHEN,
        "curse": MagicEffect.WEAKEN,
        "web": MagicEffect.WEAKEN,
        "sharp_eyes": MagicEffect.SEE,
    }


@pytest.mark.parametrize(
    ("campaign", "gains"), [("jsrogue", {"ATTACK": 200, "DEFENCE": 200, "HEALTH": 1_000, "SIGHT": 100})]
)
def test_level_up_choices_name_their_gains(campaign: str, gains: dict[str, int]) -> None:
    """Gains stand in the order of the choices, in hundredths of what the sheet shows."""
    scenario = Scenario("#1.#", campaign=shipped(campaign))
    scenario.set_progress("1", points=1)
    view = scenario.view()
    assert view.gains == tuple(LevelGain(GainKind[name], amount) for name, amount in gains.items())
    assert len(view.gains) == len(view.choices)
    shown = patch.apply(NOWHERE, patch.diff(NOWHERE, view))
    assert (shown.gains, shown.choices) == (view.gains, view.choices)


def test_bents_name_all_that_a_step_brings() -> None:
    """A bent has several gains, the first one first; old clients read that one."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.set_progress("1", points=1)
    view = scenario.view()
    fighter = shipped("gloam").bents["fighter"]
    assert view.gains[0] == LevelGain(
        GainKind.ATTACK,
        fighter.attack,
        (GainKind.DEFENCE, fighter.defence, GainKind.HEALTH, fighter.health * 100),
    )
    shown = patch.apply(NOWHERE, patch.diff(NOWHERE, view))
    assert (shown.gains, shown.choices, shown.choosing) == (view.gains, view.choices, view.choosing)


def test_without_a_point_there_are_no_gains() -> None:
    """Gains go with the choices."""
    assert Scenario("#1.#").view().gains == ()
