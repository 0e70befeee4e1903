"""Random play under the check mode of kept values; turn groups and sights have a plain definition, too."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_server.rules.dice import Dice
from gloam_server.views.level_records import LevelRecords
from gloam_server.views.projection import project
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.combat.hostility import enemies_holding, is_held, possible_enemies
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.model.inputs import LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.model.sight.field_of_view import FieldsOfView
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_server.world.transition.nearest_players import NEAR_CELLS, least_distances, nearest_players
from gloam_server.world.transition.turn_groups import turn_groups
from gloam_shared.view.view import CreatureFlag, Log
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario
from support.world.random_level import Step, Watch, cave, play, seeds, steps
from support.world.whole_turn_groups import whole_turn_groups

SHIPPED = ("gloam", "jsrogue", "rltut", "ruggrogue")


def drawn_course(seed: int) -> list[Step]:
    """Return a course for a shipped campaign: its levels take too long to make for many random ones."""
    dice = Dice(seed, 1, 1)
    return [(dice.roll("kind", at, 10), dice.roll("number", at, 10_001)) for at in range(80)]


def first_level(campaign: str, seed: int) -> Level:
    dungeon = new_dungeon(shipped(campaign), seed)
    populate(dungeon)
    return dungeon.levels[1]


def check_turn_groups(level: Level, _input: LevelInput, _result: Result) -> None:
    whole = whole_turn_groups(level)
    assert turn_groups(level, level.sequence) == whole
    assert all(is_held(level, body) == bool(enemies_holding(level, body)) for body in level.players())


def look_at_views() -> Watch:
    """Return a watch for which every viewer looks after each input: the check mode compares what is kept."""
    kept: list[LevelRecords] = []
    caches: dict[int, ViewCache] = defaultdict(ViewCache)

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        if not kept:
            kept.append(LevelRecords(level))
        players = level.players()
        marks = {
            body.number: CreatureFlag.AWAY if (level.sequence + at) % 3 else CreatureFlag.CUT_OFF
            for at, body in enumerate(players)
        }
        for body in players:
            kept[0].refresh(marks)
            own, cache = {**marks, body.number: CreatureFlag(0)}, caches[body.number]
            first, second = (
                project(level, body, marks=own, party=(), log=Log(), records=kept[0], kept=cache)
                for _ in "ab"
            )
            assert first is second

    return look


def look_for_foes(level: Level, _input: LevelInput, _result: Result) -> None:
    for monster in level.monsters():
        possible_enemies(level, monster)


@pytest.mark.rule("F03")
@given(seeds, steps)
def test_turn_groups_are_as_defined(seed: int, course: list[Step]) -> None:
    play(cave(seed), course, check_turn_groups)


@pytest.mark.rule("F03")
@pytest.mark.parametrize("campaign", SHIPPED)
def test_turn_groups_of_shipped_campaigns(campaign: str) -> None:
    play(first_level(campaign, 5), drawn_course(5), check_turn_groups)


def hand_on_torch(level: Level) -> None:
    """Let the torch of the level go from one body to another, with every third input."""
    bodies = [body for body in level.creatures.values() if body.slots]
    for body in bodies:
        body.slots = [None if item is not None and item.kind == "torch" else item for item in body.slots]
    if bodies:
        bearer = bodies[level.sequence // 3 % len(bodies)]
        bearer.slots[-1] = Item(1, "torch", "torch", "yellow")
    for body in bodies:
        level.sight.note_gear(body.number)


def check_sights(level: Level, _input: LevelInput, _result: Result) -> None:
    """Compare each kept field of view with the field of view on a level that remembers none."""
    hand_on_torch(level)
    fresh = FieldsOfView(level.campaign, level.grid, level.terrain, level.state.dark)
    bodies = level.creatures
    assert level.players_sight() == tuple(fresh.of(body, bodies) for body in level.players())
    assert all(level.field_of_view(body) == fresh.of(body, bodies) for body in bodies.values())


@given(seeds, steps)
def test_kept_foes_are_those_found_now(seed: int, course: list[Step]) -> None:
    play(cave(seed), course, look_for_foes)


@given(seeds, steps)
def test_fields_of_view_in_the_dark_are_as_defined(seed: int, course: list[Step]) -> None:
    level = cave(seed)
    dark = bytes(cell % 7 > 0 for cell in range(level.grid.size))
    play(Level(replace(level.state, dark=dark), level.campaign, level.realm_seed), course, check_sights)


@given(seeds, steps)
def test_shared_records_change_no_view(seed: int, course: list[Step]) -> None:
    play(cave(seed), course, look_at_views())


@pytest.mark.thorough
@pytest.mark.parametrize("campaign", SHIPPED)
def test_shared_records_in_shipped_campaigns(campaign: str) -> None:
    play(first_level(campaign, 7), drawn_course(7), look_at_views())


@given(st.lists(st.integers(0, 1_999), min_size=2, max_size=60, unique=True), st.integers(1, 59))
def test_nearest_players_are_as_defined(cells: list[int], split: int) -> None:
    """Few and many creatures get the same nearest player, the lowest number among equals."""
    level, split = Scenario("\n".join(["." * 100] * 20)).level, min(split, len(cells) - 1)
    bodies = [new_creature(level.campaign.creatures["rat"], number) for number in range(len(cells))]
    for body, cell in zip(bodies, cells, strict=True):
        body.cell = cell
    players, creatures = tuple(bodies[:split]), tuple(bodies[split:])
    one_by_one = [nearest_players(level, players, (creature,)).players[0] for creature in creatures]
    assert one_by_one == [_nearest(level, players, creature) for creature in creatures]

    known = nearest_players(level, players, creatures)
    found = known.players
    assert found == one_by_one
    for moved in (*([body] for body in bodies[:20]), bodies[::3]):  # first one, then many
        for body in moved:
            body.cell = (body.cell * 7 + 13) % 2_000
        known = nearest_players(level, players, creatures, known)
        assert known.players == nearest_players(level, players, creatures).players
        away = least_distances(level.grid, [each.cell for each in creatures], [each.cell for each in players])
        assert away == [min(level.distance(each, player) for player in players) for each in creatures]


def _nearest(level: Level, players: tuple[Creature, ...], creature: Creature) -> int | None:
    near = [player for player in players if level.distance(player, creature) <= NEAR_CELLS]
    found = min(near, key=lambda player: (level.distance(player, creature), player.number), default=None)
    return None if found is None else found.number
