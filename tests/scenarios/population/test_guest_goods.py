"""Goods of guests leave with them where no player touched them (rules F43 and F48)."""

import pytest
from msgspec import UNSET

from gloam_server.world.items.floor_items import pick_item
from gloam_server.world.model.creature import Item, new_creature
from gloam_server.world.model.inputs import AdoptRules, Arrive
from gloam_server.world.population.guest_goods import HEIRS_EVERY
from gloam_server.world.population.respawning import COMPANY_TURNS
from gloam_server.world.transition.dungeon import Dungeon
from support.content.campaigns import shipped
from support.world.visits import leave, pass_turns, peopled, visit


def goods_of(dungeon: Dungeon, partition: int) -> list[tuple[str, int, int]]:
    """Return the goods on a level: kinds, powers and bonuses."""
    return sorted((item.kind, item.power, item.bonus) for _, item in dungeon.levels[partition].items_at())


def take(dungeon: Dungeon, number: int, item: Item, partition: int = 2) -> None:
    """Let a player pick up an item from afar."""
    level = dungeon.levels[partition]
    cell = next(cell for cell, each in level.items_at() if each is item)
    level.creatures[number].slots[-1] = pick_item(level, item, cell)


@pytest.mark.rule("F43", "F48")
@pytest.mark.parametrize("name", ["gloam", "jsrogue", "rltut", "ruggrogue"])
def test_visitors_leave_the_goods_of_a_new_level(name: str) -> None:
    """Twenty visitors who touched nothing and left have brought a newcomer nothing, together or one after another."""
    dungeon = peopled(shipped(name))
    own = goods_of(dungeon, 2)
    for account in range(1, 21):
        visit(dungeon, account, 2, 10_000 + account)
    assert len(goods_of(dungeon, 2)) > len(own)
    leave(dungeon, *range(10_001, 10_021))
    for account in range(21, 41):
        visit(dungeon, account, 2, 10_000 + account)
        leave(dungeon, 10_000 + account)
    visit(dungeon, 41, 2, 10_041)
    assert goods_of(dungeon, 2) == own


@pytest.mark.rule("F43", "F48")
def test_goods_wait_for_those_who_come_back() -> None:
    """Two who leave a level empty find everything that they saw there, also one alone.

    To another they are a new level.
    """
    dungeon = peopled(shipped("gloam"))
    for account in (1, 2):
        visit(dungeon, account, 2, 10_000 + account)
    lying = list(dungeon.levels[2].items_at())
    leave(dungeon, 10_001, 10_002)
    visit(dungeon, 1, 2, 10_003)
    assert list(dungeon.levels[2].items_at()) == lying
    leave(dungeon, 10_003)
    visit(dungeon, 3, 2, 10_004)
    assert len(list(dungeon.levels[2].items_at())) < len(lying)


@pytest.mark.rule("F43", "F48")
def test_goods_that_come_again_are_the_same() -> None:
    """No player gets other goods by leaving and returning."""
    dungeon = peopled(shipped("gloam"))
    for account in (1, 2):
        visit(dungeon, account, 2, 10_000 + account)
    both = goods_of(dungeon, 2)
    leave(dungeon, 10_001, 10_002)
    visit(dungeon, 3, 2, 10_003)
    pass_turns(dungeon, 10_003, 3)
    visit(dungeon, 2, 2, 10_004)
    assert goods_of(dungeon, 2) == both


@pytest.mark.rule("F43", "F48")
def test_goods_that_one_touched_are_had() -> None:
    """A player whose goods a player touched brings no others, and the rest of them stays."""
    dungeon = peopled(shipped("gloam"))
    level = dungeon.levels[2]
    own = {item.number for _, item in level.items_at()}
    for account in (1, 2):
        visit(dungeon, account, 2, 10_000 + account)
    brought = [item for _, item in level.items_at() if item.number not in own]
    take(dungeon, 10_001, brought[0])
    leave(dungeon, 10_001, 10_002)
    visit(dungeon, 3, 2, 10_003)
    visit(dungeon, 2, 2, 10_004)
    left = {item.number for _, item in level.items_at()}
    assert {item.number for item in brought[1:]} <= left
    assert left == own | {item.number for item in brought[1:]}, "the third has those of the first"


@pytest.mark.rule("F43", "F48")
def test_one_where_others_took_their_goods_brings_some() -> None:
    """The goods of the level belong to its first player: once touched they are for no other player."""
    dungeon = peopled(shipped("gloam"))
    level = dungeon.levels[2]
    visit(dungeon, 1, 2, 10_001)
    take(dungeon, 10_001, next(item for _, item in level.items_at()))
    leave(dungeon, 10_001)
    laid = len(goods_of(dungeon, 2))
    visit(dungeon, 2, 2, 10_002)
    assert len(goods_of(dungeon, 2)) > laid


@pytest.mark.rule("F43", "F48")
def test_goods_of_the_absent_go_in_time_and_unseen() -> None:
    """A thousand turns after the others left, their untouched goods go, except those that a player sees."""
    dungeon = peopled(shipped("gloam"))
    level = dungeon.levels[2]
    for account in range(1, 9):
        visit(dungeon, account, 2, 10_000 + account)
    leave(dungeon, *range(10_002, 10_009))
    brought = [(cell, item.laid) for cell, item in level.items_at() if item.laid > 1]
    beside = level.nearest_free_cell(brought[0][0])
    assert beside is not None
    level.move(level.creatures[10_001], beside)
    level.state.turns += COMPANY_TURNS
    pass_turns(dungeon, 10_001, 20)

    seen = {laid for cell, laid in brought if level.witnesses(cell)}
    assert 0 < len(seen) < 7
    assert {item.laid for _, item in level.items_at() if item.laid > 1} == seen


@pytest.mark.rule("F43", "F48")
def test_an_older_world_gives_its_goods_once() -> None:
    """In a world of rules version 8 the level's own goods belonged to its first player."""
    dungeon = peopled(shipped("gloam"))
    state = dungeon.levels[2].state
    visit(dungeon, 1, 2, 10_001)
    leave(dungeon, 10_001)
    laid = len(goods_of(dungeon, 2))
    state.goods, state.claimed, state.rules_version = {}, False, 8
    dungeon.apply_input(2, AdoptRules(9))
    visit(dungeon, 2, 2, 10_002)
    assert len(goods_of(dungeon, 2)) > laid


def brought_by_lives(dungeon: Dungeon, *lives: tuple[int, int]) -> list[int]:
    """Return how many items appear with lives of the second player: each a body, and the turns before it joins.

    The first player is there throughout, and has a thing of the second's: so those goods are had, and do not go.
    """
    level = dungeon.levels[2]
    visit(dungeon, 1, 2, 10_001)
    own = {item.number for _, item in level.items_at()}
    visit(dungeon, 2, 2, 10_002)
    take(dungeon, 10_001, next(item for _, item in level.items_at() if item.number not in own))
    leave(dungeon, 10_002)
    brought = []
    for at, (number, turns) in enumerate(lives):
        level.state.turns += turns
        laid = len(goods_of(dungeon, 2))
        body = new_creature(dungeon.campaign.player_kind, number, name="Player2", account=2)
        dungeon.apply_input(2, Arrive(body, -1, (9, 20_000 + at, 0)))
        brought.append(len(goods_of(dungeon, 2)) - laid)
        leave(dungeon, number)
    return brought


@pytest.mark.rule("F43")
def test_a_later_life_beside_others_brings_items() -> None:
    """It brings them if 1,000 turns of the level have passed since goods appeared last for the player."""
    dungeon = peopled(shipped("gloam"))
    count = dungeon.levels[2].level_kind.items_per_heir
    assert count > 0
    lives = ((10_003, HEIRS_EVERY - 1), (10_004, 1), (10_005, HEIRS_EVERY - 1), (10_006, 1))
    assert brought_by_lives(dungeon, *lives) == [0, count, 0, count]


@pytest.mark.rule("F43")
def test_a_life_that_comes_back_brings_no_items() -> None:
    """Neither the life that brought the goods of the player brings more, nor the life of an heir, however late."""
    dungeon = peopled(shipped("gloam"))
    count = dungeon.levels[2].level_kind.items_per_heir
    lives = ((10_002, HEIRS_EVERY), (10_003, 0), (10_003, HEIRS_EVERY), (10_003, HEIRS_EVERY))
    assert brought_by_lives(dungeon, *lives) == [0, count, 0, 0]


@pytest.mark.rule("F43")
def test_an_heir_alone_brings_no_items() -> None:
    """A player without company finds what earlier lives left."""
    dungeon = peopled(shipped("gloam"))
    visit(dungeon, 1, 2, 10_001)
    take(dungeon, 10_001, next(item for _, item in dungeon.levels[2].items_at()))
    leave(dungeon, 10_001)
    laid = goods_of(dungeon, 2)
    dungeon.levels[2].state.turns += HEIRS_EVERY
    visit(dungeon, 1, 2, 10_002)
    assert goods_of(dungeon, 2) == laid


@pytest.mark.rule("F43")
@pytest.mark.parametrize("name", ["jsrogue", "rltut", "ruggrogue"])
def test_heirs_bring_no_items_to_a_classic(name: str) -> None:
    """A level of a classic has what its original has, and its state the bytes that it had."""
    dungeon = peopled(shipped(name))
    assert brought_by_lives(dungeon, (10_003, HEIRS_EVERY)) == [0]
    assert dungeon.levels[2].state.supplied is UNSET
