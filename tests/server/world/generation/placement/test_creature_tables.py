"""The creatures of a level: rules TG.13, RG.10, RG.11, R12, F41, F42, and special places' own creatures."""

from collections import Counter
from itertools import pairwise
from typing import get_args

import pytest
from msgspec.structs import replace

from gloam_server.content.levels import Goods, Populace, Quota
from gloam_server.rules.dice import Dice
from gloam_server.world.generation import generate_round, place_creatures
from gloam_server.world.generation.draft import LevelDraft, PlannedCreature, Room
from gloam_server.world.generation.placement import creature_tables
from gloam_server.world.generation.placement.loot_schemes import LOOT_SCHEMES
from gloam_server.world.generation.placement.population_schemes import POPULATION_SCHEMES, choose_creatures
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Grid
from support.content.campaigns import shipped
from support.content.level_kinds_campaign import grounds, levels_of_grounds, levels_of_rugged, rugged
from support.world.generated_levels import parsed

ROOMS = tuple(Room(2 + 10 * at, 2, 6, 6) for at in range(7))
TRYSTAN = (
    Quota(kind="beast1", base=4),
    Quota(kind="beast2", base=10),
    Quota(kind="beast3", base=1, per_depth=2),
    Quota(kind="beast4", base=1, per_depth=2),
)


def draft(depth: int, difficulty: int = 100) -> LevelDraft:
    """Return an empty level with seven rooms."""
    kind = rugged().levels["rooms"]
    return LevelDraft(
        kind,
        depth,
        depth,
        bytearray([Terrain.FLOOR]) * (kind.width * kind.height),
        ROOMS,
        difficulty,
    )


@pytest.mark.rule("TG.13")
@pytest.mark.parametrize(("depth", "expected"), [(1, (4, 10, 1, 1)), (2, (4, 10, 3, 3)), (5, (4, 10, 9, 9))])
def test_many_kind_and_two_more_some_depth(depth: int, expected: tuple[int, ...]) -> None:
    """This many of a kind and two more of some on each depth."""
    kind = replace(grounds().levels["cavern"], creatures=TRYSTAN)
    counted = Counter(drawn.kind for drawn in creature_tables.quota_sizes(kind, depth))
    assert tuple(counted[f"beast{at}"] for at in range(1, 5)) == expected


@pytest.mark.thorough
@pytest.mark.rule("RG.10")
@pytest.mark.parametrize(("depth", "most"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (12, 3)])
def test_half_rooms_but_first_hold_many(depth: int, most: int) -> None:
    """Half of the rooms but the first hold up to this many."""
    rooms = Counter[int]()
    for seed in range(300):
        level = draft(depth)
        choose_creatures(rugged(), Dice(seed, 1, 0), level)
        held = Counter(drawn.room for drawn in level.creatures)
        assert ROOMS[0] not in held
        rooms.update(held.values())
    assert set(rooms) == set(range(1, most + 1))
    assert 800 < rooms.total() < 1_000
    assert max(rooms.values()) - min(rooms.values()) < 120


@pytest.mark.rule("RG.10")
def test_each_round_that_was_won_may_add_one() -> None:
    most = 0
    for seed in range(60):
        level = draft(1)
        choose_creatures(rugged(), Dice(seed, 1, 0), level, wins=2)
        most = max([most, *Counter(drawn.room for drawn in level.creatures).values()])
    assert most == 3


@pytest.mark.rule("R12")
@pytest.mark.parametrize("level", [1, 7, 25])
def test_kind_levels_hold_spawn_level(level: int) -> None:
    """A kind is the one whose levels hold the spawn level."""
    drawn = creature_tables.choose_kind(rugged(), Dice(1, 1, 1), level, 1, alone=True)
    assert drawn == PlannedCreature(f"beast{level}", level - 1)


@pytest.mark.rule("R12")
def test_above_last_kind_last_more_levels() -> None:
    """Above the last kind it is the last with more levels."""
    assert creature_tables.choose_kind(rugged(), Dice(1, 1, 1), 31, 1, alone=True) == PlannedCreature(
        "beast25", 30
    )


@pytest.mark.rule("R12")
def test_kinds_keep_depths_and_bosses_never_drawn() -> None:
    """Kinds keep to their depths and bosses are never drawn."""
    kinds = rugged().spawnable
    shallow = tuple(replace(kind, depths=(1, 3)) if kind.key == "beast7" else kind for kind in kinds)
    bosses = tuple(replace(kind, boss=kind.key == "beast7") for kind in kinds)
    assert [kind.key for kind in creature_tables.kinds_at_level(shallow, 7, 3)] == ["beast7"]
    assert "beast7" not in [kind.key for kind in creature_tables.kinds_at_level(shallow, 7, 4)]
    assert "beast7" not in [kind.key for kind in creature_tables.kinds_at_level(bosses, 7, 3)]


def test_weights_tell_how_often_a_kind_is_drawn() -> None:
    kinds = tuple(
        replace(kind, levels=(1, 9), weight=weight)
        for kind, weight in zip(rugged().spawnable[:2], (30, 10), strict=True)
    )
    dice = Dice(4, 1, 1)
    counted = Counter(
        drawn.kind
        for _ in range(2_000)
        if (drawn := creature_tables.choose_kind(rugged(), dice, 3, 1, kinds=kinds)) is not None
    )
    assert 1_400 < counted[kinds[0].key] < 1_600


def test_kinds_that_come_in_groups_come_together() -> None:
    drawn = creature_tables.choose_kind(grounds(), Dice(1, 1, 1), 5, 1)
    assert drawn == PlannedCreature("beast5", 4, 3)
    cave = bytes([Terrain.FLOOR]) * 900
    spawns = place_creatures(grounds(), 1, 1, 30, cave, (drawn,))
    assert len(spawns) == 3
    assert max(Grid(30, 30).distance(spawns[0].cell, spawn.cell) for spawn in spawns) == 1


@pytest.mark.parametrize("seed", range(4))
def test_levelled_level_holds_number_besides(seed: int) -> None:
    """A leveled level holds its number besides the creatures of special places."""
    for level in levels_of_grounds(seed):
        if grounds().levels[level.kind].populace == "levelled":
            roaming = sum(drawn.count for drawn in level.creatures if drawn.room is None)
            assert roaming == grounds().levels[level.kind].monsters == 6


@pytest.mark.thorough
@pytest.mark.rule("F42")
def test_a_depth_is_as_hard_for_any_player() -> None:
    """A depth is as hard for any player, and the first is of level 1."""
    for seed in range(10):
        first = levels_of_rugged(seed)[0]
        assert first.difficulty == 100
        assert {drawn.levels for drawn in first.creatures} <= {0}


@pytest.mark.rule("R9")
def test_census_worth_level_and_9() -> None:
    """The worth of a census is level and 9 for each."""
    assert (
        creature_tables.creature_difficulty(
            rugged(), [PlannedCreature("beast1", 0), PlannedCreature("beast3", 4, count=2)]
        )
        == 10 + 2 * 14
    )


def test_finds_no_place_left() -> None:
    """A creature that finds no place is left out and no one stands in sight or on stairs."""
    cave = bytes(parsed("..>.", "####"))
    creatures = (PlannedCreature("beast1", 0, count=2), PlannedCreature("beast2", 0, count=4))
    spawns = place_creatures(rugged(), 1, 1, 4, cave, creatures, avoid=bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    assert sorted(spawn.cell for spawn in spawns) == [1, 3]
    assert place_creatures(rugged(), 1, 1, 4, bytes(parsed("##>#")), creatures) == ()


@pytest.mark.rule("F67")
def test_groups_at_odds_stand_near_each_other() -> None:
    """Each group of a feud stands within 8 cells of the one before; other groups stand anywhere."""
    cave = bytes([Terrain.FLOOR]) * 2_500
    apart: dict[bool, int] = {}
    for at_odds in (True, False):
        groups = tuple(PlannedCreature("rat", 0, at_odds=at_odds) for _ in range(12))
        cells = [spawn.cell for spawn in place_creatures(shipped("gloam"), 1, 2, 50, cave, groups)]
        apart[at_odds] = max(Grid(50, 50).distance(one, other) for one, other in pairwise(cells))
    assert apart[True] <= 8 < apart[False]


@pytest.mark.thorough
def test_home_water_comes_some() -> None:
    """A creature whose home is water appears only where there is some."""
    dwellers = {kind.key for kind in shipped("gloam").spawnable if kind.lives_in_water}
    wet = dry = 0
    for seed in range(3):
        for level in generate_round(shipped("gloam"), seed):
            swimmers = [drawn for drawn in level.creatures if drawn.kind in dwellers]
            if Terrain.WATER in level.terrain:
                wet += len(swimmers)
            else:
                dry += len(swimmers)
    assert dwellers == {"eel", "leech", "naga"}
    assert (wet > 0, dry) == (True, 0)


def test_home_water_begins_and_others() -> None:
    """A creature whose home is water begins in it and the others do not."""
    cave = bytes(parsed("..~~", "..~~"))
    creatures = (PlannedCreature("eel", 0, count=3), PlannedCreature("rat", 0, count=3))
    spawns = place_creatures(shipped("gloam"), 1, 1, 4, cave, creatures)
    assert all((cave[spawn.cell] == Terrain.WATER) == (spawn.kind == "eel") for spawn in spawns)
    assert len(spawns) == 6
    assert place_creatures(shipped("gloam"), 1, 1, 4, bytes(parsed("....")), creatures[:1]) == ()


@pytest.mark.thorough
def test_begins_water_when_level_founded() -> None:
    """A creature that begins in water is there when the level is founded."""
    dungeon = new_dungeon(shipped("gloam"), 2)
    populate(dungeon)
    swimmers = [
        (level, creature)
        for level in dungeon.levels.values()
        for creature in level.creatures.values()
        if shipped("gloam").creatures[creature.kind].lives_in_water
    ]
    assert swimmers
    assert all(level.terrain[creature.cell] == Terrain.WATER for level, creature in swimmers)


def test_every_scheme_has_its_class() -> None:
    """The words of the schema and the registries are the same."""
    assert set(POPULATION_SCHEMES) == set(get_args(Populace))
    assert set(LOOT_SCHEMES) == set(get_args(Goods))
