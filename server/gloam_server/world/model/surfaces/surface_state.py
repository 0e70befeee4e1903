"""The surfaces of a level: fire, ice, webs and the like, one byte a cell, with the cells that change by themselves.

A level without surfaces has no record of them, so a turn there costs nothing more. Data and queries only; `surface_changes`
changes them.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.content.campaign import Campaign
from gloam_server.content.surfaces import SurfaceKind
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.modifiers import is_able
from gloam_server.world.model.powers import power_percent
from gloam_shared.bitboard import cells_where

_HARDY: Final = 60
"""The resistance in percent from which a body minds the harm of a surface no more."""


class ActiveSurface(Struct, frozen=True, array_like=True):
    """A surface that changes by itself, or harms: when it ends, and who brought it about."""

    ends: int = 0
    """The turn of the surfaces in which it ends; 0 for one that stays."""
    by: int = 0
    """The creature that brought it about, by number; 0 for none."""
    name: str = ""
    """The name of that creature."""
    by_players: bool = False
    """Whether that was a player, or another on the players' side: it then spares the others on that side."""


class Surfaces(Struct):
    """The surfaces of one level."""

    cells: bytearray
    """One byte for each cell: 0, or the place of the kind in `kinds`, from 1."""
    kinds: list[str] = field(default_factory=list)
    """The keys of the kinds that were ever on the level, in the order of their first appearance."""
    turn: int = 0
    """The number of turns of the surfaces."""
    active: dict[int, ActiveSurface] = field(default_factory=dict)
    """The surfaces that change by themselves, or harm, by cell."""
    acted: list[int] = field(default_factory=list)
    """The players who have acted since the last turn of the surfaces."""

    def number_of(self, key: str) -> int:
        """Return the number of a kind in `cells`, 0 if it never was on the level."""
        return self.kinds.index(key) + 1 if key in self.kinds else 0

    def kind_at(self, campaign: Campaign, cell: int) -> SurfaceKind | None:
        """Return the kind of surface on a cell, None without one."""
        number = self.cells[cell]
        return campaign.surfaces[self.kinds[number - 1]] if number else None


def is_spared(campaign: Campaign, kind: SurfaceKind, creature: Creature) -> bool:
    """Return whether a kind of surface does nothing to a creature: by its kind, or its people."""
    return creature.kind in kind.spares or campaign.creatures[creature.kind].people in kind.spares


def avoids(campaign: Campaign, surfaces: Surfaces | UnsetType, creature: Creature, cell: int) -> bool:
    """Return whether a creature keeps off the surface on a cell of its own accord: it would harm it, or break."""
    if surfaces is UNSET or not surfaces.cells[cell]:
        return False
    kind = surfaces.kind_at(campaign, cell)
    if kind is None or not kind.harm or is_spared(campaign, kind, creature):
        return False
    if kind.over_water:
        return not is_able(campaign, creature, "swims")
    return power_percent(campaign, creature, "resist", kind.damage_type) < _HARDY


LightReach: TypeAlias = int | Literal["level"]
"""The radius of a light in cells, or "level" for one that lights its whole level."""


def sources_of_light(
    campaign: Campaign, surfaces: Surfaces | UnsetType
) -> tuple[tuple[int, LightReach], ...]:
    """Return the sets of the cells whose surfaces give light, as bits, each with the reach of that light."""
    if surfaces is UNSET:
        return ()
    found = [
        (cells_where(bytes(surfaces.cells), frozenset({number})), kind.lights)
        for number, key in enumerate(surfaces.kinds, start=1)
        if (kind := campaign.surfaces[key]).lights
    ]
    return tuple([(cells, radius) for cells, radius in found if cells])


def hidden_cells(campaign: Campaign, surfaces: Surfaces | UnsetType) -> frozenset[int]:
    """Return the cells whose surfaces hide what is behind them."""
    if surfaces is UNSET:
        return frozenset()
    hiding = {at for at, key in enumerate(surfaces.kinds, start=1) if campaign.surfaces[key].hides}
    return frozenset(_cells_with(surfaces.cells, hiding) if hiding else ())


def _cells_with(cells: bytearray, numbers: Iterable[int]) -> list[int]:
    found: list[int] = []
    for number in numbers:
        cell = cells.find(number)
        while cell >= 0:
            found.append(cell)
            cell = cells.find(number, cell + 1)
    return found
