"""Company: friends keep together, help the hurt and the downed, flank, wait for who rests, and go down together. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import flags
from gloam_lab.bots.bot_memory import UNHURT, BotMemory
from gloam_lab.bots.combat_estimate import friends_of, health, own_health
from gloam_lab.bots.in_sight import in_sight
from gloam_lab.bots.item_knowledge import ItemUse, classify_item
from gloam_server.autopilot import pathfinding
from gloam_shared import bitboard
from gloam_shared.protocol.commands import AnyCommand, Cast, Drag, Wait
from gloam_shared.view.view import Creature, Friend, Stat, View

_NEAR: Final = 2
_STRAY_CELLS: Final = 10
"""The distance from which a friend of a party of two has fallen behind: about the width of a room. Each further friend in the
file adds a cell."""

_WAITS_MAX: Final = 60
"""The limit of waits for friends since all were last together and well, or since the bot reached the level."""

_CALLS: Final = 10
"""The waits after which a leader goes back to where it saw a friend last."""

_CHASE_CELLS: Final = 8
"""The distance from the leader up to which a follower of a party of two goes after a foe."""

_RESCUES_MAX: Final = 200
"""The limit of steps to friends in need on one level."""

_LIFT_CELLS: Final = 9
_LIFT_HEALTH: Final = 30
"""The distance up to which a bot goes to a downed friend, and the health in percent from which it does."""

_RESCUE_HEALTH: Final = 50
_WELL: Final = 60
_HURT: Final = 40
"""Health in percent: from which a bot goes to help, or changes places with a friend, and below which a friend is badly hurt."""
_STEPS_TO_CAPTIVE: Final = 40
"""The most steps to a captive."""

_NOT_CAPTIVE: Final = flags.PLAYER | flags.SELF | flags.HOSTILE | flags.ALLY

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
    if first is None or first.depth != view.place.depth or _is_near(view, first, _file_cells(view, _NEAR)):
        return
    at = memory.friends_at.get(first.name)
    if at is not None:
        yield from _to(view, at)


def reach(view: View, memory: BotMemory) -> int | None:
    """Return the cells near the leader's last seen place, where a follower explores and fetches items.

    None for a bot that leads, is alone, or does not know where on this level its leader is: it goes where it likes.
    """
    first = leader(view, memory)
    at = None if first is None or first.depth != view.place.depth else memory.friends_at.get(first.name)
    if at is None:
        return None
    ground = pathfinding.terrain(view, pathfinding.PASSABLE)
    rings = bitboard.rings(at, ground, view.place.grid, orthogonal=view.place.orthogonal)
    near = 0
    for _, ring in zip(range(_file_cells(view, _STRAY_CELLS)), rings, strict=False):
        near |= ring
    return near


def gather(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield the waits of a leader for friends who have fallen behind, and steps back to where the bot saw them last."""
    if not view.party or leader(view, memory) is not None or memory.waited >= _WAITS_MAX:
        return
    missing = _missing(view)
    calls = memory.waited < _CALLS
    seen = [friend.name for friend in missing if friend.depth == view.place.depth]
    if not calls:
        for name in seen:
            if name in memory.friends_at:
                memory.waited += 1
                yield from _to(view, memory.friends_at[name])
    if missing and (calls or len(seen) < len(missing)):
        memory.waited += 1
        yield Wait()


def may_chase(view: View, memory: BotMemory, foe: Creature) -> bool:
    """Return whether a foe is worth steps after it: no follower leaves its leader for one that keeps away."""
    first = leader(view, memory)
    if first is None or first.depth < view.place.depth:
        return True
    if first.depth > view.place.depth:
        return False
    at = memory.friends_at.get(first.name)
    return at is None or view.place.grid.distance(at, foe.cell) <= _file_cells(view, _CHASE_CELLS)


def tend(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield a wait for a hurt friend nearby, who rests; alone for a hurt companion in sight. Such waits are limited."""
    if memory.waited < _WAITS_MAX and (_is_one_hurt(view, memory) if view.party else _companion_needs(view)):
        memory.waited += 1
        yield Wait()


def _companion_needs(view: View) -> bool:
    """Return whether a creature on the bot's side has lost much of its health: its wounds close with time, too."""
    return any(each.marks & flags.ALLY and health(each) < _WELL for each in view.creatures)


def note_company(view: View, memory: BotMemory) -> None:
    """Begin to count waits again if all friends on this level are near and well."""
    if not memory.waited:
        return
    together = (
        not _is_one_hurt(view, memory) and not _missing(view) if view.party else not _companion_needs(view)
    )
    if together:
        memory.waited = 0


def is_ahead(view: View, memory: BotMemory) -> bool:
    """Return whether the bot has gone deeper than its leader."""
    first = leader(view, memory)
    return first is not None and first.depth < view.place.depth


def free_captive(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps to and against a peaceful creature in sight that may be a captive, once for each on a level."""
    for creature in view.creatures:
        steps = memory.chased.get(creature.handle, 0)
        if creature.marks & _NOT_CAPTIVE or steps >= _STEPS_TO_CAPTIVE:
            continue
        way = pathfinding.first_step(view, 1 << creature.cell, through=creature.cell)
        if way is not None:
            beside = view.place.grid.distance(view.cell, creature.cell) == 1
            memory.chased[creature.handle] = _STEPS_TO_CAPTIVE if beside else steps + 1
            yield way


def rescue(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps to the last seen place of the friend with the least health, who may be fighting alone."""
    hurt = _hurt_here(view, memory, UNHURT)
    if not hurt or own_health(view) < _RESCUE_HEALTH or memory.rescues >= _RESCUES_MAX:
        return
    worst = min(hurt, key=lambda friend: (friend.condition, friend.name))
    if worst.name in memory.friends_at and not _is_near(view, worst, 1):
        memory.rescues += 1
        yield from _to(view, memory.friends_at[worst.name])


def lift(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield help for a downed friend nearby: a spell, a potion, a step towards them, or a step that drags them away."""
    grid, own = view.place.grid, view.cell
    downed = [friend for friend in friends_of(view) if friend.marks & flags.DOWN]
    if not downed:
        for far in view.party:
            if far.marks & flags.DOWN and far.depth == view.place.depth and far.name in memory.friends_at:
                yield from _to(view, memory.friends_at[far.name])
        return
    friend = min(downed, key=lambda each: (grid.distance(own, each.cell), each.handle))
    for spell in view.spells:
        if (
            classify_item(spell) is ItemUse.HEAL
            and spell.target != "self"
            and spell.cost <= view.fact(Stat.MANA)
        ):
            yield Cast(spell.key, friend.cell)
    if grid.distance(own, friend.cell) > 1:
        if own_health(view) >= _LIFT_HEALTH and grid.distance(own, friend.cell) <= _LIFT_CELLS:
            yield from _to(view, friend.cell)
        return
    lift = pathfinding.one_step(view, friend.cell)
    if lift is not None:
        yield lift
    foes = [one.cell for one in view.creatures if one.marks & flags.HOSTILE]
    for way in view.place.directions:
        cell = view.step(way)
        if foes and cell is not None and min(grid.distance(cell, foe) for foe in foes) > 1:
            yield Drag(friend.handle, *way)


def flank(view: View, foe: Creature) -> Iterator[AnyCommand]:
    """Yield a step to the cell on the other side of a foe from a friend beside it, if that is near."""
    grid = view.place.grid
    for friend in friends_of(view):
        if friend.marks & flags.DOWN or grid.distance(friend.cell, foe.cell) != 1:
            continue
        cell = grid.step(foe.cell, *grid.towards(friend.cell, foe.cell))
        if cell is not None and 0 < grid.distance(view.cell, cell) <= _NEAR and view.at(cell) is None:
            way = pathfinding.first_step(view, 1 << cell, through=cell)
            if way is not None:
                yield way


def relieve(view: View, foes: list[Creature]) -> Iterator[AnyCommand]:
    """Yield the change of places with a badly hurt friend, if the bot is well and has fewer foes beside it."""
    grid, own = view.place.grid, view.cell
    if own_health(view) < _WELL:
        return

    def pressed(cell: int) -> int:
        return sum(grid.distance(cell, foe.cell) == 1 for foe in foes)

    for friend in friends_of(view):
        beside = grid.distance(own, friend.cell) == 1 and not friend.marks & flags.DOWN
        swap = pathfinding.one_step(view, friend.cell)
        if beside and swap and health(friend) < _HURT and pressed(friend.cell) > pressed(own):
            yield swap


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
        return first.depth <= view.place.depth
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
    """Return whether a friend on this level has lost a quarter of their health."""
    return bool(_hurt_here(view, memory, UNHURT))


def _missing(view: View) -> list[Friend]:
    """Return the friends who are not close by, on this level or above, the worst hurt first."""
    own, depth, cells = in_sight(view.creatures).own_name, view.place.depth, _file_cells(view, _STRAY_CELLS)
    near = {own, *_names_near(view, cells)}  # a party may have a thousand members
    missing = [friend for friend in view.party if friend.depth <= depth and friend.name not in near]
    return sorted(missing, key=lambda friend: (friend.condition, friend.name))


def _file_cells(view: View, cells: int) -> int:
    """Return a distance for a party of two, and a cell more for each further friend in the file."""
    return cells + max(0, len(view.party) - 2)


def _is_near(view: View, friend: Friend, cells: int) -> bool:
    return friend.name in _names_near(view, cells)


def _names_near(view: View, cells: int) -> list[str]:
    """Return the names of the friends in sight who are at most some cells away."""
    distance, own = view.place.grid.distance, view.cell
    return [other.name for other in friends_of(view) if distance(own, other.cell) <= cells]


def _to(view: View, cell: int) -> Iterator[AnyCommand]:
    way = pathfinding.first_step(view, 1 << cell, through=cell)
    if way is not None:
        yield way
