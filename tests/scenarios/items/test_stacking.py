"""Alike things share a slot where the campaign says so: in the flagship, and in none of the classics (rule J10.4)."""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.world import actions
from gloam_server.world.ai import stealing
from gloam_server.world.items.equipment import put_in, slot_for
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Item
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.trading.pack_exchange import choose_items
from gloam_server.world.transition.content_migration import migrate_content
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.narration.rendering import inventory_name, possessive, with_count
from gloam_shared.protocol.commands import Drop, Eat, Give, PickUp, Throw, Wield
from gloam_shared.view.view import ItemFlag
from support.content.campaigns import arena_with, shipped
from support.scenarios.scenario import Scenario, W, kinds
from support.server.sim_server import SimServer


def found(*things: str, campaign: str = "gloam") -> Scenario:
    """Return a player who has picked up these things, which lay underfoot."""
    scenario = Scenario("#12#", campaign=shipped(campaign))
    for thing in things:
        scenario.lay(thing, 1)
    scenario.turn(("1", PickUp()))
    return scenario


def listed(scenario: Scenario, name: str = "1") -> list[str]:
    return [inventory_name(thing) for thing in scenario.view(name).inventory]


def test_alike_things_share_a_slot_and_are_counted() -> None:
    scenario = found("ration", "rock", "ration", "bread", "ration", "bread")
    assert listed(scenario) == ["3 rations", "rock", "2 loaves of bread"]
    assert len(scenario["1"].carried) == 6


@pytest.mark.parametrize("campaign", ["jsrogue", "rltut", "ruggrogue"])
def test_in_the_classics_each_thing_has_its_own_slot(campaign: str) -> None:
    assert shipped(campaign).stack == 1
    food = next(kind.key for kind in shipped(campaign).items.values() if kind.stacks and kind.food > 0)
    scenario = Scenario("#1#", campaign=shipped(campaign))
    scenario.give("1", food)
    scenario.lay(food, 1)
    scenario.turn(("1", PickUp()))
    assert [thing.count for thing in scenario.view().inventory] == [1, 1]


def test_gear_and_opened_food_do_not_share() -> None:
    """Gear and food of several bites have a slot each."""
    scenario = found("long_sword", "long_sword", "melon", "melon", "ration")
    assert [thing.count for thing in scenario.view().inventory] == [1] * 5


def partly_bound(free: int, bound: int, *, first: bool) -> Scenario:
    """Return a player with rations in one slot, of which some are bound: they come first, or after the others."""
    scenario = Scenario("#12#", campaign=shipped("gloam"))
    body = scenario["1"]
    lives = [body.number] * bound + [0] * free if first else [0] * free + [body.number] * bound
    for life in lives:
        ration = Item(scenario.level.new_id(), "ration", "ration", "goldenrod", bound=life)
        slot = slot_for(scenario.level.campaign, body, ration)
        assert slot is not None
        put_in(body, slot, ration)
    return scenario


@pytest.mark.parametrize("first", [True, False])
def test_what_is_bound_shares_the_slot(first: bool) -> None:
    """One row says how many are bound; a use takes these first, so the others can still be given."""
    scenario = partly_bound(2, 2, first=first)
    friend = scenario.level.handles[scenario["2"].number]
    assert listed(scenario) == ["4 rations (2 bound)"]
    scenario["1"].food = 100
    scenario.turn(("1", Eat(0)))
    assert listed(scenario) == ["3 rations (1 bound)"]
    scenario.turn(("1", Give(0, friend)))
    scenario.turn(("1", Give(0, friend)))
    assert (listed(scenario), listed(scenario, "2")) == (["ration"], ["2 rations"])
    assert scenario.view().inventory[0].traits & ItemFlag.BOUND
    outcome = actions.plan(scenario.level, scenario["1"], Give(0, friend))
    assert isinstance(outcome, Impossible)
    assert outcome.reason == "bound"
    assert [item.bound for item in scenario["2"].carried] == [0, 0]


@pytest.mark.rule("A64")
def test_no_message_frees_what_is_bound() -> None:
    """Offers of a row with bound items hold its free ones alone, and what is dropped stays bound."""
    scenario = partly_bound(1, 2, first=True)
    offers = [choose_items(scenario["1"], (0, count)) for count in (1, 2, 3)]
    assert isinstance(offers[0], tuple)
    assert [offer.reason for offer in offers[1:] if isinstance(offer, Impossible)] == ["bound", "bound"]
    assert scenario["1"].carried[0].number in offers[0]
    scenario.turn(("1", Drop(0)))
    scenario.go("2", W)  # they change places
    scenario.turn(("2", PickUp()))
    assert [item.bound for item in scenario["2"].carried] == [0]


def test_a_thief_takes_what_is_free_of_a_row() -> None:
    scenario = partly_bound(1, 2, first=False)
    thief, victim = scenario["2"], scenario["1"]
    for _ in range(2):
        stealing.steal_item(TurnContext(scenario.level, Dice(1, 1, 1)), thief, victim)
    assert ([item.bound for item in thief.carried], listed(scenario)) == ([0], ["2 rations"])


def test_a_use_takes_one_and_a_drop_lays_all_down() -> None:
    scenario = found("ration", "ration", "ration")
    body = scenario["1"]
    body.food = 100
    assert kinds(scenario.turn(("1", Eat(0)))) == ["eats"]
    assert listed(scenario) == ["2 rations"]
    scenario.turn(("1", Drop(0)))
    assert (listed(scenario), len(scenario.view().pile)) == ([], 2)
    assert {item.left_by for item in scenario.level.piles[1]} == {body.number}


def test_giving_hands_over_joins_friend() -> None:
    """Giving hands over one which joins what the friend has."""
    scenario = found("ration", "ration")
    scenario.give("2", "ration")
    scenario.turn(("1", Give(0, scenario.level.handles[scenario["2"].number])))
    assert (listed(scenario), listed(scenario, "2")) == (["ration"], ["2 rations"])


def test_what_is_wielded_of_a_stack_is_thrown_last() -> None:
    scenario = found("javelin", "javelin")
    scenario.turn(("1", Wield(0)))
    held = scenario["1"].wielded
    assert listed(scenario) == ["2 javelins (wielding)"]
    scenario.turn(("1", Throw(0, 2)))
    assert (scenario["1"].wielded, listed(scenario)) == (held, ["javelin (wielding)"])
    scenario.turn(("1", Throw(0, 2)))
    assert (scenario["1"].wielded, listed(scenario)) == (0, [])


def test_full_pack_takes_alike_bound_stack() -> None:
    """A full pack still takes what is alike up to the bound of a stack."""
    scenario = found(*["apple"] * 20)
    assert listed(scenario) == ["20 apples"]
    body = scenario["1"]
    scenario.give("1", *["rock"] * body.slots.count(None))
    scenario.lay("apple", 1)
    assert (
        scenario.view().pile[0].traits & ItemFlag.WORTH == 0
    )  # no player with twenty meals is short of food
    scenario.lay("rock", 1)
    scenario.turn(("1", PickUp()))
    assert [item.kind for item in scenario.level.piles[1]] == ["apple"]
    assert listed(scenario)[1] == "2 rocks"


def test_stack_frozen_and_thawed_and_falls_owner() -> None:
    """A stack is frozen and thawed and falls with its owner."""
    scenario = found("ration", "ration", "ration")
    frozen = serialize_level(scenario.level)
    thawed = deserialize_level(frozen, scenario.level.campaign, 1)
    assert serialize_level(thawed) == frozen
    assert len(thawed.creatures[scenario["1"].number].carried) == 3

    monsters = Scenario("#1m#", campaign=arena_with(outline="stack = 5"), m="goblin")
    for _ in range(3):
        monsters.lay("apple", 2)
    goblin = monsters["m"]
    for item in [*monsters.level.piles[2]]:
        monsters.level.take_item(item, 2)
        goblin.slots[0] = goblin.slots[0] or item
        if item is not goblin.slots[0]:
            goblin.stacks.setdefault(0, []).append(item)
    goblin.hp = 1
    for _ in range(10):
        if not monsters.alive("m"):
            break
        monsters.go("1", (1, 0))
    assert [item.kind for item in monsters.level.piles[2]].count("apple") == 3


def test_another_version_campaign() -> None:
    """Another version of a campaign with fewer slots keeps stacks together."""
    server = SimServer(arena_with(outline="stack = 5"))
    anna = server.join("Anna")
    body = server.body(anna)
    level = server.level_of(anna)
    things = [Item(level.new_id(), "apple", "apple", "red") for _ in range(3)]
    body.slots[9], body.stacks[9] = things[0], things[1:]
    body.slots.append(None)
    migrate_content(server.dungeon)
    assert (body.slots[0], body.stacks) == (things[0], {0: things[1:]})
    assert len(body.slots) == 10


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ration", "2 rations"),
        ("scroll of sleep", "2 scrolls of sleep"),
        ("bread", "2 loaves of bread"),
        ("loaf of bread", "2 loaves of bread"),
        ("dried meat", "2 pieces of dried meat"),
        ("throwing knife", "2 throwing knives"),
        ("cherry", "2 cherries"),
        ("torch", "2 torches"),
        ("Ann corpse", "2 Ann's corpses"),
    ],
)
def test_names_of_several_are_plain_english(name: str, expected: str) -> None:
    assert with_count(name, 2) == expected
    assert with_count(name, 1) == possessive(name)
