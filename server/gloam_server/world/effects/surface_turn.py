"""A turn of a level's surfaces: they harm, spread, drift and end, always in the order of the cells (rules F150, F152).

A level without active surfaces costs a turn nothing. A fire only goes over to what burns, and takes it, so it ends.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from gloam_server.content.surfaces import FUEL_TERRAIN, SurfaceKind
from gloam_server.world.combat.damage import after_resistance, apply_damage
from gloam_server.world.combat.hostility import is_hostile, is_on_players_side
from gloam_server.world.effects.traps import trigger_traps
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import (
    can_lie,
    end_surfaces,
    move_surfaces,
    spread_surfaces,
    surfaces_of,
)
from gloam_server.world.model.surfaces.surface_state import ActiveSurface, Surfaces, is_spared
from gloam_shared.bitboard import bits_of, cells_of, cells_where, neighbor_bits

_NOBODY: Final = ActiveSurface()


def pass_surface_turn(context: TurnContext, players: Iterable[int]) -> None:
    """Run a turn of the surfaces if one of these players, who have just acted, has acted since the last one.

    So there is one for each turn of the player who acts most, however many turn groups the level has.
    """
    surfaces = surfaces_of(context.level)
    acted, again = surfaces.acted, False
    for player in players:
        again = again or player in acted
    if acted and not again:
        acted += [player for player in players if player not in acted]
        return
    surfaces.acted = sorted(players)
    surfaces.turn += 1
    _harm(context, surfaces)
    if not surfaces.active:
        return
    for kind in [context.level.campaign.surfaces[key] for key in surfaces.kinds]:
        if kind.burns:
            _spread(context, surfaces, kind)
        if kind.drifts_percent:
            _drift(context, surfaces, kind)
    _end(context, surfaces)
    trigger_traps(context)


def _harm(context: TurnContext, surfaces: Surfaces) -> None:
    """Let the surfaces harm all who stand on them."""
    level = context.level
    for body in sorted(_bodies_on(level, surfaces), key=lambda each: each.cell):
        kind = surfaces.kind_at(level.campaign, body.cell)
        here = body.number in level.creatures
        if here and kind is not None and kind.harm and not kind.over_water:
            _strike(context, kind, body, surfaces.active.get(body.cell, _NOBODY))


def _bodies_on(level: Level, surfaces: Surfaces) -> list[Creature]:
    cells = surfaces.cells
    return [body for body in level.state.bodies if cells[body.cell]]


def _strike(context: TurnContext, kind: SurfaceKind, body: Creature, origin: ActiveSurface) -> None:
    """Let a surface harm a body, with the credit for who brought it about, unless it spares that body."""
    level = context.level
    by = level.creatures.get(origin.by)
    if body.grace or is_spared(level.campaign, kind, body) or _is_friend(level, origin, by, body):
        return
    cause = f"{kind.name} that {origin.name} {kind.made}" if origin.name and by is not body else kind.name
    amount = after_resistance(level.campaign, body, kind.harm, kind.damage_type)
    context.emit("blasted", body, amount=amount, source=kind.name)
    apply_damage(
        context,
        body,
        kind.harm,
        None if by is body else by,
        cause,
        source="surface",
        damage_type=kind.damage_type,
    )


def _is_friend(level: Level, origin: ActiveSurface, by: Creature | None, body: Creature) -> bool:
    """Return whether a surface spares a body: players' surfaces spare all on their side but who made them, and rivals."""
    if not origin.by_players or origin.by == body.number or not is_on_players_side(body):
        return False
    return by is None or not is_hostile(level, by, body)


def _spread(context: TurnContext, surfaces: Surfaces, kind: SurfaceKind) -> None:
    """Let a surface go over to the cells beside it that have what it burns."""
    level, number, cells = context.level, surfaces.number_of(kind.key), surfaces.cells
    burning = [cell for cell in surfaces.active if cells[cell] == number]
    if not burning:
        return
    beside = neighbor_bits(bits_of(burning), level.grid)
    reached = [
        (cell, percent)
        for fuel, percent in kind.burns.items()
        for cell in cells_of(beside & _cells_with(level, surfaces, fuel))
    ]
    rolls = context.dice.rolls("burn", number, 100, len(reached))
    caught = sorted([cell for (cell, percent), roll in zip(reached, rolls, strict=True) if roll < percent])
    spread_surfaces(level, kind, _with_origins(level, surfaces, caught, burning), context.dice)


def _with_origins(
    level: Level, surfaces: Surfaces, caught: Sequence[int], burning: Sequence[int]
) -> list[tuple[int, ActiveSurface]]:
    """Return cells that catch fire, each with the origin of a burning cell beside: mostly there is only one origin."""
    active, first = surfaces.active, surfaces.active[burning[0]]
    if all(active[cell].by == first.by for cell in burning):
        return [(cell, first) for cell in caught]
    burns, neighbors = set(burning), level.grid.neighbors
    return [(cell, active[next(near for near in neighbors(cell) if near in burns)]) for cell in caught]


def _cells_with(level: Level, surfaces: Surfaces, fuel: str) -> int:
    """Return the set of the cells that have a fuel: surfaces lie over the terrain, and shield it."""
    if fuel in FUEL_TERRAIN:
        bare = cells_where(bytes(surfaces.cells), frozenset({0}))
        return bare & cells_where(bytes(level.terrain), frozenset({int(FUEL_TERRAIN[fuel])}))
    number = surfaces.number_of(fuel)
    return cells_where(bytes(surfaces.cells), frozenset({number})) if number else 0


def _drift(context: TurnContext, surfaces: Surfaces, kind: SurfaceKind) -> None:
    """Let a surface move on, here and there, to a free cell beside."""
    level, number = context.level, surfaces.number_of(kind.key)
    drifting = sorted([cell for cell in surfaces.active if surfaces.cells[cell] == number])
    rolls = context.dice.rolls("drifts", number, 100, len(drifting))
    moves = [
        (cell, [near for near in level.grid.neighbors(cell) if can_lie(level, kind, near)])
        for cell, roll in zip(drifting, rolls, strict=True)
        if roll < kind.drifts_percent
    ]
    move_surfaces(level, moves, context.dice)


def _end(context: TurnContext, surfaces: Surfaces) -> None:
    """End the surfaces whose time is over, with what they leave; what breaks under a body harms it."""
    level = context.level
    over = sorted([cell for cell, one in surfaces.active.items() if 0 < one.ends <= surfaces.turn])
    if not over:
        return
    were = {
        cell: (surfaces.kind_at(level.campaign, cell), surfaces.active[cell])
        for cell in over
        if cell in level.occupied
    }
    for body, cell in end_surfaces(level, over, context.dice, leaves=True):
        kind, origin = were[cell]
        if kind is not None:
            context.emit("breaks_under", body, source=kind.name, cell=cell)
            _strike(context, kind, body, origin)
