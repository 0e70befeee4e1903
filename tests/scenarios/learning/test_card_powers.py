"""The powers of cards and kits, one scenario each, by traits of gloam (rules F108, F109)."""

from collections.abc import Callable
from typing import get_args

import pytest

from gloam_server.content.powers import DAMAGE_TYPES, Power, PowerWord
from gloam_server.rules.dice import Dice
from gloam_server.views.texts.power_words import power_words
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.growth.learning import learn_trait
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import DamageDealt
from gloam_server.world.model.powers import powers_of
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Cast, Dig, Fire, Throw, Zap
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, facts

GLOAM = shipped("gloam")
SEEDS = range(60)


def fight(trait: str, seed: int = 1, drawing: str = "#1o..#") -> Scenario:
    """Return a strong player with a trait beside an ogre that lasts."""
    scenario = Scenario(drawing, campaign=GLOAM, seed=seed, o="ogre")
    scenario["1"].learned = [trait] if trait else []
    scenario.set_stats("1", attack=4_000)
    scenario.set_health("1", hp=900, hp_max=900)
    scenario.set_health("o", hp=9_000, hp_max=9_000)
    return scenario


def dealt(scenario: Scenario, name: str = "o") -> int:
    """Return the damage that a creature took in the last input."""
    return sum(
        each.amount for each in facts(scenario.events, DamageDealt) if each.victim == scenario[name].number
    )


def blow(trait: str, change: Callable[[Scenario], None] = lambda _: None) -> int:
    scenario = fight(trait)
    change(scenario)
    scenario.go("1", E)
    return dealt(scenario)


@pytest.mark.rule("F108")
@pytest.mark.parametrize(
    ("trait", "change", "least"),
    [
        ("fury", lambda each: each.set_health("1", hp=250, hp_max=900), 135),
        ("dagger_in_the_dark", lambda each: each.put_to_sleep("o", 9), 190),
        ("iron_arm", lambda each: each.set_health("1", hp=900, hp_max=900), 100),
    ],
    ids=["fury", "ambush", "none"],
)
def test_attack_is_stronger_in_its_case(trait: str, change: Callable[[Scenario], None], least: int) -> None:
    assert blow(trait, change) * 100 // blow("", change) >= least
    assert blow(trait) == blow("")


@pytest.mark.rule("F108")
def test_bane_holds_against_its_people() -> None:
    def strike(kind: str, trait: str) -> int:
        scenario = Scenario("#1o..#", campaign=GLOAM, o=kind)
        scenario["1"].learned = [trait] if trait else []
        scenario.set_stats("1", attack=4_000)
        scenario.set_health("o", hp=9_000, hp_max=9_000)
        scenario.go("1", E)
        return dealt(scenario)

    assert strike("goblin", "goblin_bane") > strike("goblin", "")
    assert strike("ogre", "goblin_bane") == strike("ogre", "")


@pytest.mark.rule("F108")
def test_company_needs_a_friend_beside() -> None:
    def strike(trait: str, drawing: str) -> int:
        scenario = fight(trait, drawing=drawing)
        scenario.go("1", E)
        return dealt(scenario)

    assert strike("shoulder_to_shoulder", "#21o.#") > strike("", "#21o.#")
    assert strike("shoulder_to_shoulder", "#2.1o.#") == strike("", "#2.1o.#")


@pytest.mark.rule("F108")
def test_keen_second_and_parried_blows() -> None:
    usual = max(dealt_at(seed, "") for seed in SEEDS)
    assert 3 <= sum(dealt_at(seed, "keen_edge") > usual for seed in SEEDS) <= 20
    assert sum(len(facts(struck(seed, "second_blow").events, DamageDealt)) > 1 for seed in SEEDS) >= 3

    def was_hit(trait: str) -> int:
        hits = 0
        for seed in SEEDS:
            scenario = fight(trait, seed)
            scenario.turn(("1", None))
            hits += dealt(scenario, "1") > 0
        return hits

    assert was_hit("parry") < was_hit("")


def struck(seed: int, trait: str) -> Scenario:
    scenario = fight(trait, seed)
    scenario.put_to_sleep("o", 9)
    scenario.go("1", E)
    return scenario


def dealt_at(seed: int, trait: str) -> int:
    return dealt(struck(seed, trait))


@pytest.mark.rule("F108")
def test_missed_blow_is_answered() -> None:
    def answered(trait: str) -> int:
        count = 0
        for seed in range(120):
            scenario = fight(trait, seed)
            scenario.turn(("1", None))
            count += dealt(scenario) > 0 and dealt(scenario, "1") == 0
        return count

    assert answered("riposte") > answered("")


@pytest.mark.rule("F108")
def test_guard_takes_a_part_of_a_friends_wound() -> None:
    scenario = Scenario("#21o#", campaign=GLOAM, o="ogre")
    scenario["2"].learned = ["shield"]
    for name in "12":
        scenario.set_health(name, hp=500, hp_max=500)
    for _ in range(6):
        lines = [each.kind for each in scenario.turn(("1", None), ("2", None))]
        if "shields" in lines:
            break
    assert "shields" in lines
    assert abs(dealt(scenario, "1") - dealt(scenario, "2")) <= 1
    scenario.set_health("2", hp=1, hp_max=500)
    for _ in range(6):
        scenario.turn(("1", None), ("2", None))
    assert scenario["2"].hp >= 1


@pytest.mark.rule("F108")
def test_bulwark_bounds_each_wound() -> None:
    for seed in range(8):
        scenario = fight("bulwark", seed)
        scenario.set_stats("o", attack=90_000)
        scenario.turn(("1", None))
        wounds = [each.amount for each in facts(scenario.events, DamageDealt)]
        assert max(wounds, default=0) <= 900 * 20 // 100


@pytest.mark.rule("F108")
def test_kill_feeds_its_killer() -> None:
    feast = 900 * GLOAM.traits["blood_feast"].powers[0].percent // 100
    for trait, field, gain in (("blood_feast", "hp", feast), ("soul_sip", "mana", 2)):
        scenario = fight(trait)
        scenario["1"].hp, scenario["1"].mana = 100, 0
        scenario.put_to_sleep("o", 9)
        scenario.set_health("o", hp=1, hp_max=9_000)
        scenario["1"].level = 40  # no level heals it
        scenario["1"].experience = 0
        scenario.go("1", E)
        assert not scenario.alive("o")
        assert getattr(scenario["1"], field) >= {"hp": 100, "mana": 0}[field] + gain


@pytest.mark.rule("F108")
def test_spells_cost_less_and_harm_more() -> None:
    def cast(trait: str, seed: int) -> tuple[int, int]:
        scenario = fight(trait, seed, "#1..o#")
        scenario.give("1", "book_fire")
        scenario["1"].mana = scenario["1"].mana_max = 50
        scenario.turn(("1", Cast("dart", scenario["o"].cell)))
        return dealt(scenario), scenario["1"].mana

    usual = cast("", 1)
    assert cast("sorcery", 1)[0] > usual[0]
    free = sum(cast("mages_memory", seed)[1] > usual[1] for seed in SEEDS)
    assert 5 <= free <= 30


@pytest.mark.rule("F108")
def test_brew_heals_more() -> None:
    def healed(trait: str) -> int:
        scenario = fight(trait, drawing="#1..o#")
        scenario["1"].hp = 100
        cast_spell(TurnContext(scenario.level, Dice(1, 1, 1)), "healing", scenario["1"], scenario["1"].cell)
        return scenario["1"].hp - 100

    assert healed("good_brew") == healed("") * 160 // 100


@pytest.mark.rule("F108")
def test_wand_keeps_some_charges() -> None:
    def left(trait: str) -> int:
        charges = 0
        for seed in range(30):
            scenario = fight(trait, seed, "#1..o#")
            (wand,) = scenario.give("1", "wand_striking")
            wand.charges = 5
            slot = scenario["1"].slots.index(wand)
            scenario.turn(("1", Zap(slot, scenario["o"].cell)))
            charges += wand.charges
        return charges

    assert left("") == 120
    assert 125 <= left("light_hand") <= 145


@pytest.mark.rule("F108")
def test_shots_and_throws_are_stronger_and_follow() -> None:
    def shoot(trait: str, seed: int = 1) -> tuple[int, int]:
        scenario = fight(trait, seed, "#1..o#")
        (sling,) = scenario.give("1", "sling")
        scenario.wield("1", sling.number)
        scenario.turn(("1", Fire(scenario["o"].cell)))
        return dealt(scenario), len(facts(scenario.events, DamageDealt))

    assert shoot("sure_aim")[0] > shoot("")[0]
    assert 5 <= sum(shoot("second_throw", seed)[1] > shoot("", seed)[1] for seed in SEEDS) <= 35

    def thrown(trait: str, seed: int) -> int:
        scenario = fight(trait, seed, "#1..o#")
        body, rocks = scenario["1"], scenario.give("1", "rock", "rock", "rock")
        slot = body.slots.index(rocks[0])
        body.slots = [item if item is rocks[0] else None for item in body.slots]
        body.stacks = {slot: list(rocks[1:])}
        scenario.turn(("1", Throw(slot, scenario["o"].cell)))
        return 3 - len(scenario["1"].carried)

    assert {thrown("", seed) for seed in range(10)} == {1}
    assert max(thrown("second_throw", seed) for seed in range(40)) > 1


@pytest.mark.rule("F108")
def test_leap_strikes_with_the_step() -> None:
    scenario = fight("leap", drawing="#1.o.#")
    scenario.put_to_sleep("o", 9)
    scenario.go("1", E)
    assert scenario.where("1") == (2, 0)
    assert dealt(scenario) > 0
    plain = fight("", drawing="#1.o.#")
    plain.put_to_sleep("o", 9)
    plain.go("1", E)
    assert dealt(plain) == 0


@pytest.mark.rule("F108")
def test_master_strengthens_those_that_follow() -> None:
    def bitten(trait: str) -> int:
        scenario = Scenario("#1wo#", campaign=GLOAM, w="wolf", o="ogre")
        scenario["1"].learned = [trait] if trait else []
        wolf = scenario["w"]
        wolf.owner, wolf.ally, wolf.bond = scenario["1"].number, True, "companion"
        wolf.attack = 4_000
        scenario.level.caches.foes.clear()
        scenario.set_health("o", hp=9_000, hp_max=9_000)
        scenario.put_to_sleep("o", 9)
        for _ in range(4):
            scenario.turn(("1", None))
            if dealt(scenario):
                return dealt(scenario)
        raise AssertionError("the wolf does not bite")

    assert bitten("pack_leader") > bitten("")


@pytest.mark.rule("F108")
def test_light_without_a_torch() -> None:
    drawing = "#1......o#"
    assert not _sees("", drawing)
    assert _sees("steady_light", drawing.replace("......", ".."))


def _sees(trait: str, drawing: str) -> bool:
    scenario = Scenario(drawing, campaign=GLOAM, dark=True, o="ogre")
    scenario["1"].learned = [trait] if trait else []
    scenario.level.sight.note_gear(scenario["1"].number)
    scenario.turn(("1", None))
    return bool(scenario.level.field_of_view(scenario["1"])[scenario["o"].cell])


@pytest.mark.rule("F109")
@pytest.mark.parametrize(("trait", "turns"), [("", 4), ("tunneler", 2)])
def test_wall_takes_turns_to_dig(trait: str, turns: int) -> None:
    scenario = Scenario("#####\n#1#.#\n#####", campaign=GLOAM)
    scenario["1"].learned = [trait] if trait else []
    cell = scenario["1"].cell + 1
    for turn in range(turns):
        assert scenario.level.terrain[cell] == Terrain.WALL, turn
        scenario.turn(("1", Dig(1, 0)))
    assert scenario.level.terrain[cell] == Terrain.FLOOR


@pytest.mark.rule("F107")
def test_each_card_says_what_it_does_in_numbers() -> None:
    cards = [trait for trait in GLOAM.traits.values() if trait.card and trait.key not in GLOAM.learners]
    assert len(cards) >= 24
    for card in cards:
        for power in card.powers:
            words = power_words(power, "you")
            assert words.endswith(".")
            assert "{" not in words
            assert str(power.percent or power.amount or "") in words or power.does == "resist"


@pytest.mark.rule("F108")
def test_each_word_of_a_power_has_a_sentence() -> None:
    assert [word for word in get_args(PowerWord) if not power_words(Power(word, 25, 3, "fire"), "you")] == []


CARDS = sorted(key for key, trait in GLOAM.traits.items() if trait.card and not trait.told)
NUMBERS = {"hp_percent": "hp_max", "attack_percent": "attack", "defence_percent": "defence", "speed": "speed", "sight": "sight", "regeneration": "regeneration"}  # fmt: skip


@pytest.mark.rule("F107")
@pytest.mark.parametrize("card", CARDS)
def test_each_card_gives_its_powers_and_numbers(card: str) -> None:
    """A player who takes it has its powers and numbers, and no others; the scenarios above show what a power does."""
    scenario = Scenario("#1..#", campaign=GLOAM)
    body, trait = scenario["1"], GLOAM.traits[card]
    before = {number: getattr(body, number) for number in NUMBERS.values()}
    learn_trait(scenario.level, body, trait)
    assert list(powers_of(GLOAM, body)) == list(trait.powers)
    more = {number for number in NUMBERS.values() if getattr(body, number) > before[number]}
    assert more == {number for field, number in NUMBERS.items() if getattr(trait, field)}
    assert trait.powers or more or trait.swims


@pytest.mark.rule("F111")
@pytest.mark.parametrize(
    ("card", "kind"), [("salamander", "fire"), ("winter_blood", "cold"), ("strong_stomach", "venom")]
)
def test_a_card_of_resistance_halves_its_kind_alone(card: str, kind: str) -> None:
    taken = {}
    for damage_type in DAMAGE_TYPES:
        scenario = fight(card)
        context = TurnContext(scenario.level, Dice(1, 1, 1))
        taken[damage_type] = apply_damage(
            context, scenario["1"], 100, scenario["o"], "test", damage_type=damage_type
        )
    assert taken == dict.fromkeys(DAMAGE_TYPES, 100) | {kind: 50}
