"""A bot's reactions to foes: attack, shoot, use items, or flee. Yields commands, the best first. Pure."""

from collections.abc import Iterator
from typing import Final

from gloam_server.autopilot import pathfinding
from gloam_server.bots import flags, item_knowledge
from gloam_server.bots.bot_memory import BotMemory
from gloam_server.bots.combat_estimate import fight_risk, friends_of, own_health
from gloam_server.bots.item_knowledge import ItemUse
from gloam_server.bots.pack import is_missile
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.protocol.commands import (
    AnyCommand,
    Cast,
    Climb,
    Fire,
    Move,
    Quaff,
    Read,
    Throw,
    Wait,
    Wield,
)
from gloam_shared.view.view import Creature, InventoryItem, Spell, Stat, View

THROWN_FROM: Final = 6
_CHASE_MAX: Final = 25
_FLIGHTS_MAX: Final = 2
_FEARS_MAX: Final = 2
"""How often a bot turns back from too strong foes on a level; after that it goes on, as there may be no other way."""

_BADLY_HURT: Final = 40
_HEAL_BELOW: Final = 50


def combat_commands(view: View, memory: BotMemory, foes: list[Creature]) -> Iterator[AnyCommand]:
    """Yield commands in the presence of foes, the best first."""
    grid = view.place.grid
    foes = sorted(foes, key=lambda foe: (grid.distance(view.cell, foe.cell), foe.hp, foe.handle))
    near = foes[0]
    memory.note_foe(near)
    away = grid.distance(view.cell, near.cell)
    health, danger = own_health(view), fight_risk(view, foes)
    if health < _BADLY_HURT or (danger > 90 and health < _HEAL_BELOW):
        yield from _by_magic(view, ItemUse.HEAL)
        yield from _get_away(view, memory, foes, danger)
    if danger > 45:
        yield from _weaken(view, near, danger)
    if danger > 100 and away > 2 and memory.bored < _FEARS_MAX:
        yield from _avoid(view, foes)
    yield from _from_afar(view, memory, near, away, danger)
    yield from _hand_to_hand(view, memory, foes, away)


def aim_at(view: View, magic: InventoryItem | Spell, foe: Creature) -> int | None:
    """Return the target cell of a harmful effect; None if it is out of reach or would hit friends."""
    grid = view.place.grid
    away = grid.distance(view.cell, foe.cell)
    if magic.range and away > magic.range:
        return None
    if magic.radius:
        kept = [view.cell, *(friend.cell for friend in friends_of(view))]
        if any(grid.distance(foe.cell, cell) <= magic.radius for cell in kept):
            return None
    return foe.cell


def _by_magic(view: View, *uses: ItemUse) -> Iterator[AnyCommand]:
    """Yield spells, then items, for one of these uses that need no target."""
    for spell in view.spells:
        if item_knowledge.classify_item(spell) in uses and spell.cost <= view.fact(Stat.MANA):
            yield Cast(spell.key, None if spell.target == "self" else view.cell)
    for thing in view.inventory:
        if item_knowledge.is_magic(thing) and item_knowledge.classify_item(thing) in uses:
            yield _damage_taken(thing, view.cell)


def _damage_taken(thing: InventoryItem, cell: int) -> AnyCommand:
    if thing.traits & flags.QUAFFABLE:
        return Quaff(thing.slot)
    return Read(thing.slot, None if thing.target in ("", "self") else cell)


def _weaken(view: View, near: Creature, danger: int) -> Iterator[AnyCommand]:
    """Yield magic for a hard fight: harm and hindrance for the nearest foe, strength and help for the bot."""
    for spell in view.spells:
        if spell.cost > view.fact(Stat.MANA) or spell.target == "self":
            continue
        if item_knowledge.classify_item(spell) in (ItemUse.HARM, ItemUse.HINDER):
            cell = aim_at(view, spell, near)
            if cell is not None and not (
                item_knowledge.classify_item(spell) is ItemUse.HINDER and near.marks & flags.ASLEEP
            ):
                yield Cast(spell.key, cell)
    if danger > 70:
        for thing in view.inventory:
            if thing.traits & flags.READABLE and item_knowledge.classify_item(thing) in (
                ItemUse.HARM,
                ItemUse.HINDER,
            ):
                cell = aim_at(view, thing, near) if thing.target != "self" else view.cell
                if cell is not None:
                    yield Read(thing.slot, None if thing.target in ("", "self") else cell)
        if len(view.states) < 2:
            yield from _by_magic(view, ItemUse.STRENGTHEN, ItemUse.ALLY)


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
    yield from _by_magic(view, ItemUse.ESCAPE)
    unknown = [
        thing
        for thing in view.inventory
        if item_knowledge.is_magic(thing) and not item_knowledge.is_known(thing)
    ]
    for thing in unknown:
        yield _damage_taken(thing, foes[0].cell)
    stairs = pathfinding.terrain(view, frozenset({Terrain.STAIRS_UP}))
    up = pathfinding.nearest(view, stairs)
    friends = [friend.cell for friend in friends_of(view) if grid.distance(friend.cell, view.cell) > 1]
    tried = up is None or memory.flights.get((view.place.depth, up), 0) >= _FLIGHTS_MAX
    for goal in (*([] if tried or up is None else [up]), *friends):
        if grid.distance(view.cell, goal) <= 12 and not memory.bored:
            way = pathfinding.first_step(view, 1 << goal, through=goal)
            if way is not None and _leads_away(view, way, foes):
                yield way


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


def _from_afar(view: View, memory: BotMemory, near: Creature, away: int, danger: int) -> Iterator[AnyCommand]:
    """Yield shots and throws at a foe that is not adjacent."""
    if away < 2:
        if view.fact(Stat.REACH) and not memory.is_refused(view, Wield(None)):
            yield from _take_blade(view)
        return
    if view.fact(Stat.REACH) >= away:
        yield Fire(near.cell)
    bow = next((thing for thing in view.inventory if thing.traits & flags.SHOOTS), None)
    if bow is not None and not bow.traits & flags.WIELDED and away >= 5 and danger > 25:
        yield Wield(bow.slot)
    if away <= THROWN_FROM:
        for thing in view.inventory:
            if is_missile(thing):
                yield Throw(thing.slot, near.cell)


def _take_blade(view: View) -> Iterator[AnyCommand]:
    blades = [
        thing
        for thing in view.inventory
        if thing.traits & flags.WIELDABLE and not thing.traits & (flags.SHOOTS | flags.WORN)
    ]
    best = max(blades, key=lambda thing: (thing.attack, -thing.slot), default=None)
    if best is not None and not best.traits & flags.WIELDED:
        yield Wield(best.slot)


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
        yield Wait()  # let it come: the first blow is ours
    for foe in foes:
        chased = memory.chased.get(foe.handle, 0)
        if chased < _CHASE_MAX:
            way = pathfinding.first_step(view, 1 << foe.cell, through=foe.cell)
            if way is not None:
                memory.chased[foe.handle] = chased + 1
                yield way


def _beside(view: View, foe: Creature) -> bool:
    return pathfinding.one_step(view, foe.cell) is not None
