"""Stairs: where the caves of two levels lie above each other. Pure; it changes only the terrain it is given."""

from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.regions import Regions
from gloam_shared.appearance import Terrain

_REGIONS_MAX: Final = 1 << 16
"""No level has so many regions: it has no more cells."""


def connect(dice: Dice, above: bytearray, below: bytearray, regions: tuple[Regions, Regions]) -> None:
    """Give each pair of regions that lie above each other one staircase, at a random floor cell of both (rule J7.7).

    `regions` are those of the two levels. A cell that already holds stairs is no floor, so no cell gets two; a pair
    whose every common cell holds stairs gets none.
    """
    shared: dict[tuple[int, int], list[int]] = {}
    for cell in overlap(above, below):
        shared.setdefault((regions[0].of[cell], regions[1].of[cell]), []).append(cell)
    for (upper, lower), cells in shared.items():
        build(above, below, dice.pick("stairs", upper * _REGIONS_MAX + lower, cells))


def overlap(above: bytearray, below: bytearray) -> list[int]:
    """Return the cells that are plain floor on both levels, rising."""
    floor = Terrain.FLOOR
    return [
        cell
        for cell, (high, low) in enumerate(zip(above, below, strict=True))
        if high == floor and low == floor
    ]


def build(above: bytearray, below: bytearray, cell: int) -> None:
    """Build one staircase: down from the level above, up from the one below, at the same cell."""
    above[cell] = Terrain.STAIRS_DOWN
    below[cell] = Terrain.STAIRS_UP
