"""Company: friends explore a level each on their own, help the hurt, and go down together after their leader. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots.bot_memory import UNHURT, BotMemory
from gloam_lab.bots.combat_estimate import friends_of, own_health
from gloam_lab.bots.in_sight import in_sight
from gloam_server.autopilot import pathfinding
from gloam_shared.protocol.commands import AnyCommand, Wait
from gloam_shared.view.view import Friend, View

_NEAR: Final = 2
_STRAY_CELLS: Final = 5
"""The distance from which a friend of a party of two has fallen behind; each further friend in the file adds a cell."""

_WAITS_MAX: Final = 60
_RESCUES_MAX: Final = 200
"""The limits of waits for friends, and of steps to friends in need, on one level."""

_LESSONS: Final = 1_000
_LESSONS_MAX: Final = 250
"""The limits of decisions for weaker friends on one level, for a whole party and for each bot: all of them need food."""


def leader(view: View, memory: BotMemory) -> Friend | None:
    """Return the friend that the bot follows, the first by name; None if the bot is the first itself, or alone."""
    first = memory.roster_of(view.party).first
    return None if first is None or first.name == in_sight(view.creatures).own_name else first


def follow(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps to the leader, or to the place where the bot last saw the leader."""
    first = leader(view, memory)
    if first is None or first.depth != view.place.depth or _is_near(view, first, _NEAR):
        return
    at = memory.friends_at.get(first.name)
    if at is not None:
        yield from _to(view, at)


def tend(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield a wait for a hurt friend on this level, if the bot is the leader. Such waits are limited on each level."""
    if (
        view.party
        and leader(view, memory) is None
        and memory.waited < _WAITS_MAX
        and _is_one_hurt(view, memory)
    ):
        memory.waited += 1
        yield Wait()


def rescue(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps to the last seen place of the friend with the least health, who may be fighting alone."""
    hurt = _hurt_here(view, memory, UNHURT)
    if not hurt or own_health(view) < 50 or memory.rescues >= _RESCUES_MAX:
        return
    worst = min(hurt, key=lambda friend: (friend.condition, friend.name))
    if worst.name in memory.friends_at and not _is_near(view, worst, _NEAR):
        memory.rescues += 1
        yield from _to(view, memory.friends_at[worst.name])


def still_learns(view: View, memory: BotMemory) -> bool:
    """Return whether the bot leads a friend who is too weak for the next level and can still gain experience on this one."""
    if not view.party or leader(view, memory) is not None:
        return False
    depth, spent = view.place.depth, memory.decisions - memory.arrived
    if spent > min(_LESSONS_MAX, _LESSONS // len(view.party)):
        return False
    return any(friend.depth == depth and friend.level <= depth for friend in view.party)


def waits(view: View, memory: BotMemory) -> bool:
    """Return whether the bot stays on its level for its friends: a follower for its leader, the leader for all others."""
    if memory.waited >= _WAITS_MAX or not view.party:
        return False
    first = leader(view, memory)
    if first is not None:
        return first.depth == view.place.depth
    return _is_one_hurt(view, memory) or bool(_missing(view))


def _hurt_here(view: View, memory: BotMemory, below: int) -> list[Friend]:
    """Return the friends on this level with less health than `below` quarters. Of a large party few are hurt."""
    own, depth = in_sight(view.creatures).own_name, view.place.depth
    return [
        each
        for each in memory.roster_of(view.party).hurt
        if each.condition < below and each.depth == depth and each.name != own
    ]


def _is_one_hurt(view: View, memory: BotMemory) -> bool:
    """Return whether a friend on this level has lost half of their health."""
    return bool(_hurt_here(view, memory, 3))


def _missing(view: View) -> list[Friend]:
    """Return the friends who are not close by, on this level or above, the worst hurt first."""
    own, depth, cells = in_sight(view.creatures).own_name, view.place.depth, _stray_cells(view)
    missing = [
        friend
        for friend in view.party
        if friend.name != own and friend.depth <= depth and not _is_near(view, friend, cells)
    ]
    return sorted(missing, key=lambda friend: (friend.condition, friend.name))


def _stray_cells(view: View) -> int:
    return _STRAY_CELLS + max(0, len(view.party) - 2)


def _is_near(view: View, friend: Friend, cells: int) -> bool:
    return any(
        other.name == friend.name and view.place.grid.distance(view.cell, other.cell) <= cells
        for other in friends_of(view)
    )


def _to(view: View, cell: int) -> Iterator[AnyCommand]:
    way = pathfinding.first_step(view, 1 << cell, through=cell)
    if way is not None:
        yield way
