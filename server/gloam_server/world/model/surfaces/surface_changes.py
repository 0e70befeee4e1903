"""Changes of surfaces: the one place that puts them on cells and takes them away. It keeps terrain and light in step."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from gloam_server.content.surfaces import FUEL_TERRAIN, SurfaceKind
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_state import ActiveSurface, Surfaces
from gloam_shared.appearance import TRANSPARENT, Terrain

_FUEL: Final[frozenset[int]] = frozenset(FUEL_TERRAIN.values())


def surfaces_of(level: Level) -> Surfaces:
    """Return the surfaces of a level: an empty record from its first surface on."""
    surfaces = level.state.surfaces
    if surfaces is UNSET:
        surfaces = level.state.surfaces = Surfaces(bytearray(level.grid.size))
    return surfaces


def surface_at(level: Level, cell: int) -> SurfaceKind | None:
    """Return the kind of surface on a cell, None without one."""
    surfaces = level.state.surfaces
    return None if surfaces is UNSET else surfaces.kind_at(level.campaign, cell)


def can_lie(level: Level, kind: SurfaceKind, cell: int) -> bool:
    """Return whether a surface could begin on a cell: on open ground without another, or on deep water without a body."""
    surfaces, terrain = level.state.surfaces, level.terrain[cell]
    if surfaces is not UNSET and surfaces.cells[cell]:
        return False
    if kind.over_water:
        return terrain == Terrain.WATER and cell not in level.occupied
    return terrain in TRANSPARENT and terrain not in (Terrain.WATER, Terrain.BRAZIER)


def lay_surface(level: Level, kind: SurfaceKind, cell: int, dice: Dice, by: Creature | None = None) -> None:
    """Put a surface on a cell, in the place of any other."""
    lay_surfaces(level, kind, [cell], dice, origin_of(by))


def origin_of(by: Creature | None) -> ActiveSurface:
    """Return the origin of a surface that a creature brings about, or none."""
    if by is None:
        return ActiveSurface()
    return ActiveSurface(0, by.number, by.name, bool(by.account or by.ally))


def lay_surfaces(
    level: Level, kind: SurfaceKind, cells: Sequence[int], dice: Dice, origin: ActiveSurface
) -> None:
    """Put a surface of one origin on cells, in the place of others: it takes the fuel there, or makes water passable."""
    spread_surfaces(level, kind, [(cell, origin) for cell in cells], dice)


def spread_surfaces(
    level: Level, kind: SurfaceKind, begins: Sequence[tuple[int, ActiveSurface]], dice: Dice
) -> None:
    """Put a surface on cells, each with its origin."""
    _renew_sight(level, _put(level, kind, begins, dice))


def _put(
    level: Level, kind: SurfaceKind, begins: Sequence[tuple[int, ActiveSurface]], dice: Dice
) -> list[int]:
    """Put a surface on cells; return those whose terrain has changed by it."""
    if not begins:
        return []
    surfaces, terrain = surfaces_of(level), level.terrain
    if kind.key not in surfaces.kinds:
        surfaces.kinds.append(kind.key)
    number, active, takes = surfaces.number_of(kind.key), surfaces.active, bool(kind.burns)
    least = surfaces.turn + (kind.lasts + 1) // 2
    lives = dice.rolls("surface", number, kind.lasts // 2 + 1, len(begins))
    made: dict[tuple[int, int], ActiveSurface] = {}
    changed, is_active, lasts, cells = [], kind.is_active, kind.lasts > 0, surfaces.cells
    for (cell, origin), life in zip(begins, lives, strict=True):
        cells[cell] = number
        if is_active:
            key = life, id(origin)
            if key not in made:
                made[key] = replace(origin, ends=least + life if lasts else 0)
            active[cell] = made[key]
        else:
            active.pop(cell, None)
        if takes and terrain[cell] in _FUEL:
            terrain[cell] = Terrain.FLOOR
            changed.append(cell)
        elif kind.over_water and terrain[cell] == Terrain.WATER:
            terrain[cell] = Terrain.SHALLOWS
            changed.append(cell)
    return changed


def end_surfaces(
    level: Level, cells: Sequence[int], dice: Dice, *, leaves: bool
) -> list[tuple[Creature, int]]:
    """End the surfaces on cells, with what they leave there or without.

    Return the bodies that stood on what lay over deep water, each with its cell there; they are now on the nearest free
    cell. Without any free cell that surface stays.
    """
    surfaces, campaign = surfaces_of(level), level.campaign
    following: dict[str, list[tuple[int, ActiveSurface]]] = {}
    changed, fallen = [], []
    for cell in cells:
        kind = surfaces.kind_at(campaign, cell)
        if kind is None:
            continue
        if leaves and kind.leaves:
            following.setdefault(kind.leaves, []).append((cell, surfaces.active[cell]))
        elif not kind.over_water or level.at(cell) is None:
            surfaces.cells[cell] = 0
            surfaces.active.pop(cell, None)
            if kind.over_water:
                level.terrain[cell] = Terrain.WATER
                changed.append(cell)
        elif (body := _break_under(level, cell)) is not None:
            changed.append(cell)
            fallen.append((body, cell))
    for key, begins in following.items():
        changed += _put(level, campaign.surfaces[key], begins, dice)
    _renew_sight(level, changed)
    return fallen


def _break_under(level: Level, cell: int) -> Creature | None:
    """End what bears a body over deep water; return the body, now on a free cell, None if there is none."""
    surfaces, body, shore = surfaces_of(level), level.at(cell), _shore(level, cell)
    if body is None or shore is None:
        return None
    surfaces.cells[cell] = 0
    surfaces.active.pop(cell, None)
    level.terrain[cell] = Terrain.WATER
    level.move(body, shore)
    return body


def _shore(level: Level, cell: int) -> int | None:
    """Return the nearest free cell, one without a surface if there is any."""
    cells = surfaces_of(level).cells
    bare = level.nearest_cell(cell, lambda at: level.is_free(at) and not cells[at])
    return level.nearest_free_cell(cell) if bare is None else bare


def move_surfaces(level: Level, moves: Sequence[tuple[int, Sequence[int]]], dice: Dice) -> None:
    """Move the surfaces of cells, each to one of some cells beside that has no other by then."""
    surfaces = surfaces_of(level)
    cells, active = surfaces.cells, surfaces.active
    for start, beside in moves:
        free = [goal for goal in beside if not cells[goal]]
        if free:
            goal = dice.pick("drift", start, free)
            cells[goal], cells[start] = cells[start], 0
            active[goal] = active.pop(start)
    if moves:
        _renew_sight(level, ())


def _renew_sight(level: Level, changed: Iterable[int]) -> None:
    """Let fields of view and ways follow the surfaces, and the terrain of cells that they changed."""
    level.sight.follow_surfaces(level.state.surfaces, frozenset(changed))
    if changed:
        level.caches.nearest_cells.clear()


def forget_unknown(level: Level) -> None:
    """Take away the surfaces of kinds that the campaign does not have any more."""
    surfaces = level.state.surfaces
    if surfaces is UNSET:
        return
    kept = [key for key in surfaces.kinds if key in level.campaign.surfaces]
    table = bytearray(256)
    for number, key in enumerate(surfaces.kinds, start=1):
        table[number] = kept.index(key) + 1 if key in kept else 0
    surfaces.cells[:] = surfaces.cells.translate(table)
    surfaces.kinds = kept
    surfaces.active = {cell: one for cell, one in surfaces.active.items() if surfaces.cells[cell]}
