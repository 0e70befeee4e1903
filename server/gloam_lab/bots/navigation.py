"""A bot's goals without foes: unknown cells, stairs down when it is ready, ways out of dead ends. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import flags, gear_choice, party
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.combat_estimate import fight_risk, own_health
from gloam_lab.bots.in_sight import in_sight
from gloam_lab.bots.pack import pack_of
from gloam_server.autopilot import pathfinding
from gloam_shared import bitboard
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.protocol.commands import AnyCommand, Climb, Dig, Move, Rest, Wait
from gloam_shared.view.surfaces import device_cells
from gloam_shared.view.view import Stat, View

_DOWN: Final = frozenset({Terrain.STAIRS_DOWN, Terrain.HOLE})
_UP: Final = frozenset({Terrain.STAIRS_UP})
_OUT: Final = frozenset({Terrain.EXIT})
_ROCK: Final = frozenset({Terrain.WALL, Terrain.UNKNOWN})
_DETOUR_MAX: Final = 3
PULLS_MAX: Final = 20
"""The most pulls of a device by a bot that is shut in."""

_GOES_OUT: Final = 50
"""The decisions in company in which a bot goes about before it works a device again."""

_RESTS_BELOW: Final = 85
_RESTS_BELOW_AT_FIRST: Final = 45
"""The health in percent below which a bot rests where that is known to help, and before it knows."""


def rest_or_heal(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield a rest if it is needed, it helps, and there is enough food."""
    if view.fact(Stat.HUNGER) in gear_choice.HUNGRY and not gear_choice.foods(view):
        return
    hurt = own_health(view) < (_RESTS_BELOW if memory.is_healing else _RESTS_BELOW_AT_FIRST)
    if hurt and not memory.slow_to_mend and memory.decisions - memory.rested_in_vain > 150:
        yield Rest()


def enemy_to_hunt(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps towards, and attacks on, sleeping or harmless creatures that are worth it."""
    level = view.fact(Stat.LEVEL)
    for creature in sorted(in_sight(view.creatures).enemies, key=lambda each: each.handle):
        if creature.marks & flags.PLAYER:
            continue
        named = bool(creature.marks & flags.NAMED) and creature.level <= level
        if (creature.level < level - 3 and not named) or memory.chased.get(creature.handle, 0) > 20:
            continue
        if creature.marks & flags.ASLEEP and creature.marks & flags.GROWN and creature.level >= level:
            continue
        if fight_risk(view, [creature]) > 50 and not memory.keeps_coming:
            continue
        blow = pathfinding.one_step(view, creature.cell)
        if blow is not None:
            yield blow
        else:
            way = pathfinding.first_step(view, 1 << creature.cell, through=creature.cell)
            if way is not None:
                memory.chased[creature.handle] = memory.chased.get(creature.handle, 0) + 1
                yield way


def next_goal(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield the next goal: out with the prize, down when ready, else unknown cells, else a way out of a dead end."""
    if memory.roves:
        yield from _wander(view, memory)
    if pack_of(view.inventory).has_prize:
        yield from _homeward(view, memory)
    party.note_company(view, memory)
    if party.is_ahead(view, memory):
        yield from _take_stairs(view, memory, _UP, down=False)
    ready = not party.waits(view, memory)
    if ready and _is_time(view, memory):
        yield from _take_stairs(view, memory, _DOWN, down=True)
    near = party.reach(view, memory)
    if near is not None:
        yield from _toward(view, pathfinding.frontier(view) & near)
        yield from party.follow(view, memory)
        if not ready:
            memory.waited += 1
            yield Wait()
    yield from party.gather(view, memory)
    yield from _explore(view)
    if party.still_learns(view, memory):
        yield from _wander(view, memory)
    if not ready:
        yield from party.follow(view, memory)
        memory.waited += 1
        yield from _meet(view, memory)
        yield Wait()
    yield from _take_stairs(view, memory, _DOWN, down=True)
    yield from _past(view, _DOWN)
    yield from work_devices(view, memory)
    if memory.digs:
        yield from _dig(view)
    if not memory.keeps_coming:
        yield from _take_stairs(view, memory, _UP, down=False)
    yield from _wander(view, memory)


def _meet(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps to the nearest stairs down: there friends meet who have lost sight of each other. Who is shut in works a lever."""
    stairs = pathfinding.terrain(view, _DOWN)
    if bitboard.neighbor_bits(stairs, view.place.grid) >> view.cell & 1:
        return
    if stairs:
        yield from _toward(view, stairs)
    yield from work_devices(view, memory)


def _homeward(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield the way up and out, with the prize."""
    yield from _take_stairs(view, memory, _OUT, down=False)
    yield from _take_stairs(view, memory, _UP, down=False)
    yield from _explore(view)
    yield from _past(view, _UP | _OUT)
    if memory.digs:
        yield from _dig(view)


def _is_time(view: View, memory: BotMemory) -> bool:
    """Return whether the bot should go down before it has seen the whole level."""
    if view.fact(Stat.HUNGER) in gear_choice.HUNGRY and not gear_choice.foods(view):
        return True
    if memory.lingers or memory.bored > 2:
        return True
    leader = party.leader(view, memory)
    if leader is not None and leader.depth > view.place.depth:
        return True
    return view.fact(Stat.LEVEL) >= 2 * view.place.depth + 6


def _explore(view: View) -> Iterator[AnyCommand]:
    yield from _toward(view, pathfinding.frontier(view))


def _toward(view: View, goals: int) -> Iterator[AnyCommand]:
    """Yield the way to the nearest goal: round all creatures, or through a foe that blocks a much shorter way."""
    harmless = bitboard.bits_of(
        other.cell
        for other in in_sight(view.creatures).enemies
        if not other.marks & (flags.PLAYER | flags.HOLDS_YOU)
    )
    if harmless:
        others = bitboard.bits_of(other.cell for other in view.creatures if other.cell != view.cell)
        straight = pathfinding.shortest(view, goals, others & ~harmless)
        round_ = pathfinding.shortest(view, goals, others)
        if straight is not None and (round_ is None or straight[1] + _DETOUR_MAX < round_[1]):
            yield straight[0]
    way = pathfinding.first_step(view, goals)
    if way is not None:
        yield way


def _take_stairs(view: View, memory: BotMemory, kinds: frozenset[int], *, down: bool) -> Iterator[AnyCommand]:
    """Yield the way to the known stairs that were taken least often, nearest first, and their taking."""
    known = pathfinding.terrain(view, kinds)
    if not known:
        return
    depth = view.place.depth
    used = {cell: memory.stairs.get((depth, cell), 0) for cell in bitboard.cells_of(known)}
    for count in sorted(set(used.values())):
        least = bitboard.bits_of(cell for cell, times in used.items() if times == count)
        if least >> view.cell & 1:
            memory.stairs[depth, view.cell] = count + 1
            yield Climb(down=down)
        yield from _toward(view, least)


def _dig(view: View) -> Iterator[AnyCommand]:
    """Yield the step or the dig on the shortest way to unknown cells."""
    inside = _inside(view.place.width, view.place.height)
    ground = (pathfinding.terrain(view, pathfinding.PASSABLE) | pathfinding.terrain(view, _ROCK)) & inside
    rock = pathfinding.terrain(view, _ROCK)
    for step in pathfinding.first_steps(
        view, ground, pathfinding.terrain(view, frozenset({Terrain.UNKNOWN}))
    )[0]:
        cell = view.step((step.dx, step.dy))
        yield Dig(step.dx, step.dy) if cell is not None and rock >> cell & 1 else step


def work_devices(view: View, memory: BotMemory, most: int = PULLS_MAX) -> Iterator[AnyCommand]:
    """Yield the way to a lever or the like, and the step into it: it may open a shut room.

    Of those worked less than `most` times those worked least often come first: a second pull undoes the first, which may have
    shut the bot in. In company, where a bot waits for friends, it first goes about, and so out by what it opened.
    """
    depth, walls = view.place.depth, pathfinding.terrain(view, _ROCK)
    devices = bitboard.cells_of(device_cells(view.surface_looks, view.surfaces) & walls)
    for cell in sorted(devices, key=lambda cell: memory.stairs.get((depth, cell), 0)):
        worked = memory.stairs.get((depth, cell), 0)
        if worked >= most:
            return
        if worked % 2 and view.party:
            memory.stairs[depth, cell] = worked + 1
            memory.roving_until = memory.decisions + _GOES_OUT
            return
        for dx, dy in view.place.directions:
            if view.step((dx, dy)) == cell:
                memory.stairs[depth, cell] = worked + 1
                yield Move(dx, dy)
        beside = bitboard.bits_of(view.place.grid.neighbors(cell, view.place.directions))
        yield from _toward(view, beside & pathfinding.terrain(view, WALKABLE))


def _past(view: View, kinds: frozenset[int]) -> Iterator[AnyCommand]:
    """Yield the step or the attack on a blocked way to unknown cells or to such stairs."""
    goals = pathfinding.frontier(view) | pathfinding.terrain(view, kinds)
    yield from pathfinding.first_steps(view, pathfinding.terrain(view, pathfinding.PASSABLE), goals)[0]


def _wander(view: View, memory: BotMemory) -> Iterator[AnyCommand]:
    """Yield steps to a known place far away, then to another one, in a fixed sequence."""
    if memory.roving_to in (-1, view.cell) or memory.decisions % 50 == 0:
        known = bitboard.cells_of(pathfinding.terrain(view, WALKABLE) & ~(1 << view.cell))
        if not known:
            yield Wait()
            return
        drawn = (memory.decisions * 48_271 + view.cell * 7_919 + memory.bored * 104_729) % 2_147_483_647
        memory.roving_to = known[drawn % len(known)]
    yield from _toward(view, 1 << memory.roving_to)
    memory.roving_to = -1
    for dx, dy in view.place.directions:
        cell = view.step((dx, dy))
        if cell is not None and view.terrain[cell] in WALKABLE:
            yield Move(dx, dy)


def _inside(width: int, height: int) -> int:
    """Return the cells that are not on the edge, because the edge cannot be dug."""
    row = ((1 << (width - 2)) - 1) << 1
    return sum(row << y * width for y in range(1, height - 1))
