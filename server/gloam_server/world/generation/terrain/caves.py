"""Caves: the terrain of one level from a cellular automaton, before stairs. Pure: same key, same bytes."""

from typing import Final

import numpy as np

from gloam_server.content.levels import LevelKind
from gloam_server.rules.dice import stream
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS

_MAJORITY: Final = 5
"""The numbers of living cells among a cell and its neighbors that make it live: born on 5-8, survives on 4-8 (J7.4)."""


def cave_terrain(rules: LevelKind, seed: int, depth: int, attempt: int = 0) -> bytes:
    """Return the floor and walls of a level, one byte a cell (rules J7.4-J7.6). `attempt` gives another cave.

    Beyond the edge everything is dead. Living cells are floor, dead ones wall; regions smaller than the level's
    `region_min` are filled, so a level may have no floor.
    """
    size = rules.width * rules.height
    noise = np.frombuffer(stream("caves", seed, depth, attempt, size=size), dtype=np.uint8)
    alive = (noise.astype(np.uint16) * 100 < rules.fill_percent * 256).astype(np.uint8)
    alive = alive.reshape(rules.height, rules.width)
    for _ in range(rules.passes):
        padded = np.pad(alive, 1)
        rows = padded[:-2] + padded[1:-1] + padded[2:]
        alive = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] >= _MAJORITY).astype(np.uint8)
    cells = bytearray(np.where(alive, int(Terrain.FLOOR), int(Terrain.WALL)).astype(np.uint8).tobytes())
    for region in find_regions(cells, rules.grid, DIRECTIONS).cells:
        if len(region) < rules.region_min:
            for cell in region:
                cells[cell] = Terrain.WALL
    return bytes(cells)
