"""Levels grow with the players who join, once with each: food (F48), more things (F43), more creatures (F41)."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.rules.dice import Dice
from gloam_server.world.items.floor_items import create_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Victim, new_creature
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import AdoptRules, Arrive, EnterPlay
from gloam_server.world.population.respawning import COMPANY_TURNS, SPAWN_DISTANCE_MIN
from gloam_server.world.transition.dungeon import Dungeon
from support.content.campaigns import arena_files, shipped
from support.world.visits import leave, monsters_on, pass_turns, peopled, visit


def with_food_alone(name: str) -> Campaign:
    """Return a shipped campaign whose guests bring nothing but food."""
    campaign = shipped(name)
    levels = {
        key: replace(kind, monsters_per_guest=0, items_per_guest=0) for key, kind in campaign.levels.items()
    }
    return replace(campaign, levels=levels)


def food_on(dungeon: Dungeon, partition: int) -> int:
    """Return how much food lies on a level."""
    kinds = dungeon.campaign.items
    return sum(kinds[item.kind].food > 0 for _, item in dungeon.levels[partition].items_at())


@pytest.mark.thorough
@pytest.mark.rule("F48")
@pytest.mark.parametrize("name", ["gloam", "jsrogue", "rltut", "ruggrogue"])
def test_first_brings_food_level_once(name: str) -> None:
    """Everybody but the first brings food to a level once."""
    dungeon = peopled(with_food_alone(name))
    partition = 2
    laid = food_on(dungeon, partition)
    visit(dungeon, 1, partition, 10_001)
    assert food_on(dungeon, partition) == laid, "what lies there is for the first"
    visit(dungeon, 2, partition, 10_002)
    more = food_on(dungeon, partition) - laid
    assert more > 0
    visit(dungeon, 2, partition, 10_003)  # their next life
    visit(dungeon, 1, partition, 10_004)
    assert food_on(dungeon, partition) == laid + more
    visit(dungeon, 3, partition, 10_005)
    assert food_on(dungeon, partition) == laid + 2 * more


@pytest.mark.rule("F48")
def test_it_lies_out_of_sight() -> None:
    dungeon = peopled(with_food_alone("gloam"))
    level = dungeon.levels[1]
    before = {item.number for _, item in level.items_at()}
    for account in range(1, 9):
        dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
    brought = [(cell, item) for cell, item in level.items_at() if item.number not in before]
    assert brought
    assert all(dungeon.campaign.items[item.kind].food > 0 for _, item in brought)
    assert not any(level.field_of_view(player)[cell] for player in level.players() for cell, _ in brought)


@pytest.mark.rule("F48")
def test_a_monster_brings_nothing() -> None:
    dungeon = peopled(shipped("gloam"))
    laid = food_on(dungeon, 2)
    visit(dungeon, 1, 2, 10_001)
    dungeon.apply_input(
        2, Arrive(new_creature(dungeon.campaign.creatures["rat"], 10_002), -1, (9, 10_002, 0))
    )
    assert food_on(dungeon, 2) == laid


@pytest.mark.thorough
@pytest.mark.rule("F43")
def test_first_brings_things_level_once() -> None:
    """Everybody but the first brings things to a level once."""
    dungeon = peopled(shipped("gloam"))
    level = dungeon.levels[2]
    share = level.level_kind.items_per_guest
    alike = peopled(with_food_alone("gloam"))
    counts = []
    for account, number in ((1, 10_001), (2, 10_002), (2, 10_003), (3, 10_004)):
        for each in (dungeon, alike):
            visit(each, account, 2, number)
        more = len(list(level.items_at())) - len(list(alike.levels[2].items_at()))
        counts.append(more)
    assert share > 0
    assert counts == [0, share, share, 2 * share]


def swelling(monsters_per_guest: int = 3, creatures_max: int = 60) -> Dungeon:
    """Return the arena, where each player but the first brings this many creatures."""
    files = arena_files(monsters=5)
    more = f"monsters_per_guest = {monsters_per_guest}\ncreatures_max = {creatures_max}\n"
    files["levels.toml"] += more.encode()
    return peopled(load(files))


@pytest.mark.rule("F41")
def test_each_later_player_brings_creatures_once() -> None:
    """Each player but the first brings creatures to a level once."""
    dungeon = swelling()
    level = dungeon.levels[2]
    born_there = len(monsters_on(dungeon, 2))
    counts = []
    for account, number in ((1, 10_001), (2, 10_002), (2, 10_003), (1, 10_004), (3, 10_005)):
        visit(dungeon, account, 2, number)
        counts.append((len(monsters_on(dungeon, 2)) - born_there, level.state.share - born_there))
    assert counts == [(0, 0), (3, 0), (3, 0), (3, 0), (6, 0)], (
        "a next life brings no creatures; the level's own number stays"
    )


@pytest.mark.rule("F41")
def test_one_finds_a_new_level_where_twenty_looked_in() -> None:
    """After twenty visitors who left, a newcomer finds as many creatures as on a new level."""
    dungeon = swelling(monsters_per_guest=2)
    own = len(monsters_on(dungeon, 2))
    for account in range(1, 21):
        visit(dungeon, account, 2, 10_000 + account)
    assert len(monsters_on(dungeon, 2)) == own + 2 * 19
    leave(dungeon, *range(10_001, 10_021))
    assert len(monsters_on(dungeon, 2)) == own
    visit(dungeon, 21, 2, 10_021)
    assert len(monsters_on(dungeon, 2)) == own


@pytest.mark.rule("F41")
def test_one_who_stays_alone_loses_the_crowd_in_time() -> None:
    """A thousand turns after the others left, the creatures too many go, unseen and one after another."""
    dungeon = swelling(monsters_per_guest=2)
    own = len(monsters_on(dungeon, 2))
    for account in (1, 2, 3):
        visit(dungeon, account, 2, 10_000 + account)
    leave(dungeon, 10_002, 10_003)
    assert len(monsters_on(dungeon, 2)) == own + 4, "who plays on keeps them for a while"
    pass_turns(dungeon, 10_001, COMPANY_TURNS - 1)
    assert len(monsters_on(dungeon, 2)) == own + 4
    pass_turns(dungeon, 10_001, 200)
    assert len(monsters_on(dungeon, 2)) == own


@pytest.mark.rule("F41")
def test_stairs_neither_empty_nor_fill_a_level() -> None:
    """Two who leave a level and return meet what they left: no more, and no fewer."""
    dungeon = swelling()
    level = dungeon.levels[2]
    for account in (1, 2):
        visit(dungeon, account, 2, 10_000 + account)
    for creature in monsters_on(dungeon, 2)[:2]:
        level.remove_for_good(creature)
    alive = len(monsters_on(dungeon, 2))
    for round_ in range(1, 4):
        bodies = list(level.players())
        leave(dungeon, *[body.number for body in bodies])
        assert len(monsters_on(dungeon, 2)) == min(alive, level.state.share)
        for at, body in enumerate(bodies[:: -1 if round_ % 2 else 1]):
            dungeon.apply_input(2, Arrive(body, -1, (9, 20_000 + round_ * 10 + at, 0)))
        assert len(monsters_on(dungeon, 2)) == alive

    for creature in monsters_on(dungeon, 2):
        level.remove_for_good(creature)
    bodies = list(level.players())
    leave(dungeon, *[body.number for body in bodies])
    for body in bodies:
        dungeon.apply_input(2, Arrive(body, -1, (9, 30_000 + body.account, 0)))
    assert monsters_on(dungeon, 2) == [], "the slain do not come back by the stairs"


@pytest.mark.rule("F41")
def test_those_with_a_history_stay() -> None:
    """A creature with a name, a victim or loot is never one of those too many."""
    dungeon = swelling(monsters_per_guest=3)
    level = dungeon.levels[2]
    visit(dungeon, 1, 2, 10_001)
    own = {creature.number for creature in monsters_on(dungeon, 2)}
    named, hunter, thief = newcomers(dungeon, 2, account=2)
    named.title, named.name = "Skarn", "Skarn the rat"
    hunter.victims.append(Victim(1, "Player1"))
    loot = create_item(
        TurnContext(level, Dice(1, 1, 1)), next(iter(dungeon.campaign.items.values())), thief.cell
    )
    thief.slots[0] = loot
    leave(dungeon, 10_001, 10_002)

    left = {creature.number for creature in monsters_on(dungeon, 2)}
    assert {named.number, hunter.number, thief.number} <= left
    assert len(left) == len(own), "natives went in their place"


@pytest.mark.rule("F41")
def test_an_older_world_loses_the_crowds_of_the_absent() -> None:
    """A world of rules version 8 counted past guests into the number of its levels: the upgrade takes them out."""
    dungeon = swelling()
    level = dungeon.levels[2]
    own = level.state.share
    for account in range(1, 9):
        visit(dungeon, account, 2, 10_000 + account)
    level.state.share, level.state.company, level.state.rules_version = own + 3 * 7, {}, 8
    for body in list(level.players()):
        level.remove(body)
    assert len(monsters_on(dungeon, 2)) == own + 21
    dungeon.apply_input(2, AdoptRules(9))
    assert level.state.share == len(monsters_on(dungeon, 2)) == own
    dungeon.apply_input(2, AdoptRules(9))
    assert level.state.share == own, "once"


def newcomers(dungeon: Dungeon, partition: int, account: int) -> list[Creature]:
    """Let a player enter a level for the first time, and return the creatures that appeared with them."""
    before = {creature.number for creature in monsters_on(dungeon, partition)}
    visit(dungeon, account, partition, 10_000 + account)
    return [creature for creature in monsters_on(dungeon, partition) if creature.number not in before]


@pytest.mark.rule("F41")
def test_they_come_unseen_and_make_no_depth_harder() -> None:
    dungeon = swelling()
    level = dungeon.levels[2]
    hard = [each.state.difficulty for each in dungeon.levels.values()]
    assert newcomers(dungeon, 2, account=1) == []
    came = newcomers(dungeon, 2, account=2)
    assert len(came) == 3
    for creature in came:
        assert creature.respawned
        for player in level.players():
            assert not level.field_of_view(player)[creature.cell]
            assert level.grid.distance(creature.cell, player.cell) >= SPAWN_DISTANCE_MIN
    assert [each.state.difficulty for each in dungeon.levels.values()] == hard


@pytest.mark.rule("F41")
def test_creatures_of_later_players_teach_half() -> None:
    """Creatures that appear with the second and third player teach half, all others in full."""
    dungeon = swelling()
    visit(dungeon, 1, 2, 10_001)
    assert [
        {creature.generation for creature in newcomers(dungeon, 2, account)} for account in (2, 3, 4, 5)
    ] == [{1}, {1}, {0}, {0}]


@pytest.mark.rule("F41")
def test_no_more_come_than_the_level_holds() -> None:
    dungeon = swelling(monsters_per_guest=50, creatures_max=9)
    visit(dungeon, 1, 2, 10_001)
    visit(dungeon, 2, 2, 10_002)
    assert dungeon.levels[2].count_monsters() == 9


@pytest.mark.rule("F41")
@pytest.mark.parametrize("name", ["jsrogue", "rltut", "ruggrogue"])
def test_the_classics_keep_their_numbers(name: str) -> None:
    assert all(kind.monsters_per_guest == kind.items_per_guest == 0 for kind in shipped(name).levels.values())
