"""Plans: what explore, travel, run, rest and fight do next, and what ends them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from msgspec.structs import replace as mreplace

from gloam_server.content.outline import Regeneration
from gloam_server.rules.dice import Dice
from gloam_server.sessions.plans import (
    RESTS_IN_VAIN_MAX,
    STEPS_MAX,
    Course,
    Ended,
    begin,
    for_stairs,
    proceed,
    sights,
)
from gloam_server.views.projection import project
from gloam_server.world.apply import apply
from gloam_server.world.creature import Item, born
from gloam_server.world.dungeon import found
from gloam_server.world.inputs import Act, Turn
from gloam_server.world.level import Level
from gloam_server.world.sight import remember
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Action, Climb, Explore, Fight, Move, Plan, Rest, Run, Travel, Wait
from gloam_shared.geometry import neighbours
from gloam_shared.view import Fact, Hunger, Log, View
from support.campaigns import arena
from support.scenario import E, N, Scenario, W

DIGS = "a plan never digs"


def view_of(level: Level, number: int) -> View:
    return project(level, level.creatures[number], marks={}, party=(), log=Log())


def follow(
    scenario: Scenario, plan: Plan, *, limit: int = 500, meanwhile: Callable[[int], None] | None = None
) -> tuple[str, int]:
    """Follow a plan of the first player to its end; return why it ended, and after how many turns."""
    number = scenario["1"].number
    course = begin(view_of(scenario.level, number), plan, 1)
    if isinstance(course, Ended):
        return course.reason, 0
    for turns in range(limit):
        following = proceed(view_of(scenario.level, number), course)
        if isinstance(following, Ended):
            return following.reason, turns
        action, course = following
        assert "digs" not in [event.kind for event in scenario.turn(("1", action))], DIGS
        if meanwhile is not None:
            meanwhile(turns)
    raise AssertionError(f"{plan} never ended")


def first(scenario: Scenario, plan: Plan) -> Action | str:
    """Return the first command of a plan, or why it does not even begin."""
    view = view_of(scenario.level, scenario["1"].number)
    course = begin(view, plan, 1)
    if isinstance(course, Ended):
        return course.reason
    following = proceed(view, course)
    return following.reason if isinstance(following, Ended) else following[0]


def lay(scenario: Scenario, cell: int, name: str = "apple") -> None:
    item = Item(number=1_000_000 + cell, kind="corpse", name=name, colour="red")
    scenario.level.lay(item, cell, Dice(1, 1, cell))


def knows(scenario: Scenario) -> None:
    """Let the first player remember the whole map."""
    scenario.level.memory[scenario["1"].number][:] = scenario.level.terrain


# Explore.


def on_foot(level: Level, cell: int) -> set[int]:
    """Return the cells that can be walked to."""
    reached, edge = {cell}, [cell]
    for here in edge:
        for there in neighbours(here, level.width, level.height):
            if there not in reached and level.walkable(there):
                reached.add(there)
                edge.append(there)
    return reached


@pytest.mark.parametrize("seed", range(30))
def test_f02_explore_comes_to_know_all_that_can_be_walked_to(seed: int) -> None:
    dungeon = found(arena(), seed)
    level = dungeon.levels[1]
    body = born(level.campaign.player_kind, 1_024, name="Player1", account=1)
    level.add(body, dungeon.realm.arrival, Dice(seed, 1, 0))
    remember(level)
    reachable = on_foot(level, body.cell)
    terrain = bytes(level.terrain)
    for _ in range(2_000):
        course = begin(view_of(level, body.number), Explore(), 1)
        reason = ""
        while isinstance(course, Course):
            following = proceed(view_of(level, body.number), course)
            if isinstance(following, Ended):
                reason = following.reason
                break
            action, course = following
            apply(level, Turn((Act(body.number, 0, action),)))
        if reason == "There is nothing left to explore on this level.":
            break
        assert reason.startswith("You found")
    else:
        raise AssertionError("exploring never ended")
    known = level.memory[body.number]
    assert all(known[cell] == terrain[cell] for cell in reachable)
    for cell in reachable:
        assert all(known[there] for there in neighbours(cell, level.width, level.height))
    assert bytes(level.terrain) == terrain, DIGS


def test_jg15_a_plan_stops_when_the_state_of_hunger_changes_and_goes_on_in_the_new_one() -> None:
    scenario = Scenario("#1.............#", campaign=arena(hunger="starve_or_choke"))
    scenario["1"].food = 54
    assert follow(scenario, Explore())[0] == "You stop: you are hungry."
    assert scenario["1"].food == 50
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."


def test_explore_stops_at_a_new_thing_and_goes_on_past_it() -> None:
    scenario = Scenario("#1.............#")
    lay(scenario, 9)
    assert follow(scenario, Explore())[0] == "You found an apple."
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."


def test_explore_does_not_stop_at_a_thing_that_was_in_sight_already() -> None:
    scenario = Scenario("#1.............#")
    lay(scenario, 3)
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."


def test_what_is_found_is_told_with_its_article() -> None:
    scenario = Scenario("#1.............#")
    lay(scenario, 9, "kobold corpse")
    assert follow(scenario, Explore())[0] == "You found a kobold corpse."


def test_explore_does_not_stop_again_at_what_was_in_sight_before() -> None:
    scenario = Scenario("#1.............#")
    lay(scenario, 9)
    number = scenario["1"].number
    before = sights(view_of(scenario.level, number))
    scenario.level.move(scenario["1"], 8)
    known = before | sights(view_of(scenario.level, number))
    scenario.level.move(scenario["1"], 1)
    course = begin(view_of(scenario.level, number), Explore(), 1, noticed=known)
    while isinstance(course, Course):
        following = proceed(view_of(scenario.level, number), course)
        if isinstance(following, Ended):
            assert following.reason == "There is nothing left to explore on this level."
            break
        action, course = following
        scenario.turn(("1", action))
    assert scenario["1"].cell >= 8


def test_explore_goes_through_closed_doors() -> None:
    scenario = Scenario("#1..+....+....#")
    assert follow(scenario, Explore())[0] == "There is nothing left to explore on this level."
    assert scenario["1"].cell >= 8
    assert Terrain.DOOR_CLOSED not in scenario.level.terrain


def test_travel_leads_through_a_known_door() -> None:
    scenario = Scenario("#1..+....#")
    knows(scenario)
    assert follow(scenario, Travel(8)) == ("", 8)


def test_plans_go_round_known_traps_and_say_when_there_is_no_other_way() -> None:
    round_it = Scenario(
        """
        #######
        #1.^..#
        #.....#
        #######
        """
    )
    knows(round_it)
    assert follow(round_it, Travel(7 + 5)) == ("", 4)
    assert round_it.level.traps
    over_it = Scenario("#1.^......#")
    knows(over_it)
    refusal = "The only way on leads over a trap: step there by hand."
    assert follow(over_it, Travel(8))[0] == refusal
    over_it.level.memory[over_it["1"].number][9:] = bytes(2)
    assert follow(over_it, Explore())[0] == refusal
    assert over_it.level.traps


def test_a_trap_may_be_where_one_travels_to() -> None:
    scenario = Scenario("#1.^..#")
    knows(scenario)
    assert follow(scenario, Travel(3)) == ("You stop: you are hurt.", 2)
    assert not scenario.level.traps


def test_explore_stops_at_new_stairs() -> None:
    scenario = Scenario("#1.........>...#")
    assert follow(scenario, Explore())[0] == "You found stairs down."


def test_explore_does_not_walk_through_a_foe() -> None:
    scenario = Scenario("#1F........#", F="fungus")
    assert first(scenario, Explore()) == "There is nothing left to explore on this level."


# Travel.


def test_travel_goes_a_shortest_way_and_ends_there() -> None:
    scenario = Scenario(
        """
        #######
        #1.#..#
        ##.#.##
        ##...##
        #######
        """
    )
    knows(scenario)
    goal = 7 + 5
    assert follow(scenario, Travel(goal)) == ("", 4)  # corners are cut
    assert scenario["1"].cell == goal


@pytest.mark.parametrize("cell", [0, 4, 60_000])
def test_travel_knows_no_way_to_rock_or_the_unknown_or_beyond_the_map(cell: int) -> None:
    assert first(Scenario("#1.#.#"), Travel(cell)) == "You know no way there."


def test_travel_goes_only_by_known_ways() -> None:
    scenario = Scenario("#1........#")
    assert first(scenario, Travel(9)) == "You know no way there."
    knows(scenario)
    assert first(scenario, Travel(9)) == Move(*E)


def test_travel_to_where_one_stands_ends_at_once() -> None:
    assert first(Scenario("#1.#"), Travel(1)) == ""


def test_travel_passes_friends_by_changing_places() -> None:
    scenario = Scenario("#12..#")
    assert follow(scenario, Travel(4)) == ("", 3)


def test_travel_is_bounded() -> None:
    scenario = Scenario("#1..#")
    view = view_of(scenario.level, scenario["1"].number)
    course = begin(view, Travel(3), 1)
    assert isinstance(course, Course)
    assert not isinstance(proceed(view, replace(course, steps=STEPS_MAX - 1)), Ended)
    assert proceed(view, replace(course, steps=STEPS_MAX)) == Ended("You stop: that was far enough.")


# Stairs.


def test_stairs_underfoot_are_taken() -> None:
    scenario = Scenario("#1.#")
    scenario.level.dig(1, Terrain.STAIRS_DOWN)
    remember(scenario.level)
    view = view_of(scenario.level, scenario["1"].number)
    assert for_stairs(view, Climb(down=True)) == Climb(down=True)


def test_known_stairs_are_travelled_to_the_nearest_first() -> None:
    scenario = Scenario("#>..1.>#<#")
    view = view_of(scenario.level, scenario["1"].number)
    assert for_stairs(view, Climb(down=True)) == Travel(6)


def test_unknown_stairs_are_left_to_the_servers_refusal() -> None:
    scenario = Scenario("#1.......>#")
    view = view_of(scenario.level, scenario["1"].number)
    assert for_stairs(view, Climb(down=True)) == Climb(down=True)


# Run.


def test_run_goes_straight_on_to_the_wall() -> None:
    scenario = Scenario("#1....#")
    assert follow(scenario, Run(*E)) == ("", 4)
    assert scenario.where("1") == (5, 0)


def test_run_against_a_wall_or_a_body_ends_at_once() -> None:
    assert follow(Scenario("#1#"), Run(*E)) == ("", 0)
    assert follow(Scenario("#1#"), Run(*N)) == ("", 0)
    assert follow(Scenario("#12.#"), Run(*E)) == ("", 0)


# Rest.


def test_who_is_well_does_not_rest() -> None:
    assert first(Scenario("#1#"), Rest()) == "You are already fully rested."


def test_rest_ends_when_one_is_well() -> None:
    scenario = Scenario("#1#")
    scenario["1"].hp = 37

    def heal(_turn: int) -> None:
        scenario["1"].hp += 1

    assert follow(scenario, Rest(), meanwhile=heal) == ("You are fully rested.", 3)


def test_rest_ends_when_it_does_not_help() -> None:
    scenario = Scenario("#1#")
    scenario["1"].hp = 30
    assert follow(scenario, Rest()) == ("Resting does not heal you here.", RESTS_IN_VAIN_MAX)


def test_rg24_who_is_well_is_fully_rested_already() -> None:
    assert rest(Scenario("#1#")) == "You are already fully rested."


@pytest.mark.parametrize(
    ("hunger", "refused"),
    [
        (Hunger.FULL, False),
        (Hunger.NOT_HUNGRY, False),
        (Hunger.HUNGRY, False),
        (Hunger.VERY_HUNGRY, True),
        (Hunger.FAMISHED, True),
        (Hunger.STARVING, True),
    ],
)
def test_rg24_who_is_too_hungry_to_heal_does_not_rest(hunger: Hunger, refused: bool) -> None:
    scenario = Scenario("#1#")
    scenario["1"].hp = 30
    assert rest(scenario, hunger) == ("You are too hungry to rest." if refused else "")
    assert rest(scenario, hunger, "thousandths") == ""


def test_rg23_nobody_rests_while_foes_are_near() -> None:
    scenario = Scenario("#1.S#", S="statue")
    assert rest(scenario) == "You cannot rest while foes are near."


def test_rg23_a_rest_goes_on_while_it_heals_however_slowly_for_400_turns() -> None:
    scenario = Scenario("#1#")
    scenario["1"].hp = 30
    view = view_of(scenario.level, scenario["1"].number)
    course = begin(view, Rest(), 1, regeneration="thousandths")
    for turns in range(1_000):
        assert isinstance(course, Course)
        following = proceed(view, course)
        if isinstance(following, Ended):
            assert (following.reason, turns) == ("You stop: that was far enough.", 400)
            return
        course = following[1]
    raise AssertionError("resting never ended")


def rest(scenario: Scenario, hunger: Hunger = Hunger.NOT_HUNGRY, regeneration: Regeneration = "fed") -> str:
    """Return why a rest cannot begin, "" if it can."""
    view = view_of(scenario.level, scenario["1"].number)
    sheet = list(view.sheet)
    sheet[Fact.HUNGER] = hunger
    begun = begin(mreplace(view, sheet=tuple(sheet)), Rest(), 1, regeneration=regeneration)
    return begun.reason if isinstance(begun, Ended) else ""


def test_rest_is_waiting() -> None:
    scenario = Scenario("#1#")
    scenario["1"].hp = 30
    assert first(scenario, Rest()) == Wait()


# Fight.


def test_fight_strikes_an_enemy_beside_one() -> None:
    scenario = Scenario("#1S#", S="statue")
    assert first(scenario, Fight()) == Move(*E)


def test_fight_goes_towards_the_nearest_enemy() -> None:
    scenario = Scenario("#S....1..T#", S="statue", T="statue")
    assert first(scenario, Fight()) == Move(*E)


def test_fight_is_one_command() -> None:
    scenario = Scenario("#1...S#", S="statue")
    assert follow(scenario, Fight()) == ("", 1)


def test_fight_goes_for_an_enemy_before_what_is_harmless() -> None:
    scenario = Scenario("#F1..S#", S="statue", F="fungus")
    assert first(scenario, Fight()) == Move(*E)


def test_fight_takes_what_is_harmless_when_there_is_no_enemy() -> None:
    scenario = Scenario("#F1...#", F="fungus")
    assert first(scenario, Fight()) == Move(*W)


def test_fight_among_equally_near_enemies_takes_the_weaker() -> None:
    scenario = Scenario("#S1T#", S="statue", T="statue")
    scenario["S"].hp = 5
    assert first(scenario, Fight()) == Move(*W)


def test_fight_needs_somebody_to_fight() -> None:
    assert first(Scenario("#12#"), Fight()) == "There is nobody here to fight."


def test_fight_says_when_there_is_no_way() -> None:
    scenario = Scenario("#1~S#", S="statue")
    assert first(scenario, Fight()) == "You see no way to the statue."


@pytest.mark.parametrize(("hp", "refused"), [(19, True), (20, False), (21, False)])
def test_fight_is_refused_below_half_health(hp: int, refused: bool) -> None:
    scenario = Scenario("#1S#", S="statue")
    scenario["1"].hp = hp
    assert (first(scenario, Fight()) != Move(*E)) is refused


# What stops a plan.

WALKS = [Explore(), Travel(12), Run(*E), Rest()]


@pytest.mark.parametrize("plan", WALKS)
def test_no_plan_begins_while_something_holds_one(plan: Plan) -> None:
    scenario = Scenario("#1...S.......#", S="statue")
    word = type(plan).__name__.lower()
    assert first(scenario, plan) == f"You cannot {word} while foes are near."


@pytest.mark.parametrize("plan", WALKS)
def test_a_new_enemy_ends_a_plan(plan: Plan) -> None:
    scenario = Scenario("#1.............#")
    scenario["1"].hp = 30
    knows(scenario)

    def come(turn: int) -> None:
        if turn == 2:
            ogre = born(scenario.level.campaign.creatures["ogre"], 99)
            scenario.level.add(ogre, scenario["1"].cell + 4, Dice(1, 1, 99))

    if isinstance(plan, Explore):
        scenario.level.memory[scenario["1"].number][10:] = bytes(6)
    assert follow(scenario, plan, meanwhile=come) == ("You stop: an ogre comes into view.", 3)


@pytest.mark.parametrize("plan", WALKS)
def test_being_hurt_ends_a_plan(plan: Plan) -> None:
    scenario = Scenario("#1.............#")
    scenario["1"].hp = 30
    if not isinstance(plan, Explore):
        knows(scenario)

    def hurt(turn: int) -> None:
        if turn == 2:
            scenario["1"].hp -= 1

    assert follow(scenario, plan, meanwhile=hurt) == ("You stop: you are hurt.", 3)


def test_another_level_ends_a_plan_without_a_word() -> None:
    scenario = Scenario("#1.............#")
    view = view_of(scenario.level, scenario["1"].number)
    course = begin(view, Explore(), 1)
    assert isinstance(course, Course)
    assert proceed(view, replace(course, depth=2)) == Ended()


def test_a_harmless_foe_ends_no_plan() -> None:
    scenario = Scenario("#1..........F#", F="fungus")
    knows(scenario)
    assert follow(scenario, Travel(11)) == ("", 10)


def test_a_plan_carries_the_number_of_its_command() -> None:
    scenario = Scenario("#1..#")
    course = begin(view_of(scenario.level, scenario["1"].number), Run(*E), 17)
    assert isinstance(course, Course)
    assert course.number == 17


def test_a_plan_knows_only_the_view() -> None:
    """What lies beyond sight changes no step: the same view, the same plan."""
    one, other = Scenario("#1........S#", S="statue"), Scenario("#1.........#")
    views = [view_of(scenario.level, scenario["1"].number) for scenario in (one, other)]
    steps = []
    for view in views:
        course = begin(view, Explore(), 1)
        assert isinstance(course, Course)
        following = proceed(view, course)
        assert not isinstance(following, Ended)
        steps.append(following[0])
    assert steps[0] == steps[1] == Move(*E)


def test_who_only_goes_to_and_fro_and_learns_nothing_stops() -> None:
    scenario = Scenario("#1....#")
    view = view_of(scenario.level, scenario["1"].number)
    course = begin(view, Travel(5), 1)
    assert isinstance(course, Course)
    here = view.cell
    to_and_fro = replace(course, steps=6, trail=(here, 2, here, 2, here, 2))
    assert proceed(view, to_and_fro) == Ended("You stop: somebody stands in the only way.")
