"""Creatures by blocks of cells, to find those near a player without a look at all of them. Built for one computation."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from gloam_server.world.model.creature import Creature
from gloam_shared.geometry import Grid

_BLOCK: Final = 16
"""The cells of a block in each direction: twice the usual sight, so four blocks hold everything that a player sees."""


class BlockIndex:
    """Creatures by the block of their cell."""

    def __init__(self, grid: Grid, creatures: Sequence[Creature]) -> None:
        self._grid = grid
        self._creatures = creatures
        self._blocks: defaultdict[tuple[int, int], list[Creature]] = defaultdict(list)
        for creature in creatures:
            y, x = divmod(creature.cell, grid.width)
            self._blocks[y // _BLOCK, x // _BLOCK].append(creature)

    def near_or_met(self, body: Creature, reach: int) -> list[Creature]:
        """Return the creatures that may be within `reach` cells of a body, and those that it has met, in no order."""
        y, x = divmod(body.cell, self._grid.width)
        rows = range((y - reach) // _BLOCK, (y + reach) // _BLOCK + 1)
        columns = range((x - reach) // _BLOCK, (x + reach) // _BLOCK + 1)
        if len(rows) * len(columns) >= len(self._blocks):
            return list(self._creatures)
        blocks = self._blocks
        near = [each for row in rows for column in columns for each in blocks.get((row, column), ())]
        if body.contacts:
            found = {each.number for each in near}
            near += [
                each for each in self._creatures if each.number in body.contacts and each.number not in found
            ]
        return near
