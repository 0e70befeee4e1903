"""The cells around a cell by their distance over walkable ground, kept: all lives of a realm begin at the same cell."""

from collections.abc import Callable, Iterator
from typing import Final

from gloam_shared.geometry import Grid
from gloam_shared.search import reachable

_STARTS_KEPT: Final = 16


class NearestCells:
    """Searches on one state of a level's terrain. Each goes on where the last caller from the same cell stopped."""

    def __init__(self, grid: Grid, is_walkable: Callable[[int], bool]) -> None:
        self._grid: Final = grid
        self._is_walkable: Final = is_walkable
        self._searches: Final[dict[int, tuple[list[int], Iterator[tuple[int, int]]]]] = {}

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
