"""Powers and types of damage, one scenario each (rule F111)."""

import re

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.powers import Power
from gloam_server.views.texts.creature_history import history_message
from gloam_server.world.actions.casting import spell_percent
from gloam_server.world.model.events import DamageDealt
from gloam_server.world.model.powers import has_power, power_percent
from gloam_shared.protocol.commands import Cast
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, facts

GLOAM = campaign("gloam")
"""The flagship, without the powers that it gives to these kinds."""


def with_powers(
    *, kinds: dict[str, list[Power]], items: dict[str, list[Power]], trophy: str = ""
) -> Campaign:
    """Return the flagship in which these kinds of creatures and items have these powers alone."""
    return replace(
        GLOAM,
        creatures=GLOAM.creatures
        | {key: replace(GLOAM.creatures[key], powers=tuple(powers)) for key, powers in kinds.items()},
        items=GLOAM.items
        | {
            key: replace(GLOAM.items[key], powers=tuple(powers), trophy=key == trophy)
            for key, powers in items.items()
        },
    )


def blow(*resists: Power, deals: str = "fire") -> int:
    """Return the damage of a first blow with a mace that deals a type, to an ogre with these powers."""
    world = with_powers(kinds={"ogre": list(resists)}, items={"mace": [Power("deals", against=deals)]})
    scenario = Scenario("#1f...#", campaign=world, f="ogre")
    (mace,) = scenario.give("1", "mace")
    scenario.wield("1", mace.number)
    scenario.set_stats("1", attack=5_000)
    scenario.set_health("f", hp=4_000, hp_max=4_000)
    scenario.put_to_sleep("f", 50)
    scenario.go("1", E)
    (dealt,) = facts(scenario.events, DamageDealt)
    assert scenario["f"].hp == 4_000 - dealt.amount
    return dealt.amount


@pytest.mark.rule("F111")
@pytest.mark.parametrize(
    ("percents", "left"), [((50,), 50), ((30, 20), 50), ((60, 60), 25), ((-50,), 150), ((100, -50), 50)]
)
def test_resistances_add_up_within_their_bound(percents: tuple[int, ...], left: int) -> None:
    whole = blow()
    assert whole > 20
    assert blow(*[Power("resist", percent, against="fire") for percent in percents]) == whole * left // 100


@pytest.mark.rule("F111")
def test_resistance_holds_against_its_type_alone() -> None:
    assert blow(Power("resist", 50, against="cold")) == blow()
    assert blow(Power("resist", 50)) == blow() // 2
    assert blow(Power("resist", 50, against="blow"), deals="blow") == blow() // 2


@pytest.mark.rule("F111")
def test_power_of_an_item_holds_while_it_is_used() -> None:
    """The power of an item holds while it is used, and the power of a trophy while it is carried."""
    resist = [Power("resist", 20, against="cold")]
    world = with_powers(kinds={}, items={"jerkin": resist, "mace": resist, "ration": resist}, trophy="ration")
    scenario = Scenario("#1...#", campaign=world)
    jerkin, mace, _ration = scenario.give("1", "jerkin", "mace", "ration")
    body = scenario["1"]
    assert power_percent(world, body, "resist", "cold") == 20
    scenario.wear("1", jerkin.number)
    scenario.wield("1", mace.number)
    assert power_percent(world, body, "resist", "cold") == 60
    assert not has_power(world, body, "resist", "fire")


@pytest.mark.rule("F111")
def test_a_learned_trait_gives_its_powers() -> None:
    trait = replace(GLOAM.traits["thick_hide"], powers=(Power("resist", 25, against="fire"),))
    world = replace(GLOAM, traits=GLOAM.traits | {"thick_hide": trait})
    scenario = Scenario("#1o..#", campaign=world, o="ogre")
    before = power_percent(world, scenario["o"], "resist", "fire")
    scenario["o"].learned.append("thick_hide")
    assert power_percent(world, scenario["o"], "resist", "fire") == before + 25


def scorched(power: int) -> int:
    """Return the damage of a dart from a book of a level."""
    scenario = Scenario("#1..f..#", campaign=GLOAM, f="ogre")
    (book,) = scenario.give("1", "book_fire")
    book.power = power
    scenario.set_mana("1", mana=20)
    scenario.set_health("f", hp=4_000, hp_max=4_000)
    assert scenario.view().spells[0].damage == 8 * (100 + 6 * (power - 1)) // 100
    scenario.turn(("1", Cast("dart", scenario["f"].cell)))
    return 4_000 - scenario["f"].hp


@pytest.mark.rule("F112")
def test_spells_of_a_book_grow_with_its_level() -> None:
    assert [scorched(power) for power in (1, 11, 21)] == [8, 12, 17]


@pytest.mark.rule("F112")
def test_the_best_book_that_teaches_a_spell_counts() -> None:
    scenario = Scenario("#1..f..#", campaign=GLOAM, f="ogre")
    for book, power in zip(scenario.give("1", "book_fire", "book_fire"), (2, 9), strict=True):
        book.power = power
    assert spell_percent(GLOAM, scenario["1"], GLOAM.spells["dart"]) == 148
    assert scenario.view().spells[0].words == "11 damage to one creature; it never misses."


@pytest.mark.rule("F112")
def test_words_of_spells_name_what_the_book_gives() -> None:
    """Amounts of health grow with the book; turns, cells and what works a little each turn do not."""
    scenario = Scenario("#1...#", campaign=GLOAM)
    books = [kind.key for kind in GLOAM.items.values() if kind.teaches and kind.scales]
    for book in scenario.give("1", *books):
        book.power = 11
    assert "Its spells heal and harm 60 % more." in scenario.inventory()[0].words
    for spell in scenario.view().spells:
        known = GLOAM.spells[spell.key]
        grown = {effect.amount: effect.amount * 160 // 100 for effect in known.effects if effect.amount}
        numbers = [int(number) for number in re.findall(r"\d+", known.words)]
        shown = [int(number) for number in re.findall(r"\d+", spell.words)]
        assert len(shown) == len(numbers)
        for number, now in zip(numbers, shown, strict=True):
            assert now in (number, grown.get(number)), spell.words


@pytest.mark.rule("F111")
def test_look_and_inventory_tell_powers_in_words() -> None:
    scenario = Scenario("#1d...#", campaign=GLOAM, d="demon")
    told = history_message(scenario.level, scenario["1"], scenario.level.handles[scenario["d"].number])
    assert told.powers == (
        "Its blows are fire.",
        "Fire hurts it a quarter as much.",
        "Cold hurts it half as much again.",
    )
    scenario.give("1", "dragon_scale")
    assert scenario.inventory()[0].words.endswith("Fire hurts you half as much.")
