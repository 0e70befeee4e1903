"""The items that a player carries and those under their feet, as the player knows them."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign_schema import CombatRules, VictoryRules
from gloam_shared.limits import PILE_THINGS_MAX
from gloam_shared.view.patch import diff
from gloam_shared.view.view import FloorItem, Hunger, InventoryItem, ItemFlag, Stat
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import E, Scenario


@pytest.mark.rule("J10.4")
def test_the_inventory_lists_slots_and_uses() -> None:
    """The inventory is by slot and lists what can be done with an item."""
    scenario = Scenario("#1.#")
    _, sword = scenario.give("1", "pumpkin", "sword")
    scenario["1"].slots[7], scenario["1"].slots[1] = scenario["1"].slots[1], None
    scenario.wield("1", sword.number)
    both = ItemFlag.EDIBLE | ItemFlag.WIELDABLE | ItemFlag.WEARABLE
    assert scenario.inventory("1") == (
        InventoryItem(0, "%", "orange", "pumpkin", both, 2, 2, 50),
        InventoryItem(7, ")", "white", "sword", ItemFlag.WIELDABLE | ItemFlag.WIELDED, 10, 0, 0),
    )


@pytest.mark.rule("TG.29")
def test_an_item_shows_its_throwing_strength() -> None:
    """An item shows what it strikes with when it is thrown or shoots."""
    scenario = Scenario("#1.#", campaign=shipped("rltut"))
    scenario.give("1", "bow", "dagger")
    items = [(thing.name, thing.thrown, thing.ranged) for thing in scenario.inventory("1")]
    assert items == [("bow", 1, 5), ("dagger", 5, 0)]


@pytest.mark.rule("TG.29")
def test_a_throw_or_shot_shows_its_points() -> None:
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "javelin", "long_bow")
    items = [(thing.name, thing.thrown, thing.ranged) for thing in scenario.inventory("1")]
    assert items == [("javelin", 8, 0), ("long bow", 0, 7)]


def test_known_scroll_tells_aimed() -> None:
    """A known scroll tells what it is aimed at and whether it is an attack."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "scroll_fireball", "scroll_tunnel", "javelin")
    scenario["1"].known += ["scroll_fireball", "scroll_tunnel"]
    items = [(thing.target, thing.harms) for thing in scenario.inventory("1")]
    assert items == [("cell", True), ("cell", False), ("", True)]


def test_a_spell_tells_whether_it_is_an_attack() -> None:
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "book_mending", "book_fire")
    harms = {spell.key: spell.harms for spell in scenario.view("1").spells}
    assert harms == {
        **dict.fromkeys(("mending", "slow_mending", "cure", "friendly_mending"), False),
        **dict.fromkeys(("dart", "fireball", "lance"), True),
    }


@pytest.mark.rule("JG.19")
def test_what_is_worn_is_marked() -> None:
    scenario = Scenario("#1.#")
    [tunic] = scenario.give("1", "tunic")
    scenario.wear("1", tunic.number)
    [worn] = scenario.inventory("1")
    assert worn.traits == ItemFlag.WEARABLE | ItemFlag.WORN


@pytest.mark.rule("J10.8")
def test_pile_underfoot_reported() -> None:
    """The view lists the pile underfoot by handle, with the top item last."""
    scenario = Scenario("#1.#")
    rock, apple = scenario.lay("rock", 1), scenario.lay("apple", 1)
    scenario.lay("sword", 2)
    handles = scenario.level.handles
    assert scenario.view().pile == (
        FloorItem(handles[rock.number], "*", "white", "rock"),
        FloorItem(handles[apple.number], "%", "red", "apple", ItemFlag.EDIBLE),
    )
    scenario.go("1", E)
    assert [thing.name for thing in scenario.view().pile] == ["sword"]


def test_of_a_great_pile_the_uppermost_are_sent() -> None:
    scenario = Scenario("#1.#")
    laid = [scenario.lay("rock", 1) for _ in range(PILE_THINGS_MAX + 5)]
    shown = [thing.handle for thing in scenario.view("1").pile]
    assert shown == [scenario.level.handles[item.number] for item in laid[5:]]


def test_no_one_sees_what_another_carries() -> None:
    """No one sees what another carries nor what is under them but the top."""
    scenario = Scenario("#12#")
    scenario.give("2", "sword")
    scenario.lay("rock", 2)
    view = scenario.view()
    assert (view.inventory, view.pile) == ((), ())
    assert [(item.name, item.count) for item in view.items] == [("rock", 1)]


def test_the_sheet_counts_equipment() -> None:
    scenario = Scenario("#1.#")
    sword, tunic = scenario.give("1", "sword", "tunic")
    scenario.wield("1", sword.number)
    scenario.wear("1", tunic.number)
    view = scenario.view()
    assert (view.fact(Stat.ATTACK), view.fact(Stat.DEFENCE)) == (20, 2)


@pytest.mark.rule("JG.15")
def test_the_sheet_shows_hunger() -> None:
    """The sheet shows the state of hunger, and a step counts a turn."""
    scenario = Scenario("#1..#", campaign=arena(hunger="starve_or_choke"))
    before = scenario.view()
    assert before.fact(Stat.HUNGER) == Hunger.HUNGRY
    scenario.go("1", E)
    after = scenario.view()
    assert scenario["1"].food == 29
    assert (before.fact(Stat.FOOD_TURNS), after.fact(Stat.FOOD_TURNS)) == (30, 29)
    assert after.sheet[: Stat.FOOD_TURNS] == before.sheet[: Stat.FOOD_TURNS]


def test_a_step_over_bare_ground_tells_of_no_things() -> None:
    scenario = Scenario("#1..#", campaign=arena(hunger="starve_or_choke"))
    scenario.set_food("1", 140)
    scenario.give("1", "sword", "apple")
    before = scenario.view()
    scenario.go("1", E)
    changes = diff(before, replace(scenario.view(), log=before.log))
    assert {type(change).__name__ for change in changes} <= {"Creatures", "Step", "Sight", "Ground"}


def with_rules(**rules: object) -> Scenario:
    scenario = Scenario("#12#")
    scenario.level.campaign = replace(scenario.level.campaign, **rules)
    return scenario


@pytest.mark.rule("RG.30", "RG.32")
def test_a_prize_is_usable_where_it_wins() -> None:
    """A prize is usable where using it wins, and names the next round; elsewhere it is a prize alone."""
    usable = ItemFlag.PRIZE | ItemFlag.USABLE
    for again, traits in ((False, usable), (True, usable | ItemFlag.AGAIN)):
        scenario = with_rules(victory=VictoryRules(rule="use", item="rock", again=again))
        scenario.give("1", "rock")
        assert scenario.inventory("1")[0].traits == traits
    scenario = with_rules(victory=VictoryRules(rule="escape", item="rock"))
    scenario.give("1", "rock")
    assert scenario.inventory("1")[0].traits == ItemFlag.PRIZE


@pytest.mark.rule("RG.13")
def test_a_bound_item_is_described_as_bound() -> None:
    scenario = Scenario("#1.#")
    [rock] = scenario.give("1", "rock")
    rock.bound = scenario["1"].number
    assert scenario.inventory("1")[0].traits == ItemFlag.BOUND


@pytest.mark.rule("R3")
def test_numbers_are_shown_in_rounded_points() -> None:
    """Attack and defense are shown in points, rounded to the nearest."""
    scenario = with_rules(combat=CombatRules(scale=100))
    scenario.set_stats("1", attack=480, defence=249)
    scenario.set_stats("2", attack=850, defence=49)
    view = scenario.view()
    assert (view.fact(Stat.ATTACK), view.fact(Stat.DEFENCE)) == (5, 2)
    other = next(one for one in view.creatures if one.name == scenario["2"].name)
    assert (other.attack, other.defence) == (9, 0)


@pytest.mark.rule("JG.22", "TG.29")
def test_a_creature_shows_its_numbers_with_gear() -> None:
    """The view of a creature has its attack and defense, equipment included."""
    scenario = Scenario("#12#")
    [sword] = scenario.give("2", "sword")
    scenario.wield("2", sword.number)
    other = next(one for one in scenario.view().creatures if one.name == scenario["2"].name)
    assert (other.attack, other.defence) == (scenario["2"].attack + 10, scenario["2"].defence)


def test_pile_underfoot_reported_viewer_cannot_pick() -> None:
    """The view marks items of the pile underfoot that the viewer cannot pick up."""
    scenario = Scenario("#12#")
    for kind in ("grave", "apple", "sword", "sword"):
        scenario.lay(kind, 1)
    _, _, mine, hers = scenario.level.piles[1]
    mine.bound, hers.bound = scenario["1"].number, scenario["2"].number

    def refused() -> list[bool]:
        return [bool(thing.traits & (ItemFlag.BOUND | ItemFlag.NO_ROOM)) for thing in scenario.view().pile]

    assert refused() == [True, False, False, True]
    scenario.give("1", *["rock"] * len(scenario["1"].slots))
    assert all(refused())


@pytest.mark.parametrize(
    ("campaign", "kind", "expected"),
    [
        (
            "gloam",
            "book_fire",
            "How things burn. While you carry it, you can cast magic dart, fireball and lance of light.",
        ),
        (
            "rltut",
            "white_book",
            "While you carry it, you can cast minor heal, major heal, slow heal and inner strength.",
        ),
    ],
    ids=["gloam", "rltut"],
)
def test_a_book_names_the_spells_that_it_teaches(campaign: str, kind: str, expected: str) -> None:
    """A book's description names its spells, also where the campaign gives the book no words."""
    scenario = Scenario("#1.#", campaign=shipped(campaign))
    scenario.give("1", kind)
    assert [thing.words for thing in scenario.inventory("1")] == [expected]


def test_a_trophy_says_that_it_works_in_the_pack() -> None:
    """A ring that is a trophy is not put on: its words tell that it works in the pack."""
    scenario = Scenario("#1.#", campaign=shipped("gloam"))
    scenario.give("1", "gnawed_ring", "dagger")
    told = [thing.words.endswith("It works while you carry it.") for thing in scenario.inventory("1")]
    assert told == [True, False]
