"""The line that says what to do next: three small goals of a first life, then a next step to the campaign's goal. Pure."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.map.landmarks import WAYS_DOWN
from gloam_client.state.model import Model, add_message
from gloam_shared.event_kinds import EventKind
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.text import clean
from gloam_shared.view.view import ItemFlag, MagicEffect, Stat, View

_USES: Final[frozenset[EventKind]] = frozenset(
    {"quaffs", "reads", "zaps", "casts", "eats", "wields", "wears", "puts_on"}
)
"""The events of a player who uses something that they have."""
_PRIZE: Final = int(ItemFlag.PRIZE)  # a flag itself is slow to compare, and this is done in every frame
_LEARN: Final = int(MagicEffect.LEARN)
_READABLE: Final = int(ItemFlag.READABLE)
_DEPTH: Final = re.compile(r"\bdepth (\d{1,3})\b")
"""The depth that a campaign's goal names."""
_MARK: Final = 5
"""The number of depths between two marks to reach."""
_ANY: Final = "Go deeper, and come to know this dungeon"
"""The goal where the server names none."""


class SmallGoal(NamedTuple):
    """A goal of the first minutes: its word in the file of hints, what to do, what is done, and when it is."""

    word: str
    text: str
    done: str
    reached: Callable[[View], bool]


def _knows_way_down(view: View) -> bool:
    return view.place.depth > 1 or any(way in view.terrain for way in WAYS_DOWN)


def _has_killed(view: View) -> bool:
    return view.fact(Stat.KILLS) > 0


def _has_used(view: View) -> bool:
    return any(line.kind in _USES and line.subject == "you" for line in view.log.lines)


SMALL_GOALS: Final = (
    SmallGoal("goal-stairs", "find stairs down; {explore} explores", "you know stairs down", _knows_way_down),
    SmallGoal("goal-fight", "win a fight; {fight} fights what is near", "you have won a fight", _has_killed),
    SmallGoal(
        "goal-use", "use something you carry; {inventory} lists it", "you have used an item", _has_used
    ),
)
"""The small goals, in the order in which they are named."""


def goal_line(model: Model) -> str:
    """Return what to do next in one line; "" before there is a level, and after a life."""
    if not model.in_dungeon or model.dead:
        return ""
    prize = next((item for item in model.view.inventory if item.traits & _PRIZE), None)
    if prize is not None:
        name = with_definite_article(clean(prize.name))
        if prize.traits & ItemFlag.USABLE:
            return with_keys(model, "Goal: use {name}; {use} uses it", name=name)
        return f"Goal: bring {name} out by the way you came in"
    for number, goal in enumerate(SMALL_GOALS, 1) if _has_small_goals(model) else ():
        if goal.word not in (model.guidance.advice or ()):
            return with_keys(model, f"Goal {number} of {len(SMALL_GOALS)}: {goal.text}")
    last = model.guidance.guide.goal or _ANY
    step = next_step_to(last, model)
    return f"Goal: {step}; at last: {last[:1].lower()}{last[1:]}" if step else f"Goal: {last}"


def next_step_to(last: str, model: Model) -> str:
    """Return a goal within reach on the way to the campaign's goal; "" where that goal itself is next."""
    view = model.view
    if view.choices:
        return with_keys(model, "choose what your level brings ({choose})")
    book = next((item for item in view.inventory if item.effect == _LEARN and item.traits & _READABLE), None)
    if book is not None:
        return with_keys(model, "read {name} ({read})", name=with_definite_article(clean(book.name)))
    if wanted := nearest_wanted(model):
        return wanted
    named = _DEPTH.search(last)
    depth, end = view.place.depth, int(named[1]) if named else 0
    if depth < end:
        return f"reach depth {min(depth - depth % _MARK + _MARK, end)}" if depth > 1 else "reach depth 2"
    return f"reach level {view.fact(Stat.LEVEL) + 1}" if not named else ""


def nearest_wanted(model: Model) -> str:
    """Return the hunt for the nearest named creature that was seen on this depth or the next below; "" without one."""
    told, depth = model.records.chronicle, model.view.place.depth
    near = [one for one in (told.wanted if told is not None else ()) if depth <= one.depth <= depth + 1]
    if not near:
        return ""
    one = min(near, key=lambda one: one.depth)
    return f"slay {clean(one.name)}, last known on depth {one.depth}"


def with_goals(model: Model) -> Model:
    """Return the model with the small goals noted that the newest view shows as reached, each with a line in the log."""
    if not model.in_dungeon or not _has_small_goals(model) or model.dead:
        return model
    for number, goal in enumerate(SMALL_GOALS, 1):
        given = model.guidance.advice or frozenset()
        if goal.word in given or not goal.reached(model.view):
            continue
        model = replace(model, guidance=replace(model.guidance, advice=given | {goal.word}))
        text = f"Goal {number} of {len(SMALL_GOALS)} reached: {goal.done}."
        model = add_message(model, text, "good")
    return model


def _has_small_goals(model: Model) -> bool:
    """Return whether this is a player who gets hints."""
    return model.guidance.advice is not None and model.options.hints == "on"
