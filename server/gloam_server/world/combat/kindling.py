"""Kindling: damage of a type brings surfaces about where it strikes, and ends others (rule F151)."""

from collections.abc import Iterable

from gloam_server.content.powers import DamageType
from gloam_server.content.surfaces import FUEL_TERRAIN, SurfaceKind
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import (
    can_lie,
    end_surfaces,
    lay_surfaces,
    origin_of,
    surface_at,
)
from gloam_shared.narration.rendering import with_definite_article


def kindle(context: TurnContext, cells: Iterable[int], damage_type: DamageType, by: Creature | None) -> None:
    """Bring about the surfaces of a type of damage on cells that it strikes, and end those that it ends.

    `by` has the credit for what they do. One line says it for each kind.
    """
    level = context.level
    kinds = level.campaign.surfaces_by_damage.get(damage_type, ())
    struck = list(cells) if kinds else []
    for kind in kinds:
        if kind.ended_by == damage_type:
            _end(context, kind, struck)
        begins = [cell for cell in struck if kind.kindled_by == damage_type and _takes(level, kind, cell)]
        lay_surfaces(level, kind, begins, context.dice, origin_of(by))
        if begins and kind.begins:
            tell_beginning(context, kind, begins[0], by)


def tell_beginning(context: TurnContext, kind: SurfaceKind, cell: int, by: Creature | None) -> None:
    """Tell that a surface begins. Players who see the creature that brought it about read its name, except that creature."""
    seen_by = {body.number for body in context.level.observers(cell)}
    knowing: set[int] = set()
    if by is not None and not by.hidden:
        knowing = seen_by & {body.number for body in context.level.observers(by.cell) if body is not by}
        if knowing:
            words = f"{kind.begins[:-1]}, {kind.made} by {with_definite_article(by.name)}{kind.begins[-1]}"
            context.emit_place("takes_hold", cell, source=words, to=knowing)
    if seen_by > knowing or not knowing:
        context.emit_place("takes_hold", cell, source=kind.begins, to=seen_by - knowing)


def _takes(level: Level, kind: SurfaceKind, cell: int) -> bool:
    """Return whether a cell has what a kind of surface burns, or the water that it covers."""
    if kind.over_water:
        return can_lie(level, kind, cell)
    present = surface_at(level, cell)
    if present is not None:
        return present.key in kind.burns
    terrain = level.terrain[cell]
    return any(terrain == FUEL_TERRAIN.get(fuel) for fuel in kind.burns)


def _end(context: TurnContext, kind: SurfaceKind, cells: Iterable[int]) -> None:
    level = context.level
    ended = [cell for cell in cells if surface_at(level, cell) is kind]
    if ended:
        end_surfaces(level, ended, context.dice, leaves=False)
