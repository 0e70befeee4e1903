"""Levels that no player has seen, when a campaign gets drawn rooms: they are made again, and all else stays (rule F164)."""

from collections import Counter

import pytest
from msgspec.structs import replace

from gloam_lab.invariants import check_invariants
from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.model.creature import Item, named_after, new_creature
from gloam_server.world.model.creature_state import LevelCell
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_server.world.transition.serialization import serialize_level
from gloam_server.world.transition.unseen_levels import remake_unseen
from gloam_shared.appearance import Terrain
from support.content.shipped_files import campaign
from support.run.effort import effort

GLOAM = campaign("gloam")
DOWN = (Terrain.STAIRS_DOWN, Terrain.HOLE)

pytestmark = [pytest.mark.by_hand, pytest.mark.rule("F164")]


def roomless(present: Campaign) -> Campaign:
    """Return the campaign as it was before it had drawn rooms."""
    levels = {key: replace(kind, drawn_rooms=(0, 0)) for key, kind in present.levels.items()}
    return replace(present, rooms={}, levels=levels)


def seen(present: Campaign, seed: int, deepest: int) -> Dungeon:
    """Return a realm that was made without drawn rooms, where players reached a depth."""
    dungeon = new_dungeon(roomless(present), seed)
    populate(dungeon)
    dungeon.realm.visited = list(range(2, deepest + 1))
    return under(dungeon, present)


def under(dungeon: Dungeon, present: Campaign) -> Dungeon:
    """Return the same realm with the present campaign."""
    levels = {at: Level(level.state, present, dungeon.seed) for at, level in dungeon.levels.items()}
    return Dungeon(present, dungeon.seed, dungeon.realm, levels)


def remade(dungeon: Dungeon) -> range:
    return remake_unseen(dungeon, roomless(dungeon.campaign))


def cells(level: Level, kinds: tuple[Terrain, ...]) -> list[int]:
    return [cell for cell, terrain in enumerate(level.terrain) if terrain in kinds]


def unique_items(dungeon: Dungeon) -> Counter[str]:
    unique = {kind.key for kind in dungeon.campaign.unique_items}
    found: Counter[str] = Counter()
    for level in dungeon.levels.values():
        found.update(item.kind for pile in level.piles.values() for item in pile)
        found.update(item.kind for body in level.creatures.values() for item in body.carried)
    return Counter({kind: count for kind, count in found.items() if kind in unique})


@pytest.mark.thorough
@pytest.mark.parametrize("deepest", [1, 9, 26])
def test_they_are_those_of_a_new_realm(deepest: int) -> None:
    for seed in range(effort(1, 2)):
        dungeon = seen(GLOAM, seed, deepest)
        minted = {at: level.state.minted for at, level in dungeon.levels.items()}
        assert remade(dungeon) == range(deepest + 1, 28)
        new = new_dungeon(GLOAM, seed)
        populate(new)
        for at in range(deepest + 1, 28):
            level, wanted = dungeon.levels[at], new.levels[at]
            assert (level.terrain, level.state.kind) == (wanted.terrain, wanted.state.kind)
            assert (level.state.devices, level.state.surfaces) == (
                wanted.state.devices,
                wanted.state.surfaces,
            )
            kinds = [Counter(body.kind for body in each.creatures.values()) for each in (level, wanted)]
            assert kinds[0] == kinds[1]
            assert min(level.creatures) > new_id(at, minted[at])
            check_invariants(level)


@pytest.mark.thorough
@pytest.mark.parametrize("deepest", [1, 9, 26])
def test_the_levels_that_players_saw_stay(deepest: int) -> None:
    dungeon = seen(GLOAM, 3, deepest)
    before = {at: serialize_level(level) for at, level in dungeon.levels.items()}
    remade(dungeon)
    dungeon.levels[deepest].state.links.clear()
    last = seen(GLOAM, 3, deepest).levels[deepest]
    last.state.links.clear()
    assert serialize_level(dungeon.levels[deepest]) == serialize_level(last)
    assert all(serialize_level(dungeon.levels[at]) == before[at] for at in range(1, deepest))


@pytest.mark.thorough
@pytest.mark.parametrize("deepest", [1, 9, 26])
def test_stairs_lead_to_new_levels_and_back(deepest: int) -> None:
    for seed in range(effort(2, 3)):
        dungeon = seen(GLOAM, seed, deepest)
        remade(dungeon)
        upper, lower = dungeon.levels[deepest], dungeon.levels[deepest + 1]
        down, up = cells(upper, DOWN), cells(lower, (Terrain.STAIRS_UP,))
        assert down
        assert up
        assert {upper.state.links[cell] for cell in down} <= set(up)
        assert {lower.state.links[cell] for cell in up} <= set(down)
        regions = find_regions(lower.terrain, lower.grid, GLOAM.directions)
        assert len({regions.of[cell] for cell in up}) == 1


def test_strangers_and_names_stay() -> None:
    """A monster with a name, one from another level, and what such a one dropped, are there, beside the stairs."""
    dungeon = seen(GLOAM, 3, 4)
    level = dungeon.levels[6]
    native, named = sorted(level.creatures.values(), key=lambda each: each.number)[:2]
    named.title = "the Bane of Anna"
    named.name = named_after(named.title, GLOAM.creatures[named.kind].name)
    named.ai.home = named.ai.sighted = LevelCell(6, 1)
    named.ai.last_seen = LevelCell(3, 5)
    stranger = new_creature(GLOAM.creatures["goblin"], new_id(3, 900))
    level.add(stranger, next(cell for cell in range(level.grid.size) if level.is_free(cell)), Dice(1, 1, 1))
    level.put_item(
        Item(new_id(5, 900), "ration", "ration", "white"), cells(level, (Terrain.FLOOR,))[0], Dice(1, 1, 2)
    )
    remade(dungeon)
    level = dungeon.levels[6]
    stairs = cells(level, (Terrain.STAIRS_UP,))
    assert native.number not in level.creatures
    for body in (level.creatures[named.number], level.creatures[new_id(3, 900)]):
        assert min(level.grid.distance(body.cell, cell) for cell in stairs) <= 3
    kept = [named.ai.home, named.ai.sighted, named.ai.last_seen]
    assert kept == [None, None, LevelCell(3, 5)]
    assert new_id(5, 900) in [item.number for pile in level.piles.values() for item in pile]
    check_invariants(level)


@pytest.mark.parametrize("deepest", [1, 3, 5])
def test_each_unique_item_is_once_in_the_realm(deepest: int) -> None:
    """One that a player has is not laid again, and one whose new place would be on a level that stays lies below."""
    jsrogue = campaign("jsrogue")
    levels = {
        key: replace(kind, joined=True, drawn_rooms=(0, 1), weight=kind.weight + 1)
        for key, kind in jsrogue.levels.items()
    }
    present = replace(jsrogue, levels=levels, rooms=GLOAM.rooms)
    for seed in range(effort(3, 6)):
        dungeon = seen(present, seed, deepest)
        before = unique_items(dungeon)
        assert set(before.values()) == {1}
        assert remade(dungeon)
        assert unique_items(dungeon) == before


@pytest.mark.thorough
def test_what_is_left_alone() -> None:
    """Nothing is made again where the former campaign had rooms, no level is unseen, one is closed, or their number differs."""
    dungeon = seen(GLOAM, 3, 9)
    before = dungeon.state_hash()
    assert not remake_unseen(dungeon, GLOAM)
    dungeon.closed.add(12)
    assert not remade(dungeon)
    dungeon.closed.clear()
    del dungeon.levels[27]
    assert not remade(dungeon)
    dungeon = seen(GLOAM, 3, 27)
    assert not remade(dungeon)
    dungeon = seen(GLOAM, 3, 9)
    dungeon.levels[27].state.claimed = True
    assert not remade(dungeon)
    dungeon.levels[27].state.claimed = False
    assert dungeon.state_hash() == before
