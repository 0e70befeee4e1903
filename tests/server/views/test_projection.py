"""The knowledge of one player, and nothing beyond it."""

import pytest
from hypothesis import given

from gloam_server.views.projection import project, remembered_map
from gloam_server.world.model.creature import Item
from gloam_server.world.model.inputs import LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Wait
from gloam_shared.view.view import Creature, CreatureFlag, Friend, Log, LogLine, Stat, View
from support.content.campaigns import shipped
from support.scenarios.scenario import E, Scenario, W
from support.world.random_level import Step, cave, play, seeds, steps


def seen_by(level: Level, number: int, marks: dict[int, CreatureFlag] | None = None) -> View:
    return project(level, level.creatures[number], marks=marks or {}, party=(), log=Log())


def shown(view: View, scenario: Scenario, name: str) -> Creature:
    handle = scenario.level.handles[scenario[name].number]
    return next(creature for creature in view.creatures if creature.handle == handle)


@given(seeds, steps)
def test_no_view_holds_a_cell_outside_memory_and_sight(seed: int, course: list[Step]) -> None:
    saw: dict[int, set[int]] = {}

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            view = seen_by(level, body.number)
            cells = saw.setdefault(body.number, set())
            cells.update(cell for cell, seen in enumerate(level.field_of_view(body)) if seen)
            assert {cell for cell, what in enumerate(view.terrain) if what} <= cells
            assert view.sight == level.field_of_view(body)
            assert len(view.terrain) == len(view.sight) == level.grid.size

    play(cave(seed), course, look)


@given(seeds, steps)
def test_no_view_holds_creature_or_thing_sight(seed: int, course: list[Step]) -> None:
    """No view holds a creature or a thing out of sight and none in sight is missing."""

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            view = seen_by(level, body.number)
            sight = level.field_of_view(body)
            assert all(sight[creature.cell] for creature in view.creatures)
            assert all(sight[item.cell] for item in view.items)
            there = [level.handles[other.number] for other in level.creatures.values() if sight[other.cell]]
            assert [creature.handle for creature in view.creatures] == sorted(there)
            lying = [level.handles[pile[-1].number] for cell, pile in level.piles.items() if sight[cell]]
            assert [item.handle for item in view.items] == sorted(lying)

    play(cave(seed), course, look)


@pytest.mark.by_hand
@pytest.mark.rule("F61")
@given(seeds, steps)
def test_nothing_happens_sight_changes_view(seed: int, course: list[Step]) -> None:
    """Take away everything that a player does not see, and they see the same."""

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            view = seen_by(level, body.number)
            sight = level.field_of_view(body)
            hidden = [other for other in level.creatures.values() if not sight[other.cell]]
            for other in hidden:
                del level.creatures[other.number]
            try:
                assert seen_by(level, body.number) == view
            finally:
                level.creatures.update((other.number, other) for other in hidden)

    play(cave(seed), course, look)


@pytest.mark.rule("F09")
@given(seeds, steps)
def test_no_view_holds_a_dark_cell(seed: int, course: list[Step]) -> None:
    """There is no carried light here, so only players next to a dark cell see it."""
    level = cave(seed)
    level.state.dark = bytes(cell % 5 != 0 for cell in range(len(level.terrain)))
    level = deserialize_level(serialize_level(level), level.campaign, level.realm_seed)
    beside: dict[int, set[int]] = {}

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            known = beside.setdefault(body.number, set())
            known.update((body.cell, *level.grid.neighbors(body.cell)))
            view = seen_by(level, body.number)
            dark = {cell for cell, is_dark in enumerate(level.dark) if is_dark}
            here = {body.cell, *level.grid.neighbors(body.cell)}
            assert {cell for cell, sees in enumerate(view.sight) if sees} & dark <= here
            assert {cell for cell, what in enumerate(view.terrain) if what} & dark <= known
            assert {creature.cell for creature in view.creatures} & dark <= here
            assert {item.cell for item in view.items} & dark <= here

    play(level, course, look)


@given(seeds, steps)
def test_viewers_know_creature_same_handle(seed: int, course: list[Step]) -> None:
    """All viewers know a creature by the same handle."""

    def look(level: Level, _input: LevelInput, _result: Result) -> None:
        for body in level.players():
            for creature in seen_by(level, body.number).creatures:
                number = level.taken_handles[creature.handle]
                assert level.creatures[number].cell == creature.cell

    play(cave(seed), course, look)


def test_terrain_out_of_sight_is_shown_as_remembered() -> None:
    scenario = Scenario("#1.......>#")
    assert scenario.view().terrain[9] == Terrain.UNKNOWN
    for _ in range(2):
        scenario.go("1", E)
    for _ in range(2):
        scenario.go("1", W)
    view = scenario.view()
    assert view.terrain[9] == Terrain.STAIRS_DOWN
    assert not view.sight[9]


def test_a_friend_is_marked_as_a_player_and_no_foe() -> None:
    scenario = Scenario("#12#")
    assert shown(scenario.view(), scenario, "2").marks == CreatureFlag.PLAYER
    assert shown(scenario.view(), scenario, "1").marks == CreatureFlag.PLAYER | CreatureFlag.SELF


def test_foe_sight_marked_hostile_and_holding() -> None:
    """A foe in sight is marked as hostile and as holding."""
    scenario = Scenario("#1S#", S="statue")
    assert shown(scenario.view(), scenario, "S").marks == CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU


def test_a_harmless_foe_holds_no_one() -> None:
    scenario = Scenario("#1F#", F="fungus")
    assert shown(scenario.view(), scenario, "F").marks == CreatureFlag.HOSTILE


def test_sleeping_foe_marked_asleep() -> None:
    """A sleeping foe is marked asleep and holds no one."""
    scenario = Scenario("#1S#", S="statue")
    scenario.put_to_sleep("S", 1)
    assert shown(scenario.view(), scenario, "S").marks == CreatureFlag.HOSTILE | CreatureFlag.ASLEEP


def test_sessions_know_player_marked() -> None:
    """The sessions' knowledge of a player is marked too."""
    scenario = Scenario("#12#")
    marks = {scenario["2"].number: CreatureFlag.AWAY, scenario["1"].number: CreatureFlag.CUT_OFF}
    assert shown(scenario.view(marks=marks), scenario, "2").marks == CreatureFlag.PLAYER | CreatureFlag.AWAY
    assert CreatureFlag.CUT_OFF in CreatureFlag(shown(scenario.view(marks=marks), scenario, "1").marks)


def test_creature_shown_looks_health_and_level() -> None:
    """The view of a creature has its looks, health and level."""
    scenario = Scenario("#1k#", k="kobold")
    scenario.set_health("k", hp=4)
    scenario.set_progress("k", level=3)
    seen = shown(scenario.view(), scenario, "k")
    assert (seen.glyph, seen.colour, seen.name, seen.hp, seen.hp_max, seen.level, seen.cell) == (
        "k", "white", "kobold", 4, 6, 3, 2,
    )  # fmt: skip


def test_top_pile_shown_many_lie() -> None:
    """The view has only the top of a pile, and how many items lie there."""
    scenario = Scenario("#1.#")
    level = scenario.level
    for number, name in ((5, "bone"), (6, "skull")):
        level.piles.setdefault(2, []).append(Item(number=number, kind="corpse", name=name, colour="white"))
        level.handles[number] = number
    [item] = scenario.view().items
    assert (item.name, item.count, item.cell, item.handle, item.glyph) == ("skull", 2, 2, 6, "%")


def test_an_empty_pile_is_not_shown() -> None:
    scenario = Scenario("#1.#")
    scenario.level.piles[2] = []
    assert scenario.view().items == ()


def test_the_sheet_tells_the_players_own_numbers() -> None:
    scenario = Scenario("#1.#")
    body = scenario["1"]
    body.hp, body.experience, body.points, body.kills = 31, 7, 2, 4
    view = scenario.view()
    assert {fact: view.fact(fact) for fact in Stat} == {
        Stat.HANDLE: scenario.level.handles[body.number],
        Stat.HP: 31,
        Stat.HP_MAX: 40,
        Stat.ATTACK: 10,
        Stat.DEFENCE: 0,
        Stat.SIGHT: 6,
        Stat.SPEED: 1_000,
        Stat.LEVEL: 1,
        Stat.EXPERIENCE: 7,
        Stat.NEXT_LEVEL_AT: 10,
        Stat.POINTS: 2,
        Stat.KILLS: 4,
        Stat.HUNGER: 0,
        Stat.MANA: 0,
        Stat.MANA_MAX: 0,
        Stat.REACH: 0,
        Stat.FOOD_TURNS: 0,
        Stat.HEARD: 0,
        **dict.fromkeys(list(Stat)[Stat.DEALS :], 0),
    }
    assert view.cell == 1


@pytest.mark.rule("J14.6")
@pytest.mark.parametrize(("level", "at"), [(1, 10), (2, 40), (5, 250)])
def test_the_sheet_tells_where_the_next_level_is(level: int, at: int) -> None:
    scenario = Scenario("#1.#")
    scenario.set_progress("1", level=level)
    assert scenario.view().fact(Stat.NEXT_LEVEL_AT) == at


@pytest.mark.rule("J14.5")
def test_choices_use_the_originals_words() -> None:
    """Choices use the words of the original, with what they bring."""
    scenario = Scenario("#1.#", campaign=shipped("jsrogue"))
    scenario.set_progress("1", points=1)
    assert scenario.view().choices == (
        "Increase attack value (+2)",
        "Increase defense value (+2)",
        "Increase max health (+10)",
        "Increase sight range (+1)",
    )


def test_without_a_point_nothing_is_offered() -> None:
    assert Scenario("#1.#").view().choices == ()


def test_the_place_is_reported_by_campaign_and_depth() -> None:
    partition = Scenario("#1.#", partition=2).view().place
    assert (partition.depth, partition.width, partition.height, partition.name) == (
        2,
        4,
        1,
        "The Arena, level 2",
    )


def test_party_and_log_are_passed_on() -> None:
    scenario = Scenario("#1.#")
    party = (Friend("Player1", 1, 1, 4, 0),)
    log = Log(3, (LogLine("digs", "you"),))
    view = project(scenario.level, scenario["1"], marks={}, party=party, log=log)
    assert (view.party, view.log) == (party, log)


def test_a_projection_changes_nothing() -> None:
    scenario = Scenario("#1k#", k="kobold")
    view = scenario.view()
    known = view.terrain
    scenario.turn(("1", Wait()))
    assert view.terrain is known
    assert isinstance(known, bytes)


def test_recall_tells_what_a_life_remembers_of_a_level() -> None:
    scenario = Scenario("#1.......>#")
    number = scenario["1"].number
    assert remembered_map(scenario.level, number) == scenario.view().terrain
    assert remembered_map(scenario.level, number)[9] == Terrain.UNKNOWN


def test_recall_level_never_blank() -> None:
    """Recall of a level where one never was is blank."""
    scenario = Scenario("#1..#")
    assert remembered_map(scenario.level, 999) == bytes(5)


@pytest.mark.rule("F85")
def test_monster_above_level_came_with_marked_as_grown() -> None:
    """One that was made with a high level is not, and neither is a player."""
    scenario = Scenario("#1k2o#", k="kobold", o="kobold")
    scenario["k"].level += 2
    scenario["o"].level = scenario["o"].born_level = 3
    scenario["2"].level = 5
    view = scenario.view()
    seen = {name: shown(view, scenario, name) for name in "1k2o"}
    assert {name: one.grown for name, one in seen.items()} == {"1": 0, "k": 2, "2": 0, "o": 0}
    assert [name for name, one in seen.items() if one.marks & CreatureFlag.GROWN] == ["k"]
