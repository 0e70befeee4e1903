"""Brands of the flagship's weapons, one scenario each (rule F76)."""

import re

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.items.floor_items import create_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.powers import has_power, power_percent
from gloam_shared.protocol.commands import Fire, Wear
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, read_events

GLOAM = campaign("gloam")
STRONG = 400


def armed(brand: str, foe: str = "ogre") -> Scenario:
    """Return player 1 with a branded mace beside a sleeping foe with much health."""
    scenario = Scenario("#1f...#", campaign=GLOAM, f=foe)
    (mace,) = scenario.give("1", "mace")
    mace.brand = brand
    scenario.wield("1", mace.number)
    scenario.set_health("f", hp=STRONG, hp_max=STRONG)
    scenario.put_to_sleep("f", 5_000)
    return scenario


def strike_until_noticed(scenario: Scenario) -> list[str]:
    """Strike until the weapon shows its brand; return everything that the player read."""
    lines: list[str] = []
    weapon = next(item for item in scenario["1"].carried)
    for _ in range(30):
        lines += read_events(scenario.go("1", E), scenario["1"])
        if weapon.noticed:
            return lines
    return lines


@pytest.mark.rule("F76")
def test_flaming_weapon_burns_and_shows_its_name() -> None:
    """A flaming weapon burns and shows its name then."""
    scenario = armed("flaming")
    assert scenario.view().inventory[0].name == "mace"
    lines = strike_until_noticed(scenario)
    assert any(re.fullmatch(r"The ogre takes \d+ damage from the fire!", line) for line in lines)
    assert "The mace is flaming!" in lines
    shown = scenario.view().inventory[0]
    assert shown.name == "flaming mace"
    assert "Its blows burn for three tenths of their damage more." in shown.words


@pytest.mark.rule("F76")
def test_a_venomous_weapon_poisons() -> None:
    scenario = armed("venomous")
    lines = strike_until_noticed(scenario)
    assert "The ogre is poisoned." in lines
    assert [state.spell for state in scenario["f"].lasting] == ["venom"]


@pytest.mark.rule("F76")
def test_a_vampiric_weapon_gives_health_to_the_striker() -> None:
    scenario = armed("vampiric")
    scenario.set_health("1", hp=5, hp_max=60, hp_part=0)
    lines = strike_until_noticed(scenario)
    assert "You feel better." in lines
    assert scenario["1"].hp > 5


@pytest.mark.rule("F76")
def test_hallowed_weapon_does_twice_damage_undead() -> None:
    """A hallowed weapon does twice its damage to the undead alone."""
    living = armed("hallowed")
    assert "The mace is hallowed!" not in strike_until_noticed(living)
    undead = armed("hallowed", "zombie")
    lines = strike_until_noticed(undead)
    blow = next(line for line in lines if line.startswith("You strike the zombie for "))
    light = next(line for line in lines if line.endswith(" damage from the holy light!"))
    assert [word for word in blow.split() if word.isdigit()] == [
        word for word in light.split() if word.isdigit()
    ]


def brands_of_new(world: Campaign, kind: str, count: int) -> list[str]:
    scenario = Scenario("#1...#", campaign=world)
    context = TurnContext(scenario.level, Dice(7, 1, 1))
    return [create_item(context, world.items[kind], 1).brand for _ in range(count)]


@pytest.mark.rule("F76")
@pytest.mark.parametrize(
    ("brand", "line"),
    [
        ("fiery", "The ogre takes \\d+ damage from the fire!"),
        ("frosty", "The ogre takes \\d+ damage from the frost!"),
        ("vipers", "The ogre is poisoned."),
    ],
)
def test_a_branded_bow_works_with_each_arrow(brand: str, line: str) -> None:
    scenario = Scenario("#1..f...#", campaign=GLOAM, f="ogre")
    (bow,) = scenario.give("1", "short_bow")
    bow.brand = brand
    scenario.wield("1", bow.number)
    scenario.set_health("f", hp=STRONG, hp_max=STRONG)
    scenario.put_to_sleep("f", 5_000)
    read: list[str] = []
    while not bow.noticed:
        read += read_events(scenario.turn(("1", Fire(scenario["f"].cell))), scenario["1"])
        assert scenario.alive("f")
    assert any(re.fullmatch(line, each) for each in read)
    assert brand != "vipers" or [state.spell for state in scenario["f"].lasting] == ["venom_shot"]


@pytest.mark.rule("F76", "F111")
@pytest.mark.parametrize("key", [brand.key for brand in GLOAM.brands if brand.fits == "armour"])
def test_armor_shows_its_brand_when_it_is_put_on(key: str) -> None:
    scenario = Scenario("#1...#", campaign=GLOAM)
    (mail,) = scenario.give("1", "chainmail")
    mail.brand = key
    [brand] = [each for each in GLOAM.brands if each.key == key]
    [power] = brand.powers
    assert not has_power(GLOAM, scenario["1"], "resist", power.against)
    assert scenario.inventory()[0].name == "chainmail"
    scenario.turn(("1", Wear(0)))
    assert power_percent(GLOAM, scenario["1"], "resist", power.against) == power.percent
    shown = scenario.inventory()[0]
    assert shown.name == f"chainmail {brand.name}"
    assert " hurts you " in shown.words


@pytest.mark.rule("F76")
def test_one_in_five_new_weapons_for_blows_has_a_brand() -> None:
    found = brands_of_new(GLOAM, "mace", 400)
    assert 50 <= sum(map(bool, found)) <= 110
    assert set(found) == {"", *(brand.key for brand in GLOAM.brands if brand.fits == "weapon")}


@pytest.mark.rule("F76")
@pytest.mark.parametrize("kind", ["dagger", "javelin", "ration", "torch", "wand_fire"])
def test_nothing_else_has_a_brand(kind: str) -> None:
    assert set(brands_of_new(GLOAM, kind, 60)) == {""}


@pytest.mark.rule("F76")
@pytest.mark.parametrize("key", ["jsrogue", "rltut", "ruggrogue"])
def test_the_classics_have_no_brands(key: str) -> None:
    weapons = [kind.key for kind in campaign(key).items.values() if kind.wieldable]
    assert weapons
    assert {brand for weapon in weapons for brand in brands_of_new(campaign(key), weapon, 20)} == {""}
