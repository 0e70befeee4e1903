"""Plans: what keeps them from beginning, what ends them, and what they know."""

from dataclasses import replace

import pytest
from msgspec import structs

from gloam_server.autopilot.plans import PlanEnded, RunningPlan, begin_plan, continue_plan
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import new_creature
from gloam_shared.protocol.commands import Explore, Move, Plan, Rest, Run, Travel, Wait
from gloam_shared.view.danger import could_take_half
from gloam_shared.view.view import CreatureFlag, StatusEffect
from support.bots.plan_runs import first, follow, knows
from support.scenarios.scenario import E, Scenario

WALKS = [Explore(), Travel(12), Run(*E), Rest()]


@pytest.mark.parametrize("plan", WALKS)
def test_no_plan_begins_while_something_holds_one(plan: Plan) -> None:
    scenario = Scenario("#1...S.......#", S="statue")
    word = type(plan).__name__.lower()
    assert first(scenario, plan) == f"You cannot {word} while foes are near. A statue is deadly."


@pytest.mark.parametrize("plan", WALKS)
def test_a_new_enemy_ends_a_plan(plan: Plan) -> None:
    scenario = Scenario("#1.............#")
    scenario.set_health("1", hp=30)
    knows(scenario)

    def come(turn: int) -> None:
        if turn == 2:
            ogre = new_creature(scenario.level.campaign.creatures["ogre"], 99)
            scenario.level.add(ogre, scenario["1"].cell + 4, Dice(1, 1, 99))

    if isinstance(plan, Explore):
        scenario.level.memory[scenario["1"].number][10:] = bytes(6)
    assert follow(scenario, plan, meanwhile=come) == ("An ogre comes into view.", 3)


def test_foe_becomes_danger() -> None:
    """A foe that becomes a danger while in view did not enter view."""
    scenario = Scenario("#1.....R#", R="rat")
    scenario.set_health("1", hp=30)
    knows(scenario)

    def weaken(turn: int) -> None:
        if turn == 2:
            scenario["1"].hp = 1

    assert follow(scenario, Travel(4), meanwhile=weaken)[0] == "You stop. A rat is dangerous."


@pytest.mark.parametrize("plan", WALKS)
def test_being_hurt_ends_a_plan(plan: Plan) -> None:
    scenario = Scenario("#1.............#")
    scenario.set_health("1", hp=30)
    if not isinstance(plan, Explore):
        knows(scenario)

    def hurt(turn: int) -> None:
        if turn == 2:
            scenario["1"].hp -= 1

    assert follow(scenario, plan, meanwhile=hurt) == ("You stop: you are hurt.", 3)


def test_another_level_ends_a_plan_without_a_word() -> None:
    scenario = Scenario("#1.............#")
    view = scenario.view()
    course = begin_plan(view, Explore(), 1)
    assert isinstance(course, RunningPlan)
    assert continue_plan(view, replace(course, depth=2)) == PlanEnded()


@pytest.mark.parametrize("plan", WALKS)
def test_a_weak_new_enemy_ends_a_plan_once(plan: Plan) -> None:
    """Its first sight is the time to shoot or to cast; the next plan goes on beside it."""
    scenario = Scenario("#..1...........#")
    scenario.set_health("1", hp=38)
    knows(scenario)

    def come(turn: int) -> None:
        if turn == 2:
            rat = new_creature(scenario.level.campaign.creatures["rat"], 99)
            rat.hp = 1
            scenario.level.add(rat, scenario["1"].cell - 1, Dice(1, 1, 99))

    if isinstance(plan, Explore):
        scenario.level.memory[scenario["1"].number][10:] = bytes(6)
    assert follow(scenario, plan, meanwhile=come) == ("A rat comes into view.", 3)
    course = begin_plan(scenario.view(), plan, 2)
    assert isinstance(course, RunningPlan)
    assert not isinstance(continue_plan(scenario.view(), course), PlanEnded)


def test_a_foe_in_view_that_wakes_ends_a_plan() -> None:
    scenario = Scenario("#1......R.#", R="rat")
    scenario.put_to_sleep("R", 50)
    knows(scenario)

    def wake(turn: int) -> None:
        if turn == 2:
            scenario.put_to_sleep("R", 0)

    assert follow(scenario, Travel(6), meanwhile=wake) == ("A rat has noticed you.", 3)


def test_a_harmless_foe_ends_no_plan() -> None:
    scenario = Scenario("#1..........F#", F="fungus")
    knows(scenario)
    assert follow(scenario, Travel(11)) == ("", 10)


def test_a_plan_carries_the_number_of_its_command() -> None:
    scenario = Scenario("#1..#")
    course = begin_plan(scenario.view(), Run(*E), 17)
    assert isinstance(course, RunningPlan)
    assert course.number == 17


def test_a_plan_knows_only_the_view() -> None:
    """The parts of a level beyond sight change no step: the same view, the same plan."""
    one, other = Scenario("#1........S#", S="statue"), Scenario("#1.........#")
    views = [scenario.view() for scenario in (one, other)]
    steps = []
    for view in views:
        course = begin_plan(view, Explore(), 1)
        assert isinstance(course, RunningPlan)
        following = continue_plan(view, course)
        assert not isinstance(following, PlanEnded)
        steps.append(following[0])
    assert steps[0] == steps[1] == Move(*E)


def test_goes_and_fro_and_learns_nothing_stops() -> None:
    """A player who only goes to and fro and learns nothing stops."""
    scenario = Scenario("#1....#")
    view = scenario.view()
    course = begin_plan(view, Travel(5), 1)
    assert isinstance(course, RunningPlan)
    here = view.cell
    to_and_fro = replace(course, steps=6, trail=(here, 2, here, 2, here, 2))
    assert continue_plan(view, to_and_fro) == PlanEnded("You stop: the only way is blocked.", "blocked")


BARS = "A fungus bars the only way: walk into it to fight."


def test_bars_way_named_helps() -> None:
    """A creature that bars the only way is named with what helps."""
    scenario = Scenario("#1.F.....#", F="fungus")
    scenario.level.memory[scenario["1"].number][:6] = scenario.level.terrain[:6]
    for plan in (Explore(), Travel(5)):
        reason, steps = follow(scenario, plan)
        assert (reason, steps) == (BARS, 0)


def test_two_in_one_corridor_are_named_by_the_nearest() -> None:
    """Neither alone opens the way, so the plan went to and fro before them and named no cause."""
    scenario = Scenario("#1.FG....#", F="fungus", G="fungus")
    scenario.level.memory[scenario["1"].number][:7] = scenario.level.terrain[:7]
    for plan in (Explore(), Travel(6)):
        assert follow(scenario, plan) == (BARS, 0)


def test_bars_way_named_sight() -> None:
    """A creature that bars the way is named from where it is out of sight too."""
    scenario = Scenario("#1.F.....#", F="fungus")
    scenario.level.memory[scenario["1"].number][:] = scenario.level.terrain
    view = scenario.view()
    course = begin_plan(view, Travel(5), 1)
    assert isinstance(course, RunningPlan)
    here = view.cell
    unseen = structs.replace(view, creatures=tuple(one for one in view.creatures if one.cell == here))
    to_and_fro = replace(course, steps=6, trail=(here, 2, here), barrier=BARS)
    assert continue_plan(unseen, to_and_fro) == PlanEnded(BARS, "blocked")


def test_a_foe_out_of_sight_still_bars_its_cell() -> None:
    """A plan that went around a foe does not turn back where the foe is out of sight."""
    scenario = Scenario(
        """
        ########
        #1F...##
        #.####.#
        #......#
        ########
        """,
        F="fungus",
    )
    scenario.level.memory[scenario["1"].number][:] = scenario.level.terrain
    fungus, goal = scenario["F"].cell, scenario["F"].cell + 3
    course = begin_plan(scenario.view(), Travel(goal), 1)
    assert isinstance(course, RunningPlan)
    for _ in range(2):
        view = scenario.view()
        sight = bytearray(view.sight)
        if view.place.grid.distance(view.cell, fungus) > 1 or course.steps:
            sight[fungus] = 0
            own = tuple(one for one in view.creatures if one.cell == view.cell)
            view = structs.replace(view, creatures=own, sight=bytes(sight))
        following = continue_plan(view, course)
        assert not isinstance(following, PlanEnded)
        action, course = following
        scenario.turn(("1", action))
    assert scenario["1"].cell // scenario.width == 3


def test_a_captive_in_the_only_way_is_named() -> None:
    """It is no foe, and stands in the way like one."""
    scenario = Scenario("#1.F...#", F="fungus")
    knows(scenario)
    scenario["F"].bond = "captive"
    course = begin_plan(scenario.view(), Travel(5), 1)
    assert isinstance(course, RunningPlan)
    assert continue_plan(scenario.view(), course) == PlanEnded("A fungus stands in the only way.", "blocked")


def test_lengthens_way_remembered() -> None:
    """A creature that lengthens the way is remembered while nothing new is learned."""
    scenario = Scenario(
        """
        ########
        #1F...##
        #.####.#
        #......#
        ########
        """,
        F="fungus",
    )
    knows(scenario)
    course = begin_plan(scenario.view(), Travel(12), 1)
    assert isinstance(course, RunningPlan)
    following = continue_plan(scenario.view(), course)
    assert not isinstance(following, PlanEnded)
    assert following[1].barrier == BARS


def test_a_friend_who_stays_in_the_only_way_is_named() -> None:
    scenario = Scenario("#1 2....#".replace(" ", "."))
    course = begin_plan(scenario.view(), Travel(6), 1)
    assert isinstance(course, RunningPlan)
    following = continue_plan(scenario.view(), course)
    assert not isinstance(following, PlanEnded)
    here = scenario.view().cell
    to_and_fro = replace(following[1], steps=6, trail=(here, 2, here))
    assert continue_plan(scenario.view(), to_and_fro) == PlanEnded(
        "Player2 stands in the only way.", "blocked"
    )


def test_friends_at_one_goal_do_not_swap_for_ever() -> None:
    """Two who traveled to the same stairs in turns changed places in each turn."""
    scenario = Scenario("#.12....#")
    course = begin_plan(scenario.view(), Travel(3), 1)
    assert isinstance(course, RunningPlan)
    following = continue_plan(scenario.view(), course)
    assert not isinstance(following, PlanEnded)
    assert isinstance(following[0], Wait)
    assert continue_plan(scenario.view(), following[1]) == PlanEnded(
        "Player2 stands there: walk into Player2 to change places.", "blocked"
    )


WEAK = "#1.R...........#"
"""A rat that a player kills in a blow or two, and that needs many."""


def beside_a_weak_foe() -> Scenario:
    scenario = Scenario(WEAK, R="rat")
    scenario.set_health("R", hp=1)
    return scenario


@pytest.mark.parametrize("plan", WALKS)
def test_cannot_take_half_health_bars_no_plan(plan: Plan) -> None:
    """A foe that cannot take half of one's health bars no plan."""
    scenario = beside_a_weak_foe()
    scenario.set_health("1", hp=35)
    knows(scenario)
    if isinstance(plan, Explore):
        scenario.level.memory[scenario["1"].number][10:] = bytes(6)
    assert (
        scenario.view().creatures[-1].marks & CreatureFlag.HOLDS_YOU
        or scenario.view().creatures[0].marks & CreatureFlag.HOLDS_YOU
    )
    assert isinstance(begin_plan(scenario.view(), plan, 1), RunningPlan)


def with_a_rat_behind() -> Scenario:
    scenario = Scenario("#R1............#", R="rat")
    scenario.set_health("R", hp=1)
    scenario.set_health("1", hp=35)
    knows(scenario)
    return scenario


def test_a_bite_ends_a_plan_and_names_the_foe() -> None:
    """A weak foe bars no plan, but its first bite ends it; the next plan begins, and ends at the next bite."""
    scenario = with_a_rat_behind()
    for hp in (34, 20):
        course = begin_plan(scenario.view(), Travel(12), 1)
        assert isinstance(course, RunningPlan)
        assert not isinstance(continue_plan(scenario.view(), course), PlanEnded)
        scenario.set_health("1", hp=hp)
        assert continue_plan(scenario.view(), course) == PlanEnded("You stop: the rat hurts you.", "hurt")


def test_foes_that_may_have_bitten_are_named_together() -> None:
    """The plan does not claim to know which of two foes took the health, nor blames one out of reach."""
    for row, by in (
        ("#QR1........#", "the rat hurts you"),
        ("#.R1Q.......#", "your foes hurt you"),
        ("#.R1R.......#", "your foes hurt you"),
        ("#.1.Q.......#", "you are hurt"),
    ):
        scenario = Scenario(row, R="rat", Q="kobold")
        knows(scenario)
        for name in set(row) & {"R", "Q"}:
            scenario.set_health(name, hp=1)
        scenario.set_health("1", hp=35)
        course = begin_plan(scenario.view(), Travel(11), 1)
        assert isinstance(course, RunningPlan)
        scenario.set_health("1", hp=34)
        assert continue_plan(scenario.view(), course) == PlanEnded(f"You stop: {by}.", "hurt"), row


def test_a_bite_is_no_older_poison() -> None:
    """A loss is taken for an older status effect's only where no foe can have caused it."""
    scenario = with_a_rat_behind()
    poisoned = (StatusEffect("poisoned"),)
    course = begin_plan(structs.replace(scenario.view(), states=poisoned), Travel(12), 1)
    assert isinstance(course, RunningPlan)
    scenario.set_health("1", hp=34)
    hurt = structs.replace(scenario.view(), states=poisoned)
    assert continue_plan(hurt, course) == PlanEnded("You stop: the rat hurts you.", "hurt")
    alone = structs.replace(hurt, creatures=tuple(one for one in hurt.creatures if one.cell == hurt.cell))
    assert not isinstance(continue_plan(alone, course), PlanEnded)


def test_state_hurts_ends_plan_once_and_not_next() -> None:
    """A state that hurts ends a plan once and not the next one."""
    scenario = Scenario("#1.............#")
    knows(scenario)
    scenario.set_health("1", hp=35)
    view = scenario.view()
    poisoned = structs.replace(view, states=(StatusEffect("poisoned"),))
    unaware, aware = begin_plan(view, Rest(), 1), begin_plan(poisoned, Rest(), 2)
    assert isinstance(unaware, RunningPlan)
    assert isinstance(aware, RunningPlan)
    scenario.set_health("1", hp=34)
    hurt = structs.replace(scenario.view(), states=(StatusEffect("poisoned"),))
    assert continue_plan(hurt, unaware) == PlanEnded("You stop: you are hurt.", "hurt")
    assert not isinstance(continue_plan(hurt, aware), PlanEnded)


@pytest.mark.parametrize(("hp", "rests"), [(10, True), (9, False)])
def test_a_rest_goes_on_under_poison(hp: int, rests: bool) -> None:
    """A badly hurt player who rests cannot do better: each tick of a known poison ended the rest. A quarter is the limit."""
    scenario = Scenario("#1.............#")
    poisoned = (StatusEffect("poisoned"),)
    scenario.set_health("1", hp=15)
    course = begin_plan(structs.replace(scenario.view(), states=poisoned), Rest(), 1)
    assert isinstance(course, RunningPlan)
    scenario.set_health("1", hp=hp)
    following = continue_plan(structs.replace(scenario.view(), states=poisoned), course)
    assert isinstance(following, PlanEnded) is not rests


def test_two_foes_weak_alone_bar_plan_together() -> None:
    """Two foes that are weak alone bar a plan together."""
    scenario = Scenario("#1.R.Q.........#", R="rat", Q="rat")
    for letter in "RQ":
        scenario.set_health(letter, hp=15)
    alone = scenario.view()
    foes = [each for each in alone.creatures if each.marks & CreatureFlag.HOLDS_YOU]
    assert not could_take_half(foes[:1], alone, "excess")
    assert could_take_half(foes * 4, alone, "excess")


def test_foes_none_alone_threat_together() -> None:
    """Foes of who none alone is a threat are one together."""
    scenario = Scenario("#1..abcd....#", a="kobold", b="kobold", c="kobold", d="kobold")
    scenario.set_health("1", hp=20)
    assert first(scenario, Explore()) == (
        "You cannot explore while foes are near. Together, these foes may take half of your health."
    )
