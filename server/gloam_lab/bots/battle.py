"""A bot's reactions to foes: attack, shoot, use items, or flee. Yields commands, the best first. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import flags, means, party
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.combat_estimate import fight_risk, friends_of, own_health
from gloam_lab.bots.item_knowledge import ItemUse
from gloam_lab.bots.pack import pack_of
from gloam_server.autopilot import pathfinding
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.protocol.commands import AnyCommand, Climb, Move, Wait
from gloam_shared.view.view import Creature, Stat, View

_CHASE_MAX: Final = 25
_FLIGHTS_MAX: Final = 2
_FEARS_MAX: Final = 2
"""The number of times a bot turns back from too strong foes on a level; then it goes on: there may be no other way."""

_BADLY_HURT: Final = 40
_HEAL_BELOW: Final = 50
_NEAR_DEATH: Final = 20
_HEAL_AT: Final = 40
"""The danger of a fight from which a badly hurt bot heals: it saves its potions where the foe is nearly dead."""

_WARY: Final = 60
"""The health in percent below which a bot flees from a creature that it fears."""

_MATCH: Final = 50
"""The share of its health that a bot must lose to a creature with a history, in percent, to fear it."""


def combat_commands(view: View, memory: BotMemory, foes: list[Creature]) -> Iterator[AnyCommand]:
    """Yield commands in the presence of foes, the best first."""
    grid, own = view.place.grid, view.cell
    foes = sorted(foes, key=lambda foe: (grid.distance(own, foe.cell), foe.hp, foe.handle))
    near = foes[0]
    memory.note_foe(near)
    away = grid.distance(own, near.cell)
    health, danger = own_health(view), fight_risk(view, foes)
    feared = _is_feared(view, foes)
    if health < (_WARY if feared else _BADLY_HURT) or (danger > 90 and health < _HEAL_BELOW):
        if danger > _HEAL_AT or health < _NEAR_DEATH:
            yield from means.use_magic(view, ItemUse.HEAL)
        yield from _get_away(view, memory, foes, danger)
    yield from party.relieve(view, foes)
    yield from means.attack_commands(view, memory, near, danger)
    if (danger > 100 or feared) and away > 2 and memory.bored < _FEARS_MAX:
        yield from _leave(view, memory)
        yield from _avoid(view, foes)
    yield from means.missile_commands(view, memory, near, away, danger)
    yield from _hand_to_hand(view, memory, foes, away)


def _get_away(view: View, memory: BotMemory, foes: list[Creature], danger: int) -> Iterator[AnyCommand]:
    """Yield escapes from a fight that the bot loses."""
    grid = view.place.grid
    if danger <= 60:
        return
    here = view.place.depth, view.cell
    below = view.terrain[view.cell] == Terrain.STAIRS_DOWN and sum(_beside(view, foe) for foe in foes) > 1
    if (below or view.terrain[view.cell] == Terrain.STAIRS_UP) and memory.flights.get(here, 0) < _FLIGHTS_MAX:
        memory.flights[here] = memory.flights.get(here, 0) + 1
        yield Climb(down=below)
    yield from means.use_magic(view, ItemUse.ESCAPE)
    for item in [item for item, use in pack_of(view.inventory).magic if use is ItemUse.UNKNOWN]:
        yield means.use_item(item, foes[0].cell)
    stairs = pathfinding.terrain(view, frozenset({Terrain.STAIRS_UP}))
    up = pathfinding.nearest(view, stairs)
    friends = [friend.cell for friend in friends_of(view) if grid.distance(friend.cell, view.cell) > 1]
    tried = up is None or memory.flights.get((view.place.depth, up), 0) >= _FLIGHTS_MAX
    for goal in (*([] if tried or up is None else [up]), *friends):
        if grid.distance(view.cell, goal) <= 12 and not memory.bored:
            way = pathfinding.first_step(view, 1 << goal, through=goal)
            if way is not None and _leads_away(view, way, foes):
                yield way


def _is_feared(view: View, foes: list[Creature]) -> bool:
    """Return whether one of these has grown or has a name, and is above the bot's level and a match for it."""
    level = view.fact(Stat.LEVEL)
    return any(
        foe.marks & (flags.GROWN | flags.NAMED) and foe.level > level and fight_risk(view, [foe]) > _MATCH
        for foe in foes
    )


def _leave(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield the stairs underfoot, out of the way of distant foes that are too strong."""
    here = view.place.depth, view.cell
    terrain = view.terrain[view.cell]
    if terrain in (Terrain.STAIRS_UP, Terrain.STAIRS_DOWN) and memory.flights.get(here, 0) < _FLIGHTS_MAX:
        memory.flights[here] = memory.flights.get(here, 0) + 1
        yield Climb(down=terrain == Terrain.STAIRS_DOWN)


def _avoid(view: View, foes: list[Creature]) -> Iterator[AnyCommand]:
    """Yield steps out of the sight of distant foes that are too strong."""
    for dx, dy in view.place.directions:
        way = Move(dx, dy)
        cell = view.step((dx, dy))
        if cell is None or view.terrain[cell] not in WALKABLE or view.terrain[cell] == Terrain.TRAP:
            continue
        if view.at(cell) is None and _leads_away(view, way, foes, by=1):
            yield way


def _leads_away(view: View, way: Move, foes: list[Creature], by: int = 0) -> bool:
    """Return whether a step brings the bot no nearer to any foe, or this much farther from the nearest."""
    grid = view.place.grid
    there = grid.step(view.cell, way.dx, way.dy)
    if there is None:
        return False
    near = foes[0]
    return grid.distance(there, near.cell) >= grid.distance(view.cell, near.cell) + by


def _hand_to_hand(view: View, memory: BotMemory, foes: list[Creature], away: int) -> Iterator[AnyCommand]:
    beside = [foe for foe in foes if _beside(view, foe)]
    for foe in sorted(beside, key=lambda each: (each.hp, each.handle)):
        memory.chased.pop(foe.handle, None)
        blow = pathfinding.one_step(view, foe.cell)
        if blow is not None:
            yield blow
    if beside:
        return
    if away == 2 and not isinstance(memory.last, Wait):
        yield Wait()  # wait: the bot gets the first attack
    for foe in foes:
        chased = memory.chased.get(foe.handle, 0)
        if chased < _CHASE_MAX and party.may_chase(view, memory, foe):
            yield from party.flank(view, foe)
            way = pathfinding.first_step(view, 1 << foe.cell, through=foe.cell)
            if way is not None:
                memory.chased[foe.handle] = chased + 1
                yield way


def _beside(view: View, foe: Creature) -> bool:
    return pathfinding.one_step(view, foe.cell) is not None
