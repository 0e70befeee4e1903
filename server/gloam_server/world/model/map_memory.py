"""Map memory of a level: after every input each player remembers the visible terrain."""

from collections.abc import Iterable

import numpy as np

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.appearance import WALKABLE


def update_map_memory(level: Level) -> None:
    """Write the terrain that each player sees now into the memory of their life."""
    sights = level.players_sight()
    if sights is level.written_sights:
        return
    level.written_sights = sights
    memory, written = level.memory, level.written_memory
    for body, seen in zip(level.players(), sights, strict=True):
        if written.get(body.number) is not seen or body.number not in memory:
            written[body.number] = seen  # a change of terrain makes a new field of view
            known = memory.setdefault(body.number, bytearray(level.grid.size))
            _write_cells(known, level.terrain, seen)


def reveal_cells(level: Level, player: Creature, cells: Iterable[int]) -> None:
    """Write part of the level into a life's map memory: walkable cells, and the cells around them."""
    known = level.memory.setdefault(player.number, bytearray(level.grid.size))
    for cell in cells:
        if level.terrain[cell] in WALKABLE:
            for at in (cell, *level.grid.neighbors(cell)):
                known[at] = level.terrain[at]


def _write_cells(known: bytearray, terrain: bytearray, seen: bytes) -> None:
    whole = np.frombuffer(terrain, dtype=np.uint8)
    np.copyto(np.frombuffer(known, dtype=np.uint8), whole, where=np.frombuffer(seen, dtype=np.bool_))
