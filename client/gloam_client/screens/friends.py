"""Going to a friend: to the nearest cell beside one in sight, or beside where one called, else towards another's depth."""

from typing import Final

from gloam_client import keymap
from gloam_client.intents import Note, Order
from gloam_client.model import CallHeard, Model, Reaction
from gloam_client.screens.descending import descending
from gloam_client.screens.duels import players_in_sight
from gloam_client.screens.exploring import leads_to, nearest
from gloam_client.screens.orders import note, order
from gloam_client.screens.pointing import WAYS_DOWN, WAYS_UP, nearest_first
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.commands import Climb, Travel
from gloam_shared.geometry import chebyshev, neighbours
from gloam_shared.narration import depth_told
from gloam_shared.text import clean

_STANDING: Final = WALKABLE - {Terrain.TRAP}
"""Where one may be led to stand: a plan treads on a trap that is its goal."""
_LEADS: Final = frozenset({"come", "danger"})
"""The calls that one may want to follow."""


def going(model: Model) -> Reaction:
    """Return what leads to a friend, or why nothing does."""
    view = model.view
    width = view.place.width
    seen = players_in_sight(model)
    if seen:
        nearest = min(seen, key=lambda one: (chebyshev(view.cell, one.cell, width), one.handle))
        return _to(model, nearest.cell, clean(nearest.name))
    friends = sorted(model.friends, key=lambda friend: abs(friend.depth - view.place.depth))
    if not friends:
        return note("Nobody else is in the dungeon.")
    friend = friends[0]
    call = _newest_call(model)
    if call and friend.depth == view.place.depth:
        return _to(model, call.cell, f"where {clean(call.name)} called")
    if friend.depth == view.place.depth:
        explore = keymap.key_for(model.options.keys, "play", "explore")
        return note(f"{friend.name} is on this level, but out of your sight; {explore} explores.")
    told = Note(f"{friend.name} is on depth {depth_told(friend.depth)}.", "note")
    below = friend.depth > view.place.depth
    climb = descending(model) if below else order(model, Climb(down=False))
    return climb._replace(intents=(told, *climb.intents))


def leads_to_friend(model: Model) -> bool:
    """Return whether there is anything to order that leads to a friend."""
    reaction = going(model)
    for intent in reaction.intents:
        if isinstance(intent, Order) and isinstance(intent.command, Climb):
            return nearest(model.view, WAYS_DOWN if intent.command.down else WAYS_UP) is not None
        if isinstance(intent, Order) and isinstance(intent.command, Travel):
            return leads_to(model.view, intent.command.cell)
    return reaction.change is not None or any(isinstance(intent, Order) for intent in reaction.intents)


def _newest_call(model: Model) -> CallHeard | None:
    """Return the newest call of another for a cell of this level that is known and still marked."""
    return next((call for call in reversed(model.marked) if _leads(model, call)), None)


def _leads(model: Model, call: CallHeard) -> bool:
    known = model.view.terrain[call.cell] != Terrain.UNKNOWN
    return call.name != model.name and call.word in _LEADS and known


def _to(model: Model, goal: int, what: str) -> Reaction:
    view, place = model.view, model.view.place
    if chebyshev(view.cell, goal, place.width) <= 1:
        return note(f"You are beside {what}.", "note")
    free = [
        cell
        for cell in neighbours(goal, place.width, place.height)
        if view.terrain[cell] in _STANDING and view.at(cell) is None
    ]
    if not free:
        return note(f"There is no room beside {what}.")
    return order(model, Travel(nearest_first(model, free)[0]))
