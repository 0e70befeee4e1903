"""Going to a friend: next to one in sight, or to the last seen or pinged place, or by known stairs to their depth."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Final

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.lettered_list import answer_list_key, list_hints, with_own_letters
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.map.duel_requests import players_in_sight
from gloam_client.screens.map.exploration import climb_down
from gloam_client.state import client_effects
from gloam_client.state.map.friend_locations import LastSeen
from gloam_client.state.map.landmarks import WAYS_DOWN, downed_apart, known_landmarks, where
from gloam_client.state.map.reachability import first_step_to, reaches, steps_to, surface_in_way
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.state.players.joining_friends import ask_to_join, can_go_at_once, has_just_asked
from gloam_client.terminal.canvas import Canvas
from gloam_client.terminal.own_cache import newest
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.bitboard import bits_of, cells_where, neighbor_bits
from gloam_shared.level_numbers import round_of_level
from gloam_shared.narration.rendering import capital, depth_text, list_names
from gloam_shared.protocol.commands import Climb, Move, Travel
from gloam_shared.protocol.messages.parties import MemberMark
from gloam_shared.text import clean
from gloam_shared.view.downed import turns_down
from gloam_shared.view.view import View

_STANDING: Final = WALKABLE - {Terrain.TRAP}
"""Terrain that may be a goal: a trap may not, because a plan steps on its goal."""
_STAIRS_UP: Final = frozenset({Terrain.STAIRS_UP})
_LIST: Final = "friend"
_ALONE: Final = "No other player is alive in the dungeon; wait until one comes."


@dataclass(frozen=True, slots=True)
class Friends:
    """The list of friends at the time of opening; it shows their present distance."""

    names: tuple[str, ...]
    marked: int = 0
    state: str = "pick"

    def on_key(self, model: Model, key: str) -> Update:
        """Go to a friend by letter or mark, or close."""
        return answer_list_key(
            model,
            key,
            self,
            self.names,
            self.marked,
            lambda at: self._take(model, at),
            lambda at: replace(self, marked=at),
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list with its letters."""
        width = max(map(len, self.names))
        lines = with_own_letters(
            f"{clean(name):{width}}  {_describe_way(model, name)}" for name in self.names
        )
        draw_window(canvas, model, "Go to which friend?", lines, self.marked)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        return list_hints(model, self, self.names, "go there")

    def _take(self, model: Model, at: int) -> Update:
        led = travel_towards(model, self.names[at])
        # A question before the stairs replaces the list.
        change = Replace(led.change.screen) if isinstance(led.change, Push) else Pop()
        return Update(change, (*led.intents, client_effects.RememberChoice(_LIST, self.names[at])))


def go_to_friend(model: Model) -> Update:
    """Return the command that leads to the only friend, the list of several, or a message."""
    if not model.in_dungeon:
        return early_notice()
    names = _names(model)
    if not names:
        return message(_absent_friends(model))
    if len(names) == 1:
        return travel_towards(model, names[0])
    downed = downed_apart(model)
    last = model.memory.choices.get(_LIST, "") if downed is None else downed.name
    return Update(Push(Friends(names, names.index(last) if last in names else 0)))


def _absent_friends(model: Model) -> str:
    """Return why there is no friend to go to: connected members of the party are dead, or no player is there."""
    others = model.company.party.others(model.name)
    dead = [one.name for one in others if one.marks & MemberMark.DEAD and not one.marks & MemberMark.CUT_OFF]
    if not dead:
        return _ALONE
    return f"{list_names(dead)} {'is' if len(dead) == 1 else 'are'} dead; wait until a new life of theirs begins."


def leads_to_friend(model: Model) -> bool:
    """Return whether some way leads to a friend; a request that the server has just refused is none.

    The bottom line asks in each frame; it is searched for once a view.
    """
    asked = (
        model.turn,
        model.login.life,
        model.memory.choices,
        model.connection.state,
        model.world.abilities,
        model.name,
    )
    inputs = (model.view, model.company.party, model.memory.whereabouts, asked)
    return newest(leads_to_friend, inputs, lambda: _leads_to_any(model))


def leads_to_downed(model: Model) -> bool:
    """Return whether a known way leads to a friend on this level who is down."""
    friend = downed_apart(model)
    return friend is not None and _leads(travel_towards(model, friend.name))


def _leads_to_any(model: Model) -> bool:
    """Search for a way: one search serves all friends in sight, and ends at the nearest free cell."""
    near = {one.name: one.cell for one in players_in_sight(model)}
    if near and reaches(model.view, _beside_any(model.view, near.values()), past_friends=True):
        return True
    ways = (travel_towards(model, name) for name in _names(model) if name not in near)
    return any(_leads(way) and not (_asks(way) and has_just_asked(model)) for way in ways)


def _beside_any(view: View, cells: Iterable[int]) -> int:
    """Return the free cells beside those cells among `cells` that are not beside the player, as a set of bits."""
    grid = view.place.grid
    friends = bits_of(cell for cell in cells if grid.distance(view.cell, cell) > 1)
    taken = bits_of(one.cell for one in view.creatures)
    return neighbor_bits(friends, grid) & cells_where(view.terrain, _STANDING) & ~taken


def _asks(reaction: Update) -> bool:
    return any(isinstance(intent, client_effects.SendMessage) for intent in reaction.intents)


def travel_towards(model: Model, name: str) -> Update:
    """Return the command that leads as near to a friend as known ways permit, or what would find a way.

    To a friend who is down it is a single step where foes threaten: these refuse any travel.
    """
    way = _travel_towards(model, name)
    is_down = any(friend.name == name and turns_down(friend.marks) for friend in model.friends)
    if not (is_down and model.threatened):
        return way
    return way._replace(intents=tuple([_single_step(model.view, intent) for intent in way.intents]))


def _single_step(view: View, intent: client_effects.ClientEffect) -> client_effects.ClientEffect:
    """Return the first step of a travel command; any other intent as it is."""
    if not (isinstance(intent, client_effects.SendCommand) and isinstance(intent.command, Travel)):
        return intent
    step = first_step_to(view, intent.command.cell)
    if step is None:
        return intent
    (x, y), (to_x, to_y) = map(view.place.grid.point, (view.cell, step))
    return client_effects.SendCommand(Move(to_x - x, to_y - y, digs=False))


def _travel_towards(model: Model, name: str) -> Update:
    for one in players_in_sight(model):
        if one.name == name:
            return _beside(model, one.cell, clean(name), in_sight=True)
    here = model.view.place.depth
    friend = next((friend for friend in model.friends if friend.name == name), None)
    if friend is None:
        return message(f"{clean(name)} is no longer in the dungeon; wait until they come back.")
    if can_go_at_once(model, friend):
        # After a refusal stairs that are known go first: where none lead on, the server is asked again.
        by_stairs = _by_stairs(model, clean(name), friend.depth) if has_just_asked(model) else None
        if by_stairs is None or not _leads(by_stairs):
            return Update(intents=ask_to_join(model, friend))
        return by_stairs
    depth = friend.depth
    if depth == here:
        cell = _shared_cell(model, name)
        if cell is not None:
            return _beside(model, cell, f"where {clean(name)} is")
        trace = _trace(model, name)
        return _beside(model, trace.cell, _last_place(name, trace)) if trace else _unknown(model, name)
    return _by_stairs(model, clean(name), depth)


def _names(model: Model) -> tuple[str, ...]:
    """Return the friends with a known depth, sorted by name, as many as there are letters."""
    names = {friend.name for friend in model.friends} | {one.name for one in players_in_sight(model)}
    return tuple(sorted(names))[: len(ascii_lowercase)]


def _depth(model: Model, name: str) -> int | None:
    return next((friend.depth for friend in model.friends if friend.name == name), None)


def _shared_cell(model: Model, name: str) -> int | None:
    """Return the cell of a member of the party on this level, if they share it and the player knows the place."""
    member, view = model.company.party.member(name), model.view
    if member is None or member.depth != view.place.depth or not 0 <= member.cell < len(view.terrain):
        return None
    return member.cell


def _trace(model: Model, name: str) -> LastSeen | None:
    """Return a friend's last known cell on this level; None without a known one."""
    trace = model.memory.whereabouts.get(name)
    view = model.view
    if trace is None or trace.depth != view.place.depth or trace.cell >= len(view.terrain):
        return None
    return trace


def _last_place(name: str, trace: LastSeen) -> str:
    return f"where {clean(name)} {'called' if trace.called else 'was seen last'}"


def _beside(model: Model, goal: int, what: str, *, in_sight: bool = False) -> Update:
    """Return the travel command to a free cell next to a goal; without a known way, nearer to one that is out of sight."""
    view, place = model.view, model.view.place
    if place.grid.distance(view.cell, goal) <= 1:
        return message(f"You are beside {what}.", "note")
    steps = steps_to(view)
    free = [
        cell
        for cell in place.grid.neighbors(goal)
        if view.terrain[cell] in _STANDING and view.at(cell) is None
    ]
    reached = [cell for cell in free if cell in steps]
    if not reached and not in_sight:
        return _nearer(model, goal, what)
    if not free:
        return message(f"There is no room beside {what}; wait until there is.")
    if not reached and (surface := surface_in_way(view, bits_of(free))):
        return message(f"{capital(clean(surface))} lies in the way to {what}: wait, or step through by hand.")
    if not reached:
        return _no_way(model, f"You know of no way to {what}")
    nearest = min(reached, key=lambda cell: (steps[cell], cell))
    return _said(command_effect(model, Travel(nearest)), f"To {what}, {where(view, goal)[:-1]}.")


def _nearer(model: Model, goal: int, what: str) -> Update:
    """Return the travel command to the known cell nearest to a goal to which no way is known."""
    view, distance = model.view, model.view.place.grid.distance
    steps = steps_to(view)
    nearest = min(
        (cell for cell in steps if view.terrain[cell] in _STANDING and view.at(cell) is None),
        key=lambda cell: (distance(cell, goal), steps[cell], cell),
        default=view.cell,
    )
    if distance(nearest, goal) >= distance(view.cell, goal):
        return _no_way(model, f"You know of no way to {what}")
    return _said(command_effect(model, Travel(nearest)), f"Nearer to {what}, {where(view, goal)[:-1]}.")


def _by_stairs(model: Model, name: str, depth: int) -> Update:
    """Return the climb towards a depth if the player is on the stairs, else the way to known ones."""
    view, here = model.view, model.view.place.depth
    there = f"depth {depth_text(depth)}"
    if round_of_level(depth) != round_of_level(here):
        return message(
            f"{name} is on {there}, in another round; no stairs lead there, but words do: press : to speak."
        )
    down = depth > here
    way = _nearest(model, WAYS_DOWN if down else _STAIRS_UP)
    if way is None:
        return _no_way(model, f"You know of no stairs {'down' if down else 'up'} to {name} on {there}")
    if way == view.cell:
        climb = climb_down(model) if down else command_effect(model, Climb(down=False))
        return _said(climb, f"To {name} on {there}, {'down' if down else 'up'} these stairs.")
    return _said(
        command_effect(model, Travel(way)), f"To {name} on {there}, by the stairs {where(view, way)[:-1]}."
    )


def _nearest(model: Model, kinds: frozenset[Terrain]) -> int | None:
    """Return the nearest known, reachable cell of these kinds."""
    cells = known_landmarks(model, kinds)
    if not cells:
        return None
    steps = steps_to(model.view)
    return min((cell for cell in cells if cell in steps), key=lambda cell: (steps[cell], cell), default=None)


def _unknown(model: Model, name: str) -> Update:
    return _no_way(model, f"{clean(name)} is on this level, but you do not know where")


def _no_way(model: Model, why: str) -> Update:
    """Return a message why nothing leads to a friend, and what would find a way."""
    explore, call = (keymap.key_for(model.options.keys, "play", intent) for intent in ("explore", "call"))
    return message(f"{why}: {explore} explores, or ask for a ping ({call}).")


def _describe_way(model: Model, name: str) -> str:
    """Return the second part of a friend's line: the depth and the distance."""
    view = model.view
    for one in players_in_sight(model):
        if one.name == name:
            return f"depth {depth_text(view.place.depth)}, {where(view, one.cell)[:-1]}"
    depth = _depth(model, name)
    if depth is None:
        return "gone"
    there = f"depth {depth_text(depth)}"
    if depth != view.place.depth:
        friend = next(friend for friend in model.friends if friend.name == name)
        if can_go_at_once(model, friend):
            return f"{there}, at once while your life is new"
        known_way = "by known stairs" if _leads(travel_towards(model, name)) else "no way known"
        return f"{there}, {known_way}"
    cell = _shared_cell(model, name)
    if cell is not None:
        return f"{there}, {where(view, cell)[:-1]}"
    trace = _trace(model, name)
    if trace is None:
        return f"{there}, not seen yet"
    return f"{there}, {'called' if trace.called else 'seen last'} {where(view, trace.cell)[:-1]}"


def _leads(reaction: Update) -> bool:
    return reaction.change is not None or any(
        isinstance(intent, client_effects.SendCommand | client_effects.SendMessage)
        for intent in reaction.intents
    )


def _said(reaction: Update, text: str) -> Update:
    """Return a reaction with a message about its effect first.

    One without effect already has its own message.
    """
    if not _leads(reaction):
        return reaction
    messages: tuple[client_effects.ClientEffect, ...] = (client_effects.ShowMessage(text, "note"),)
    return reaction._replace(intents=(*messages, *reaction.intents))
