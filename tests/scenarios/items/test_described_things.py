"""The flagship's things do what their descriptions say: used by the player's own commands, one test for each way to use them."""

import re
from typing import Any

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world.effects.spells import cast_spell
from gloam_server.world.items.equipment import attack_wielding, defense_wearing
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import Narration
from gloam_shared.protocol.commands import Eat, Fire, Quaff, Read, Throw, Wait, Zap
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, kinds

GLOAM = campaign("gloam")
MUCH = 3_000
QUIET = ("mapping", "daylight", "cure", "tunnel", "delving")
"""Spells of which no line tells: what they do is seen on the map, or in a body."""

THINGS = sorted(
    (key, kind.quaffs or kind.reads or kind.zaps)
    for key, kind in GLOAM.items.items()
    if kind.quaffs or kind.reads or kind.zaps
)


def scene(drawing: str = "#1..a..#", *, dark: bool = False) -> Scenario:
    """Return a hall where `a` is an ogre that sleeps, and everybody has half of much health."""
    letters: dict[str, Any] = {"a": "ogre"} if "a" in drawing else {}
    scenario = Scenario(drawing, campaign=GLOAM, dark=dark, **letters)
    for name in scenario.named:
        scenario.set_health(name, hp=MUCH // 2, hp_max=MUCH)
        if name == "a":
            scenario.put_to_sleep(name, 5_000)
    return scenario


def use(scenario: Scenario, key: str, cell: int | None = None) -> list[Narration]:
    """Let player 1 use a new thing that they know, at a cell where it is aimed."""
    kind = GLOAM.items[key]
    if kind.looks:
        scenario["1"].known.append(key)
    (item,) = scenario.give("1", key)
    slot = scenario["1"].slots.index(item)
    if kind.quaffs:
        return scenario.turn(("1", Quaff(slot)))
    aim = None if GLOAM.spells[kind.reads or kind.zaps].target == "self" else cell
    return scenario.turn(("1", Read(slot, aim) if kind.reads else Zap(slot, aim)))


@pytest.mark.parametrize(("thing", "spell"), THINGS)
def test_potions_scrolls_and_wands_do_what_is_said(thing: str, spell: str) -> None:
    """Each does what its spell does, and no number of its description is another than the spell's.

    What each spell does is played among the spells.
    """
    said = re.findall(r"\d+", GLOAM.items[thing].words)
    assert set(said) <= set(re.findall(r"\d+", GLOAM.spells[spell].words))

    def prepared() -> tuple[Scenario, int]:
        scenario = scene("########\n#1..a..#\n#.#2#..#\n########")
        scenario.put_to_sleep("a", 0)
        scenario.set_stats("a", attack=0)
        scenario.set_mana("1", mana=0, mana_max=100)
        return scenario, scenario["2" if thing == "scroll_mending" else "a"].cell

    scenario, cell = prepared()
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    cast_spell(
        context, spell, scenario["1"], scenario["1"].cell if GLOAM.spells[spell].target == "self" else cell
    )
    wanted = set(kinds(context.events))
    assert wanted or spell in QUIET
    scenario, cell = prepared()
    assert wanted <= set(kinds(use(scenario, thing, cell)) + kinds(scenario.events))


@pytest.mark.parametrize("thing", [thing for thing, spell in THINGS if spell in QUIET])
def test_what_works_without_a_word_is_seen(thing: str) -> None:
    """The map, the light, the rock or the body is not as before."""
    scenario = scene("#########\n#.1###..#\n#########\n#...#####\n#########", dark=True)
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    cast_spell(context, "poison", None, scenario["1"].cell)

    def shown() -> tuple[bytes, bytes, bytes, int]:
        level = scenario.level
        return scenario.view().terrain, bytes(level.terrain), bytes(level.dark), len(scenario["1"].lasting)

    before = shown()
    use(scenario, thing, scenario["1"].cell + 1)
    changed = {
        name
        for name, old, new in zip(("map", "rock", "dark", "body"), before, shown(), strict=True)
        if old != new
    }
    spell = dict(THINGS)[thing]
    assert {"mapping": "map", "daylight": "dark", "cure": "body"}.get(spell, "rock") in changed


@pytest.mark.parametrize("potion", ["potion_poison", "potion_slow", "potion_fire"])
def test_a_thrown_potion_works_on_the_one_it_hits(potion: str) -> None:
    """A potion that is better thrown than drunk works on the creature that it hits."""
    scenario = scene()
    scenario.give("1", potion)
    scenario.turn(("1", Throw(0, scenario["a"].cell)))
    assert scenario["a"].lasting or scenario["a"].hp < MUCH // 2
    assert not scenario["1"].lasting
    assert scenario["1"].hp >= MUCH // 2


@pytest.mark.parametrize("thing", ["knife", "dagger", "spear", "javelin", "throwing_star", "rock"])
def test_what_is_made_for_throwing_wounds_thrown(thing: str) -> None:
    """It takes more health than a stick that is thrown; a spear goes deeper than a dagger."""

    def taken(kind: str) -> int:
        scenario = scene()
        scenario.set_stats("a", defence=0)
        for _ in range(20):
            slot = scenario["1"].slots.index(scenario.give("1", kind)[0])
            scenario.turn(("1", Throw(slot, scenario["a"].cell)))
        return MUCH // 2 - scenario["a"].hp

    assert taken(thing) > taken("club")
    assert thing != "spear" or taken(thing) > taken("dagger")


@pytest.mark.by_hand
@pytest.mark.parametrize("bow", ["sling", "short_bow", "long_bow"])
def test_bows_shoot_without_arrows_as_far_as_said(bow: str) -> None:
    reach = GLOAM.items[bow].reach
    assert bow != "short_bow" or reach == 7
    scenario = scene("#1" + "." * (reach - 1) + "a....#")
    (item,) = scenario.give("1", bow)
    scenario.wield("1", item.number)
    scenario.set_stats("1", sight=12, attack=2_000)
    found = {kind for _ in range(4) for kind in kinds(scenario.turn(("1", Fire(scenario["a"].cell))))}
    assert "shoots" in found
    assert len(list(scenario["1"].carried)) == 1


@pytest.mark.parametrize(
    ("thing", "cells"), [("torch", 4), ("lantern", 6), ("miner_helmet", 4), ("flamebrand", 3)]
)
def test_lights_shine_and_are_seen_from_afar(thing: str, cells: int) -> None:
    scenario = scene("#2" + "." * 13 + "1........#", dark=True)
    assert "Player1" not in [body.name for body in scenario.view("2").creatures]
    (item,) = scenario.give("1", thing)
    if GLOAM.items[thing].wearable:
        scenario.wear("1", item.number)
    elif GLOAM.items[thing].wieldable:
        scenario.wield("1", item.number)
    scenario.turn(("1", Wait()), ("2", Wait()))
    seen = scenario.level.field_of_view(scenario["1"])
    own = scenario["1"].cell
    assert seen[own - cells]
    assert not seen[own - cells - 2]
    assert "Player1" in [body.name for body in scenario.view("2").creatures]


@pytest.mark.parametrize("weapon", ["staff", "glaive"])
def test_some_weapons_guard_as_well(weapon: str) -> None:
    scenario = scene()
    (item,) = scenario.give("1", weapon)
    assert attack_wielding(GLOAM, item) > 0
    assert defense_wearing(GLOAM, item) > 0


def test_a_thin_cloak_is_hard_to_strike_at() -> None:
    """It turns more aside than the leather of its levels."""
    scenario = scene()
    cloak, leather = scenario.give("1", "cloak", "studded")
    assert defense_wearing(GLOAM, cloak) > defense_wearing(GLOAM, leather)


@pytest.mark.parametrize(("food", "bites"), [("ration", 1), ("corpse", 1), ("melon", 4)])
def test_food_fills_in_as_many_bites_as_said(food: str, bites: int) -> None:
    scenario = scene("#1#")
    scenario.give("1", food)
    for left in range(bites, 0, -1):
        assert len(list(scenario["1"].carried)) == 1, left
        scenario.set_food("1", 100)
        scenario.turn(("1", Eat(0)))
        assert scenario["1"].food > 100
    assert not list(scenario["1"].carried)


@pytest.mark.parametrize(("brand", "percent"), [("venomous", 40), ("vampiric", 25), ("flaming", 30)])
def test_brands_do_as_much_as_said(brand: str, percent: int) -> None:
    """Of 200 blows 40 in 100 poison; a blow brings back a quarter of its damage, or burns for three tenths more."""
    scenario = scene("#1a#")
    (mace,) = scenario.give("1", "mace")
    mace.brand = brand
    scenario.wield("1", mace.number)
    poisoned = more = 0
    blows = []
    for _ in range(200):
        scenario.set_health("1", hp=50, hp_max=100)
        scenario.set_health("a", hp=MUCH, hp_max=MUCH)
        scenario.put_to_sleep("a", 5_000)
        scenario["a"].lasting.clear()
        events = scenario.go("1", E)
        dealt = sum(line.amount for line in events if line.kind.startswith("strikes"))
        if dealt:
            blows.append(dealt)
            poisoned += bool(scenario["a"].lasting)
            more += MUCH - scenario["a"].hp - dealt if brand == "flaming" else scenario["1"].hp - 50
    assert len(blows) > 100
    if brand == "venomous":
        assert abs(poisoned * 100 // len(blows) - percent) <= 10
    else:
        assert (
            sum(blow * percent // 100 for blow in blows)
            <= more
            <= sum(blow * percent // 100 + 4 for blow in blows)
        )


@pytest.mark.parametrize(
    ("trophy", "kind"), [("fang", "slime"), ("pelt", "slime"), ("kobold_tooth", "kobold")]
)
def test_trophies_are_of_those_with_a_name(trophy: str, kind: str) -> None:
    """In one realm or another a creature with a name leaves it; one without a name leaves none."""

    def left(seed: int, title: str) -> set[str]:
        scenario = Scenario("#1k.#", campaign=GLOAM, seed=seed, k=kind)
        named = scenario["k"]
        named.hp, named.level, named.title, named.name = 1, 3, title, f"{title} the {kind}"
        scenario.set_stats("1", attack=9_000)
        for _ in range(20):
            if scenario.alive("k"):
                scenario.go("1", E)
        return {item.kind for _, item in scenario.level.items_at()}

    assert any(trophy in left(seed, "Skarn") for seed in range(20))
    assert not any(trophy in left(seed, "") for seed in range(5))
