"""Effects of spells on a place: summoning, digging, light, revealing traps."""

from collections.abc import Callable
from typing import Final, TypeAlias

from gloam_server.content.spells import EffectKind
from gloam_server.world.combat.experience_credit import mark_summoned
from gloam_server.world.combat.hostility import is_on_players_side, make_ally
from gloam_server.world.combat.kindling import tell_beginning
from gloam_server.world.effects.spells.area import cells_in_area
from gloam_server.world.effects.spells.spell_cast import SpellCast
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Lasting, new_creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import can_lie, lay_surfaces, origin_of
from gloam_shared.appearance import Terrain

AreaEffect: TypeAlias = Callable[[TurnContext, SpellCast, int], bool]

SUMMONED_MAX: Final = 8
"""The most summons of one caster that may be on a level at the same time."""


def summon(context: TurnContext, working: SpellCast, at: int) -> bool:
    """Summon creatures around a cell, on the summoner's side (rule TG.24)."""
    level, effect, caster = context.level, working.spell.effects[at], working.caster
    kind = level.campaign.creatures[effect.kind]
    owner = 0 if caster is None else caster.owner or caster.number
    around = level.grid.neighbors(working.cell)
    free = [cell for cell in around if level.is_empty_floor(cell)]
    wanted = min(effect.amount or len(around), len(free), _free_cells(level, owner))
    cells = context.dice.shuffle("summon", owner, free, wanted)
    for cell in cells:
        called = new_creature(kind, level.new_id())
        called.owner = owner
        mark_summoned(called, caster)
        if caster is not None and is_on_players_side(caster):
            make_ally(level, called)
        if effect.turns:
            called.lasting.append(Lasting(working.spell.key, at, effect.turns, owner))
        level.add(called, cell, context.dice)
        context.emit("appears", called)
    return bool(cells)


def dig_tunnel(context: TurnContext, working: SpellCast, at: int) -> bool:
    """Turn walls into floor: those within the radius, or those that lie ahead of the caster; the edge stays."""
    level, effect, caster = context.level, working.spell.effects[at], working.caster
    if effect.amount and caster is not None and caster.cell != working.cell:
        cells = _cells_ahead(level, caster.cell, working.cell, effect.amount)
    else:
        radius, everything = working.spell.radius, range(len(level.terrain))
        cells = [cell for cell in everything if level.grid.is_within(radius, working.cell, cell)]
    fallen = [cell for cell in cells if level.is_diggable(cell)]
    for cell in fallen:
        level.dig(cell, Terrain.FLOOR)
    if fallen and caster is not None:
        context.emit("bores", caster, cell=fallen[0])
    return bool(fallen)


def light_area(context: TurnContext, working: SpellCast, _at: int) -> bool:
    """Light up the cells that the spell reaches, permanently."""
    level = context.level
    dark = [cell for cell in cells_in_area(level, working.cell, working.spell.radius) if level.dark[cell]]
    level.make_bright(dark)
    if dark and working.caster is not None:
        context.emit("brightens", working.caster, cell=working.cell)
    return bool(dark)


def reveal_traps(context: TurnContext, working: SpellCast, _at: int) -> bool:
    """Show the hidden traps that the spell reaches."""
    level = context.level
    reach = cells_in_area(level, working.cell, working.spell.radius)
    hidden = [cell for cell in reach if cell in level.traps and level.terrain[cell] != Terrain.TRAP]
    for cell in hidden:
        level.dig(cell, Terrain.TRAP)
    if hidden and working.caster is not None:
        context.emit("reveals", working.caster, cell=working.cell)
    return bool(hidden)


def lay_surface(context: TurnContext, working: SpellCast, at: int) -> bool:
    """Put a surface on the free cells that the spell reaches (rule F158)."""
    level = context.level
    kind = level.campaign.surfaces[working.spell.effects[at].surface]
    reach = cells_in_area(level, working.cell, working.spell.radius)
    begins = [cell for cell in reach if can_lie(level, kind, cell)]
    lay_surfaces(level, kind, begins, context.dice, origin_of(working.caster))
    if begins and kind.begins:
        tell_beginning(context, kind, begins[0], working.caster)
    return bool(begins)


def _free_cells(level: Level, owner: int) -> int:
    """Return how many creatures an owner may still call here."""
    room = max(0, level.level_kind.creatures_max - level.count_monsters())
    if not owner:
        return min(room, SUMMONED_MAX)
    own = sum(body.owner == owner for body in level.creatures.values())
    return max(0, min(room, SUMMONED_MAX - own))


def _cells_ahead(level: Level, start: int, towards_cell: int, count: int) -> list[int]:
    """Return a number of cells from a cell on, in the straight direction nearest to another cell."""
    way, cells, here = level.grid.towards(start, towards_cell), list[int](), start
    for _ in range(count):
        there = level.grid.step(here, *way)
        if there is None:
            break
        cells.append(there)
        here = there
    return cells


AREA_EFFECTS: Final[dict[EffectKind, AreaEffect]] = {
    "summon": summon,
    "dig": dig_tunnel,
    "light": light_area,
    "reveal": reveal_traps,
    "lay": lay_surface,
}
"""The effects on an area, not on the creatures there, by name."""
