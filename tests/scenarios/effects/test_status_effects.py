"""Lasting states: they count in every number, pass by a body's own actions, always end, and freeze with the body."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.rules.dice import Dice
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.items.equipment import total_attack, total_speed
from gloam_server.world.model.context import TurnContext
from gloam_server.world.transition.serialization import deserialize_level, serialize_level, state_hash
from gloam_shared.protocol.commands import Quaff, Wait
from gloam_shared.view.view import StatusEffect
from support.content.magic_campaign import academy
from support.scenarios.scenario import Scenario, kinds

LASTING = tuple(
    sorted(
        key
        for key, spell in academy().spells.items()
        if any(effect.turns and effect.does != "summon" for effect in spell.effects)
    )
)


def scene(drawing: str, **letters: Any) -> Scenario:
    return Scenario(drawing, campaign=academy(), **letters)


def bring(scenario: Scenario, spell: str, name: str) -> None:
    cast_spell(TurnContext(scenario.level, Dice(1, 1, 1)), spell, None, scenario[name].cell)


@given(st.lists(st.sampled_from(LASTING), max_size=12), st.lists(st.booleans(), max_size=20))
def test_lasting_states_always_end(spells: list[str], between: list[bool]) -> None:
    """Lasting states always end and leave nothing behind."""
    scenario = scene("#1.k#", k="statue")
    body = scenario["k"]
    before = (total_attack(scenario.level, body), total_speed(scenario.level, body), body.attack, body.speed)
    for at, spell in enumerate(spells):
        bring(scenario, spell, "k")
        if at < len(between) and between[at]:
            scenario.turn(("1", Wait()))
    longest = max((state.turns for state in body.lasting), default=0)
    while body.lasting:
        was = body.actions
        scenario.turn(("1", Wait()))
        longest -= body.actions - was
        assert longest > 0 or not body.lasting  # the quick act more than once a turn
    after = (total_attack(scenario.level, body), total_speed(scenario.level, body), body.attack, body.speed)
    assert before == after


@pytest.mark.rule("TG.22", "F28")
def test_the_same_effect_starts_its_turns_over() -> None:
    """The same effect begins its turns again and counts once."""
    scenario = scene("#1#")
    bring(scenario, "warrior", "1")
    for _ in range(5):
        scenario.turn(("1", Wait()))
    bring(scenario, "warrior", "1")
    assert total_attack(scenario.level, scenario["1"]) == 15
    assert [state.turns for state in scenario["1"].lasting] == [20]


def test_states_pass_by_a_bodys_own_actions_alone() -> None:
    scenario = scene("#1#2#")
    bring(scenario, "warrior", "1")
    scenario.turn(("2", Wait()))
    assert [state.turns for state in scenario["1"].lasting] == [20]


def test_states_shown_body_once_and_fading_end() -> None:
    """States are shown to their body once each and as fading at their end."""
    scenario = scene("#1.2#")
    scenario.give("1", "slow_health_potion")
    scenario.turn(("1", Quaff(0)))
    bring(scenario, "slow_heal", "1")
    bring(scenario, "fear", "1")

    def states(name: str) -> tuple[StatusEffect, ...]:
        return scenario.view(name).states

    assert states("1") == (StatusEffect("mending"), StatusEffect("afraid"))
    assert states("2") == ()
    for _ in range(6):
        scenario.turn(("1", Wait()))
    assert states("1") == (StatusEffect("mending"), StatusEffect("afraid", fading=True))


def test_states_freeze_with_the_body() -> None:
    scenario = scene("#1.k#", k="statue")
    for name in ("1", "k"):
        bring(scenario, "poison", name)
        bring(scenario, "warrior", name)
    scenario["1"].known.append("poison_potion")
    frozen = serialize_level(scenario.level)
    thawed = deserialize_level(frozen, academy(), 1)
    assert thawed.creatures[scenario["1"].number] == scenario["1"]
    assert state_hash(serialize_level(thawed)) == state_hash(frozen)


def test_the_grace_of_an_arrival_keeps_poison_off() -> None:
    scenario = scene("#1.2#")
    bring(scenario, "poison", "1")
    scenario.protect("1", 3)
    scenario.turn(("1", None))
    assert scenario["1"].hp == 40


def test_a_mages_imps_vanish_when_their_time_is_over() -> None:
    scenario = scene("#1...#...m.#", m="mage")
    cast_spell(TurnContext(scenario.level, Dice(1, 1, 1)), "call_imps", scenario["m"], scenario["m"].cell)
    seen: set[str] = set()
    for _ in range(7):
        seen.update(kinds(scenario.turn(("1", Wait()))))
    assert "vanishes" in seen
    assert not [body for body in scenario.level.creatures.values() if body.kind == "imp"]
