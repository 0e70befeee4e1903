"""Plans: explore, travel, run, rest, fight. Pure: (view, course) -> the next command, or why the plan ends.

They know only what the player knows. The session takes a plan's next step whenever a turn of its player is due.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from gloam_server.autopilot import assessment, landmarks, pathfinding, running
from gloam_server.autopilot.fighting import is_too_hurt_to_fight, next_blow
from gloam_server.autopilot.landmarks import PointOfInterest
from gloam_server.content.campaign_schema import Damage, Regeneration
from gloam_shared.appearance import Terrain
from gloam_shared.bitboard import bits_of, cells_of
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.protocol import commands
from gloam_shared.protocol.codes import ReasonCode
from gloam_shared.view.danger import spreading_beside
from gloam_shared.view.surfaces import DEVICES, avoided_cells, surface_at
from gloam_shared.view.view import Creature, CreatureFlag, Hunger, ItemFlag, Stat, View

STEPS_MAX: Final = 400
RUN_MAX: Final = 200
RESTS_IN_VAIN_MAX: Final = 10
MANA_IN_VAIN_MAX: Final = 100
"""The number of turns without a gain of mana after which resting ends."""
_WORTH: Final = int(ItemFlag.WORTH)
_NO_ROOM: Final = int(ItemFlag.NO_ROOM)
_TOO_HUNGRY: Final = (Hunger.VERY_HUNGRY, Hunger.FAMISHED, Hunger.STARVING)
_TRAIL: Final = 8
_TO_AND_FRO: Final = 2
"""Visits to one cell on that trail, because an obstacle may be seen from one cell and not from the next."""
_DOWN: Final = frozenset({Terrain.STAIRS_DOWN, Terrain.HOLE})
_UP: Final = frozenset({Terrain.STAIRS_UP, Terrain.EXIT})
_NO_WAY: Final = "You do not know a way there."


@dataclass(frozen=True, slots=True)
class PlanEnded:
    """The plan is over; `text` is one sentence for the player, or "" when it simply reached its end.

    `reason` is why, for programs.
    """

    text: str = ""
    reason: ReasonCode = "ended"


@dataclass(frozen=True, slots=True)
class RunningPlan:
    """A plan under way: its start, and what was known at the last look.

    `sights` are the things and stairs that its player has ever had in sight, as (depth, cell, words). `heals` says whether
    resting heals the player, `gait` how a run continues. `damage` is the campaign's formula, by which foes are judged.
    `states` are the states of the body that the plan began with: what they cost does not end it. `wanted` are the cells
    where exploring goes to pick things up; `warned` says that the turns without food were counted before it; `barrier` is
    the sentence about who last blocked the way, `barred` the cells out of sight where such creatures were seen: without
    them the plan would turn back and forth. `foes` are the handles of the foes in view at the last look, `hunters` the
    handles of foes that have hunted the player. It `gave_way` if its last action was a wait for a friend in the only way.
    `mapped` are the cells known from a map alone.
    """

    plan: commands.Plan
    number: int
    hp: int
    depth: int
    sights: frozenset[PointOfInterest]
    warned: bool = False
    heals: bool = False
    gait: running.RunMode = ""
    steps: int = 0
    rests_in_vain: int = 0
    trail: tuple[int, ...] = ()
    unknown: int = 0
    damage: Damage = "excess"
    states: frozenset[str] = frozenset()
    mana: int = 0
    wanted: frozenset[int] = frozenset()
    barrier: str = ""
    barred: int = 0
    foes: frozenset[int] = frozenset()
    hunters: frozenset[int] = frozenset()
    gave_way: bool = False
    mapped: int = 0


Next: TypeAlias = tuple[commands.ActionCommand, RunningPlan] | PlanEnded


def begin_plan(
    view: View,
    plan: commands.Plan,
    number: int,
    *,
    regeneration: Regeneration = "none",
    damage: Damage = "excess",
    noticed: AbstractSet[PointOfInterest] = frozenset(),
) -> RunningPlan | PlanEnded:
    """Return the course of a new plan, or why it cannot begin (rules RG.23, RG.24).

    `regeneration` is the rule by which the player's body heals, `damage` the rule of blows, `noticed` the things that
    the player had in sight before. Foes that cannot take half of the player's health do not prevent it.
    """
    threat = assessment.threat_of(view, damage)
    if threat is not None and not isinstance(plan, commands.Fight):
        return PlanEnded(
            f"You cannot {type(plan).__name__.lower()} while foes are near. {assessment.reason_of(threat, view, damage)}",
            "foes_near",
        )
    if _starves_above_food(view, plan):
        return _eat_first(plan)
    if isinstance(plan, commands.Rest):
        if assessment.is_well(view) and assessment.has_all_mana(view):
            return PlanEnded("You are already fully rested.", "rested")
        too_hungry = view.fact(Stat.HUNGER) in _TOO_HUNGRY and assessment.meal(view) is None
        if not assessment.is_well(view) and regeneration == "fed" and too_hungry:
            return PlanEnded("You are too hungry to rest.", "too_hungry")
    if isinstance(plan, commands.Fight) and threat is not None and is_too_hurt_to_fight(view, damage):
        return PlanEnded(
            "You are too badly hurt to fight automatically; step away, or walk into the foe.", "hurt"
        )
    return RunningPlan(
        plan,
        number,
        view.fact(Stat.HP),
        view.place.depth,
        landmarks.points_of_interest(view) | noticed,
        view.fact(Stat.FOOD_TURNS) > 0,
        heals=regeneration != "none",
        damage=damage,
        states=frozenset(state.word for state in view.states),
        mana=view.fact(Stat.MANA),
        wanted=frozenset(plan.cells) if isinstance(plan, commands.Explore) else frozenset(),
        foes=assessment.foes_in(view),
        hunters=assessment.hunters_in(view),
    )


def continue_plan(view: View, course: RunningPlan, mapped: bytes = b"") -> Next:
    """Return the next command of a plan with its course from there, or why it ends.

    `mapped` has one byte for each cell, 1 if the player knows it from a map alone.
    """
    stopped = _interruption(view, course)
    if stopped is not None:
        return stopped
    course = replace(course, mapped=pathfinding.cells_with(mapped, frozenset({1})))
    barrier = _barrier(view, course)
    course = replace(course, wanted=_wanted(view, course), barred=_barred(view, course, barrier))
    following = _run(view, course) if isinstance(course.plan, commands.Run) else _next_action(view, course)
    if isinstance(following, PlanEnded):
        bars = barrier and following.reason in ("explored", "no_way")
        return replace(following, text=barrier, reason="blocked") if bars else following
    action, course = following if isinstance(following, tuple) else (following, course)
    friend = _friend_ahead(view, action) if isinstance(action, commands.Move) else None
    gives_way = friend is not None and not course.gave_way
    goal = course.plan.cell if isinstance(course.plan, commands.Travel) else -1
    if friend is not None and not gives_way and friend.cell == goal:  # two at one goal would swap for ever
        return PlanEnded(f"{friend.name} stands there: walk into {friend.name} to change places.", "blocked")
    gained = view.fact(Stat.HP) > course.hp or view.fact(Stat.MANA) > course.mana
    unknown = view.terrain.count(Terrain.UNKNOWN) + course.mapped.bit_count()
    moved_on = replace(
        course,
        hp=view.fact(Stat.HP),
        mana=view.fact(Stat.MANA),
        sights=course.sights | landmarks.points_of_interest(view),
        steps=course.steps + 1,
        rests_in_vain=0 if gained else course.rests_in_vain + 1,
        trail=(*(course.trail if unknown == course.unknown else ()), *(() if gives_way else (view.cell,)))[
            -_TRAIL:
        ],
        unknown=unknown,
        barrier=barrier or (course.barrier if unknown == course.unknown else ""),
        foes=assessment.foes_in(view),
        hunters=course.hunters | assessment.hunters_in(view),
        gave_way=gives_way,
    )
    return commands.Wait() if gives_way else action, moved_on


def _friend_ahead(view: View, step: commands.Move) -> Creature | None:
    """Return the friend ahead, who may be about to go on: to change places would turn that friend back."""
    ahead = view.step((step.dx, step.dy))
    friend = None if ahead is None else view.at(ahead)
    return friend if friend is not None and friend.marks & CreatureFlag.PLAYER else None


def plan_for_stairs(view: View, command: commands.Climb) -> commands.ActionCommand | commands.Travel:
    """Return the meaning of `>` or `<` here: the stairs underfoot, else the way to the nearest known ones."""
    wanted = _DOWN if command.down else _UP
    if view.terrain[view.cell] in wanted:
        return command
    known = pathfinding.nearest(view, pathfinding.terrain(view, wanted))
    return command if known is None else commands.Travel(known, command.pick_up)


def taking(view: View, damage: Damage) -> commands.PickUp | None:
    """Return the command to pick up what is worth it underfoot; None without any, or near a dangerous foe."""
    here = assessment.worth_here(view)
    return None if here is None or assessment.threat_of(view, damage) is not None else here


def _interruption(view: View, course: RunningPlan) -> PlanEnded | None:
    if isinstance(course.plan, commands.Fight):
        return PlanEnded() if course.steps else None
    hunter = assessment.new_hunter(view, course.damage, course.hunters)
    if hunter is not None:
        return PlanEnded(assessment.stop_reason(hunter, seen=hunter.handle in course.foes), "foe")
    threat = assessment.threat_of(view, course.damage)
    if threat is not None:
        return PlanEnded(f"You stop. {assessment.reason_of(threat, view, course.damage)}", "foe")
    if view.fact(Stat.HP) < course.hp and not _is_expected(view, course):
        return PlanEnded(f"You stop: {assessment.harm_in(view)}.", "hurt")
    if (left := view.fact(Stat.FOOD_TURNS)) and not course.warned:
        return PlanEnded(f"You stop: without food you live {left} turns longer.", "hunger")
    if view.place.depth != course.depth:
        return PlanEnded()
    if isinstance(course.plan, commands.Rest) and (beside := spreading_beside(view)):
        return PlanEnded(f"You cannot rest beside {beside}.", "hurt")
    if _starves_above_food(view, course.plan):
        return _eat_first(course.plan)
    if course.steps >= (RUN_MAX if isinstance(course.plan, commands.Run) else STEPS_MAX):
        return PlanEnded("You stop: that was far enough.", "far")
    if (
        isinstance(course.plan, commands.Explore | commands.Travel)
        and course.trail.count(view.cell) >= _TO_AND_FRO
    ):
        return PlanEnded(course.barrier or "You stop: the only way is blocked.", "blocked")
    if isinstance(course.plan, commands.Explore) and course.steps:
        fresh = landmarks.stairs_in(view) if course.plan.pick_up else landmarks.points_of_interest(view)
        found = sorted(word for *_, word in fresh - course.sights)
        if found:
            return PlanEnded(f"You found {found[0]}.", "found")
    return None


def _next_action(view: View, course: RunningPlan) -> commands.ActionCommand | PlanEnded:
    assert not isinstance(course.plan, commands.Run)
    match course.plan:
        case commands.Explore(pick_up):
            item = assessment.meal(view) or (_pick_up(view, course) if pick_up else None)
            explored = PlanEnded(landmarks.explored_words(view), "explored")
            return item or _go(view, _unexplored_targets(view, course), explored, course.barred)
        case commands.Travel(cell, pick_up):
            here = assessment.worth_here(view) if pick_up and course.steps else None
            return here or _travel(view, cell, course.barred)
        case commands.Rest():
            return assessment.meal(view) or _rest(view, course)
        case commands.Fight():
            return _fight(view, course.damage)
        case _:
            assert_never(course.plan)


def _pick_up(view: View, course: RunningPlan) -> commands.ActionCommand | None:
    """Return the next step to the nearest thing that is worth picking up; underfoot, the picking up."""
    cells = 0
    for cell in course.wanted:
        cells |= 1 << cell
    return assessment.worth_here(view) or (
        pathfinding.first_step(view, cells, over_traps=False) if cells else None
    )


def _wanted(view: View, course: RunningPlan) -> frozenset[int]:
    """Return the cells of items worth picking up: in view, or remembered out of sight."""
    lying = {item.cell for item in view.items if item.traits & (_WORTH | _NO_ROOM) == _WORTH}
    recalled = {
        cell
        for cell in course.wanted
        if cell < len(view.sight) and cell != view.cell and not view.sight[cell] & 1
    }
    return frozenset(lying | recalled)


def _unexplored_targets(view: View, course: RunningPlan) -> int:
    unseen = course.mapped & pathfinding.terrain(view, pathfinding.PASSABLE)
    edge = (pathfinding.frontier(view) | unseen) & ~pathfinding.terrain(view, frozenset({Terrain.TRAP}))
    return edge & ~avoided_cells(view.surface_looks, view.surfaces)


def _barred(view: View, course: RunningPlan, barrier: str) -> int:
    others = [each.cell for each in view.creatures if not each.marks & CreatureFlag.PLAYER] if barrier else []
    return bits_of([*others, *(cell for cell in cells_of(course.barred) if not view.sight[cell] & 1)])


def _barrier(view: View, course: RunningPlan) -> str:
    match course.plan:
        case commands.Explore():
            goals = _unexplored_targets(view, course)
        case commands.Travel(cell):
            goals = 1 << cell
        case _:
            goals = 0
    return pathfinding.barrier(view, goals) if goals else ""


def _travel(view: View, cell: int, barred: int) -> commands.ActionCommand | PlanEnded:
    if cell == view.cell:
        return PlanEnded()
    no_way = PlanEnded(_NO_WAY, "no_way")
    if cell >= len(view.terrain):
        return no_way
    if view.terrain[cell] not in pathfinding.PASSABLE:
        return _go_beside(view, cell, barred)
    return _go(view, 1 << cell, no_way, barred)


def _go_beside(view: View, cell: int, barred: int) -> commands.ActionCommand | PlanEnded:
    """Return the first step of the way to a cell beside a device in a wall, such as a lever."""
    look = surface_at(view.surface_looks, view.surfaces, cell)
    no_way = PlanEnded(_NO_WAY, "no_way")
    if look is None or not look.marks & DEVICES:
        return no_way
    beside = view.place.grid.neighbors(cell, view.place.directions)
    if view.cell in beside:
        return PlanEnded(f"You are beside {with_definite_article(look.name)}: walk into it to use it.")
    return _go(view, bits_of(beside), no_way, barred)


def _go(view: View, goals: int, no_way: PlanEnded, barred: int = 0) -> commands.ActionCommand | PlanEnded:
    """Return the first step of the way to the nearest goal; a plan stops before a trap, unless the trap is its goal."""
    for around in dict.fromkeys((barred, 0)):
        way = pathfinding.first_step(view, goals, over_traps=False, barred=around)
        if way is not None:
            return way
    found = landmarks.step_up_to_avoided(view, goals)
    if not isinstance(found, str):
        return found
    return PlanEnded(f"The only way on leads {found}: step there by hand.", "trap") if found else no_way


def _run(view: View, course: RunningPlan) -> tuple[commands.ActionCommand, RunningPlan] | PlanEnded:
    """Return the next step of a run, which turns with its corridor; a runner that did not move stops."""
    assert isinstance(course.plan, commands.Run)
    here = assessment.worth_here(view) if course.plan.pick_up and course.steps else None
    if here is not None:
        return here, course
    if course.steps and course.trail[-1:] == (view.cell,):
        return PlanEnded()
    stride = running.continue_run(view, running.RunStep((course.plan.dx, course.plan.dy), course.gait))
    if isinstance(stride, str):
        return PlanEnded(stride, "found" if stride else "ended")
    heading = commands.Run(*stride.heading, course.plan.pick_up)
    return commands.Move(*stride.heading), replace(course, plan=heading, gait=stride.gait)


def _rest(view: View, course: RunningPlan) -> commands.ActionCommand | PlanEnded:
    if assessment.is_well(view) and assessment.has_all_mana(view):
        return PlanEnded("You are fully rested.", "rested")
    if assessment.is_well(view) and course.rests_in_vain >= MANA_IN_VAIN_MAX:
        return PlanEnded("You are healthy, and resting brings no mana back here.", "no_mana")
    if not assessment.is_well(view) and not course.heals and course.rests_in_vain >= RESTS_IN_VAIN_MAX:
        return PlanEnded("Resting does not heal you here.", "no_healing")
    return commands.Wait()


def _fight(view: View, damage: Damage) -> commands.ActionCommand | PlanEnded:
    blow = next_blow(view, damage)
    if not isinstance(blow, str):
        return blow
    hostile = any(each.marks & CreatureFlag.HOSTILE for each in view.creatures)
    return PlanEnded(blow, "no_way" if hostile else "no_foe")


def _is_expected(view: View, course: RunningPlan) -> bool:
    """Return whether a loss of health is expected: by a status effect that the plan began with, and by no foe.

    It ends the plan of a badly hurt player all the same, a rest only below a quarter of the health: nothing else helps.
    """
    least = 4 if isinstance(course.plan, commands.Rest) else 2
    if view.fact(Stat.HP) * least < view.fact(Stat.HP_MAX) or assessment.in_reach(view):
        return False
    return bool(course.states & {state.word for state in view.states})


def lacks_food(view: View, plan: commands.Plan | commands.Climb) -> bool:
    """Return whether a starving player without food begins a plan that they would not begin with food."""
    starves = view.fact(Stat.HUNGER) == Hunger.STARVING
    return starves and isinstance(plan, commands.Explore | commands.Rest) and not assessment.has_food(view)


def _starves_above_food(view: View, plan: commands.Plan) -> bool:
    """Return whether a starving player without a meal would leave the food underfoot where it lies."""
    starves = view.fact(Stat.HUNGER) == Hunger.STARVING
    takes = isinstance(plan, commands.Explore) and plan.pick_up and assessment.worth_here(view) is not None
    return (
        starves
        and isinstance(plan, commands.Explore | commands.Rest)
        and not assessment.carries_food(view)
        and assessment.has_food(view)
        and not takes
    )


def _eat_first(plan: commands.Plan) -> PlanEnded:
    word = plan.__class__.__name__.lower()
    return PlanEnded(f"You are starving: pick up the food here and eat it before you {word}.", "hungry")
