"""Special places, doors, darkness and traps: what each puts onto a level, and that nothing is cut off."""

import pytest
from msgspec.structs import replace

from gloam_server.content.levels import Feature
from gloam_server.rules.dice import Dice
from gloam_server.world.generation import LevelMap, arrival_cell, generate_round
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import LevelDraft
from gloam_server.world.generation.features import add_features
from gloam_server.world.generation.terrain.generators import make_draft
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from support.content.level_kinds_campaign import grounds, levels_of_grounds

SEEDS = range(6)
HAUNTED = replace(
    grounds(),
    creatures={
        key: replace(kind, haunts=("graveyard",) if key == "beast4" else ())
        for key, kind in grounds().creatures.items()
    },
)


def with_place(feature: Feature, manner: str, seed: int, difficulty: int = 300) -> LevelDraft:
    """Return a level of a manner with one special place."""
    kind = next(kind for kind in grounds().levels.values() if kind.generator == manner)
    kind = replace(kind, features=(feature,), features_max=1)
    draft = make_draft(grounds(), kind, seed, 3, 3, 0)
    draft.difficulty = difficulty
    assert add_features(HAUNTED, Dice(seed, 3, 0), draft) == (feature,), (
        f"no site for a {feature} in {manner}"
    )
    return draft


def regions(draft: LevelDraft) -> int:
    return len(find_regions(draft.terrain, draft.grid, DIRECTIONS).cells)


@pytest.mark.thorough
@pytest.mark.parametrize("manner", ["rooms", "halls", "mixed", "caves"])
@pytest.mark.parametrize(
    "feature", ["lair", "vault", "shrine", "flood", "graveyard", "library", "garden", "crossing"]
)
def test_a_special_place_cuts_nothing_off(feature: Feature, manner: str) -> None:
    for seed in SEEDS:
        kind = next(kind for kind in grounds().levels.values() if kind.generator == manner)
        if feature == "vault" and manner == "caves":
            continue  # small caves have no rock for one
        before = regions(make_draft(grounds(), kind, seed, 3, 3, 0))
        assert regions(with_place(feature, manner, seed)) <= before


@pytest.mark.parametrize("seed", SEEDS)
def test_lair_holds_kind_leader_and_things(seed: int) -> None:
    """A lair holds one kind with a leader and its things."""
    draft = with_place("lair", "caves", seed)
    crowd, leader = draft.creatures
    [room] = draft.taken
    assert crowd.kind == leader.kind
    assert 3 <= crowd.count <= 6
    assert (leader.count, leader.levels) == (1, crowd.levels + 2)
    assert crowd.room == leader.room == room
    assert len(draft.goods) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_vault_closed_and_holds_better_things(seed: int) -> None:
    """A vault is closed and holds better things than its depth."""
    draft = with_place("vault", "rooms", seed, difficulty=500)
    [room] = draft.taken
    ring = [draft.terrain[cell] for cell in room.walls(draft.width)]
    assert Terrain.DOOR_CLOSED in ring
    assert set(ring) <= {Terrain.WALL, Terrain.DOOR_CLOSED}
    assert 3 <= len(draft.goods) <= 5
    assert {good.power for good in draft.goods} <= {0, 8}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_shrine_stands_in_the_middle_of_its_place(seed: int) -> None:
    draft = with_place("shrine", "caves", seed)
    x, y = draft.taken[0].centre
    assert draft.terrain[y * draft.width + x] == Terrain.SHRINE
    assert draft.terrain.count(Terrain.SHRINE) == 1
    assert draft.terrain.count(Terrain.BRAZIER) <= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flood_has_deep_water_with_shallow_rims(seed: int) -> None:
    draft = with_place("flood", "halls", seed)
    assert draft.terrain.count(Terrain.SHALLOWS) > 0
    for cell, what in enumerate(draft.terrain):
        if what == Terrain.WATER:
            beside = (cell - 1, cell + 1, cell - draft.width, cell + draft.width)
            assert Terrain.FLOOR not in {draft.terrain[each] for each in beside}


def test_floods_deep_somewhere_and_river_fords() -> None:
    """Floods are deep somewhere and a river has fords."""
    for feature in ("flood", "crossing"):
        drafts = [with_place(feature, "caves", seed) for seed in SEEDS]
        assert any(Terrain.WATER in draft.terrain for draft in drafts)
        assert all(Terrain.SHALLOWS in draft.terrain for draft in drafts)


@pytest.mark.parametrize("seed", SEEDS)
def test_graveyard_haunted_haunt_graveyards(seed: int) -> None:
    """A graveyard is haunted by those that haunt graveyards."""
    draft = with_place("graveyard", "rooms", seed)
    assert 2 <= len(draft.creatures) <= 4
    assert {drawn.kind for drawn in draft.creatures} == {"beast4"}
    assert draft.goods


@pytest.mark.parametrize("seed", SEEDS)
def test_library_holds_scrolls(seed: int) -> None:
    """A library holds scrolls and a garden food in the grass."""
    library, garden = with_place("library", "rooms", seed), with_place("garden", "rooms", seed)
    groups = [grounds().items[good.kind].group for good in library.goods]
    # The only book of the grounds is never drawn.
    assert set(groups) == {"scroll"}
    assert 2 <= len(groups) <= 4
    assert {good.kind for good in garden.goods} == {"apple"}
    room = garden.taken[0]
    grass = sum(garden.terrain[cell] == Terrain.GRASS for cell in room.cells(garden.width))
    assert grass * 2 > room.width * room.height


def test_special_places_keep_away_stairs() -> None:
    """Special places keep away from the stairs and differ."""
    for seed in SEEDS:
        kind = next(kind for kind in grounds().levels.values() if kind.generator == "rooms")
        draft = make_draft(grounds(), kind, seed, 3, 3, 0)
        built = add_features(grounds(), Dice(seed, 3, 0), draft)
        assert len(built) == len(set(built)) <= kind.features_max
        assert not {draft.rooms[0], draft.rooms[-1]} & set(draft.taken)
        assert len(draft.taken) == len(set(draft.taken))


def first(manner: str, seed: int) -> LevelMap:
    return next(
        level for level in levels_of_grounds(seed) if grounds().levels[level.kind].generator == manner
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_doors_hang_in_entrances_one_cell_wide(seed: int) -> None:
    level = first("rooms", seed)
    rooms = level.rooms
    for cell, what in enumerate(level.terrain):
        if what == Terrain.DOOR_CLOSED:
            assert any(cell in room.walls(level.grid.width) for room in rooms)
    assert Terrain.DOOR_CLOSED in level.terrain


def test_without_doors_percent_none_but_vaults() -> None:
    """Without doors percent there are none but a vaults."""
    doorless = replace(
        grounds(),
        levels={
            key: replace(kind, doors_percent=0, features_max=0) for key, kind in grounds().levels.items()
        },
    )
    assert all(Terrain.DOOR_CLOSED not in level.terrain for level in generate_round(doorless, 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_rooms_are_lit_or_dark_as_a_whole(seed: int) -> None:
    for level in levels_of_grounds(seed):
        assert len(level.dark) == len(level.terrain)
        for room in level.rooms:
            if not any(room.near(other, 2) for other in level.rooms if other != room):
                assert len({level.dark[cell] for cell in room.cells(level.grid.width)}) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(("percent", "dark"), [(100, {0}), (0, {1})])
def test_a_level_may_be_wholly_lit_or_wholly_dark(percent: int, dark: set[int]) -> None:
    levels = {key: replace(kind, lit_percent=percent) for key, kind in grounds().levels.items()}
    for level in generate_round(replace(grounds(), levels=levels), 1):
        assert set(level.dark) == dark


@pytest.mark.parametrize("seed", SEEDS)
def test_traps_lie_hidden_plain_floor(seed: int) -> None:
    """Traps lie hidden on plain floor and not where lives begin."""
    maps = levels_of_grounds(seed)
    start = arrival_cell(grounds(), seed, maps[0])
    for level in maps[:-1]:
        assert len({cell for cell, _ in level.traps}) == len(level.traps) == 4
        assert all(level.terrain[cell] == Terrain.FLOOR for cell, _ in level.traps)
        assert {spell for _, spell in level.traps} == {"spark"}
    near = {start + dy * maps[0].width + dx for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    assert not near & {cell for cell, _ in maps[0].traps}
