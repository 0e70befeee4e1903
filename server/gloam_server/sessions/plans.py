"""Plans: explore, travel, run, rest, fight. Pure: (view, course) -> the next command, or why the plan ends.

They know only what the player knows. The session takes a plan's next step whenever a turn of its player is due.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from gloam_server.sessions import ways
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.commands import Action, Climb, Explore, Fight, Move, Plan, Rest, Run, Travel, Wait
from gloam_shared.geometry import Direction, chebyshev, towards
from gloam_shared.narration import HUNGER_WORDS, with_article
from gloam_shared.view import Creature, Fact, Hunger, Mark, View

STEPS_MAX: Final = 400
RESTS_IN_VAIN_MAX: Final = 10
_TRAIL: Final = 8
_TO_AND_FRO: Final = (
    2  # visits to one cell on that trail: who bars the way is seen from one cell and not from the next
)
_DOWN: Final = frozenset({Terrain.STAIRS_DOWN, Terrain.HOLE})
_UP: Final = frozenset({Terrain.STAIRS_UP, Terrain.EXIT})
_WORTH_STOPPING: Final = {
    Terrain.STAIRS_DOWN: "stairs down",
    Terrain.STAIRS_UP: "stairs up",
    Terrain.HOLE: "a great dark hole",
    Terrain.EXIT: "the way out",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """The plan is over; `reason` is one sentence for the player, or "" when it simply reached its end."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """A plan under way: since when, and what was known when it last looked."""

    plan: Plan
    number: int
    hp: int
    depth: int
    sights: frozenset[tuple[int, str]]
    hunger: int = 0
    steps: int = 0
    rests_in_vain: int = 0
    trail: tuple[int, ...] = ()
    unknown: int = 0


Next: TypeAlias = tuple[Action, Course] | Ended


def begin(view: View, plan: Plan, number: int) -> Course | Ended:
    """Return the course of a new plan, or why it cannot begin."""
    held_by = _holder(view)
    if held_by is not None and not isinstance(plan, Fight):
        word = {Explore: "explore", Travel: "travel", Run: "run", Rest: "rest"}[type(plan)]
        return Ended(f"You cannot {word} while foes are near: the {held_by.name} is watching you.")
    if isinstance(plan, Rest) and view.fact(Fact.HP) >= view.fact(Fact.HP_MAX):
        return Ended("You are already fully rested.")
    if isinstance(plan, Fight) and view.fact(Fact.HP) * 2 < view.fact(Fact.HP_MAX):
        return Ended("You are too badly hurt to fight without thinking; move, or strike by hand.")
    return Course(plan, number, view.fact(Fact.HP), view.place.depth, _sights(view), view.fact(Fact.HUNGER))


def proceed(view: View, course: Course) -> Next:
    """Return the next command of a plan with its course from there, or why it ends."""
    stopped = _interruption(view, course)
    if stopped is not None:
        return stopped
    action = _next_action(view, course)
    if isinstance(action, Ended):
        return action
    in_vain = course.rests_in_vain + 1 if view.fact(Fact.HP) <= course.hp else 0
    unknown = view.terrain.count(Terrain.UNKNOWN)
    moved_on = replace(
        course,
        hp=view.fact(Fact.HP),
        sights=course.sights | _sights(view),
        steps=course.steps + 1,
        rests_in_vain=in_vain,
        trail=(*(course.trail if unknown == course.unknown else ()), view.cell)[-_TRAIL:],
        unknown=unknown,
    )
    return action, moved_on


def for_stairs(view: View, command: Climb) -> Action | Travel:
    """Return what `>` or `<` means here: the stairs underfoot, else the way to the nearest known ones."""
    wanted = _DOWN if command.down else _UP
    if view.terrain[view.cell] in wanted:
        return command
    known = ways.nearest(view, ways.terrain(view, wanted))
    return command if known is None else Travel(known)


def _interruption(view: View, course: Course) -> Ended | None:
    if isinstance(course.plan, Fight):
        return Ended() if course.steps else None
    holder = _holder(view)
    if holder is not None:
        return Ended(f"You stop: {with_article(holder.name)} comes into view.")
    if view.fact(Fact.HP) < course.hp:
        return Ended("You stop: you are hurt.")
    if view.fact(Fact.HUNGER) != course.hunger:
        return Ended(f"You stop: you are {HUNGER_WORDS[Hunger(view.fact(Fact.HUNGER))].lower()}.")
    if view.place.depth != course.depth:
        return Ended()
    if course.steps >= STEPS_MAX:
        return Ended("You stop: that was far enough.")
    if isinstance(course.plan, Explore | Travel) and course.trail.count(view.cell) >= _TO_AND_FRO:
        return Ended("You stop: somebody stands in the only way.")
    if isinstance(course.plan, Explore | Run) and course.steps:
        found = sorted(word for _, word in _sights(view) - course.sights)
        if found:
            return Ended(f"You found {found[0]}.")
    return None


def _next_action(view: View, course: Course) -> Action | Ended:
    match course.plan:
        case Explore():
            return _explore(view)
        case Travel(cell):
            return _travel(view, cell)
        case Run(dx, dy):
            return _run(view, (dx, dy))
        case Rest():
            return _rest(view, course)
        case Fight():
            return _fight(view)
        case _:
            assert_never(course.plan)


def _explore(view: View) -> Action | Ended:
    way = ways.first_step(view, ways.frontier(view))
    return Ended("There is nothing left to explore on this level.") if way is None else way


def _travel(view: View, cell: int) -> Action | Ended:
    if cell == view.cell:
        return Ended()
    if cell >= len(view.terrain) or view.terrain[cell] not in ways.PASSABLE:
        return Ended("You know no way there.")
    way = ways.first_step(view, 1 << cell)
    return Ended("You know no way there.") if way is None else way


def _run(view: View, direction: Direction) -> Action | Ended:
    ahead = view.step(direction)
    if ahead is None or view.terrain[ahead] not in WALKABLE or view.at(ahead) is not None:
        return Ended()
    return Move(*direction)


def _rest(view: View, course: Course) -> Action | Ended:
    if view.fact(Fact.HP) >= view.fact(Fact.HP_MAX):
        return Ended("You are fully rested.")
    if course.rests_in_vain >= RESTS_IN_VAIN_MAX:
        return Ended("Resting does not heal you here.")
    return Wait()


def _fight(view: View) -> Action | Ended:
    foes = [foe for foe in view.creatures if foe.marks & Mark.HOSTILE]
    if not foes:
        return Ended("There is nobody here to fight.")
    width = view.place.width
    foe = min(
        foes,
        key=lambda each: (  # an enemy in sight holds; what is harmless or asleep comes after
            not each.marks & Mark.HOLDS_YOU,
            chebyshev(view.cell, each.cell, width),
            each.hp,
            each.handle,
        ),
    )
    if chebyshev(view.cell, foe.cell, width) == 1:
        return Move(*towards(view.cell, foe.cell, width))
    way = ways.first_step(view, 1 << foe.cell, through=foe.cell)
    return Ended(f"You see no way to the {foe.name}.") if way is None else way


def _holder(view: View) -> Creature | None:
    return next((creature for creature in view.creatures if creature.marks & Mark.HOLDS_YOU), None)


def _sights(view: View) -> frozenset[tuple[int, str]]:
    """Return what is worth stopping for: things and stairs, by where they are."""
    things = {(item.cell, with_article(item.name)) for item in view.items}
    stairs = {
        (cell, word) for terrain, word in _WORTH_STOPPING.items() for cell in _cells(view.terrain, terrain)
    }
    return frozenset(things | stairs)


def _cells(terrain: bytes, kind: int) -> Iterator[int]:
    cell = terrain.find(kind)
    while cell >= 0:
        yield cell
        cell = terrain.find(kind, cell + 1)
