"""The kept values of one level that only rules read: derived from its state, never saved and never shown.

They stand beside the state, in one object of the level: rules read them in some forty modules of `world`, which all have
the level at hand. Serialization knows the state alone, so a level that is read again begins with empty caches.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.turn_group_data import KnownGroups
from gloam_shared.geometry import Grid
from gloam_shared.kept import CHECKS, Kept, KeptTable, verify
from gloam_shared.search import reachable

_STARTS_KEPT: Final = 16


class NearestCells:
    """The cells around a cell by their distance over walkable ground: all lives of a realm begin at the same cell.

    These are searches on one state of the terrain. Each goes on where the last caller from the same cell stopped.
    """

    def __init__(self, grid: Grid, is_walkable: Callable[[int], bool]) -> None:
        self._grid: Final = grid
        self._is_walkable: Final = is_walkable
        self._searches: Final[dict[int, tuple[list[int], Iterator[tuple[int, int]]]]] = {}

    def nearest(self, start: int, will_do: Callable[[int], bool]) -> int | None:
        """Return the first suitable cell of `around`, None without one."""
        found = next(filter(will_do, self.around(start)), None)
        if CHECKS.report is not None:
            fresh = NearestCells(self._grid, self._is_walkable)
            return verify("the nearest cells", found, lambda: fresh.nearest(start, will_do))
        return found

    def around(self, start: int) -> Iterator[int]:
        """Yield `start` and all cells that can be reached from it, the nearest first, as `search.reachable` orders them."""
        if start not in self._searches:
            if len(self._searches) >= _STARTS_KEPT:
                self._searches.clear()
            self._searches[start] = [], reachable(start, self._is_walkable, self._grid)
        found, search = self._searches[start]
        at = 0
        while True:
            if at == len(found):
                cell, _ = next(search, (None, 0))
                if cell is None:
                    return
                found.append(cell)
            yield found[at]
            at += 1

    def clear(self) -> None:
        """Search again: the terrain of a cell has changed."""
        self._searches.clear()


@dataclass(slots=True)
class WrittenSights:
    """The fields of view that were last written into map memory."""

    by_life: dict[int, bytes] = field(default_factory=dict)
    of_players: tuple[bytes, ...] | None = None
    """The fields of view of all players, as `Level.players_sight` returned them."""
    players: tuple[Creature, ...] = ()
    """These players, as `Level.players` returned them."""


class LevelCaches:
    """The caches of one level."""

    __slots__ = ("appearances", "foes", "nearest_cells", "turn_groups", "written")

    def __init__(self, grid: Grid, is_walkable: Callable[[int], bool]) -> None:
        self.turn_groups: Final = Kept[KnownGroups]("the turn groups of a level")
        self.foes: Final = KeptTable[str, list[Creature]]("the certain foes of a kind")
        """Empty after a creature arrived, left, or changed sides."""
        self.nearest_cells: Final = NearestCells(grid, is_walkable)
        """Cleared after a change of the terrain."""
        self.written: Final = WrittenSights()
        self.appearances: Final[dict[str, str]] = {}
        """The appearances of unidentified item kinds, each from its first use on: they follow from the realm's seed."""
