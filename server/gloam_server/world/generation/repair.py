"""The one repair of our own: whatever cannot be reached from the arrival place gets one more staircase, or is filled.

Pure; it changes only the terrain it is given. It never closes what can be reached.
"""

from dataclasses import dataclass

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.regions import Regions, label
from gloam_server.world.generation.stairs import build
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

Node = tuple[int, int]
"""A region of the realm: index of its level from 0, number of the region there."""


@dataclass(slots=True)
class _Realm:
    """All levels under repair, and the regions that can be reached so far."""

    levels: list[bytearray]
    regions: list[Regions]
    reached: set[Node]


def repair(dice: Dice, levels: list[bytearray], width: int, directions: tuple[Direction, ...]) -> None:
    """Let every walkable cell be reached, over floor and stairs, from the largest region of the first level.

    A region that cannot be reached gets one more staircase where it lies above or below floor that can be, at a cell
    that is plain floor on both levels; where there is none, it is filled with wall. The first level needs floor.
    """
    regions = [label(terrain, width, directions) for terrain in levels]
    realm = _Realm(levels, regions, set())
    _reach(realm, (0, regions[0].largest))
    nodes = [(at, number) for at, found in enumerate(regions) for number in range(len(found.cells))]
    progress = True
    while progress:  # Each round but the last joins a region, so there are no more rounds than regions.
        progress = False
        for node in nodes:
            progress |= _join(realm, node, dice)
    for at, number in nodes:
        if (at, number) not in realm.reached:
            for cell in regions[at].cells[number]:
                levels[at][cell] = Terrain.WALL


def _reach(realm: _Realm, start: Node) -> None:
    """Mark a region, and all that stairs lead to from it, as reached."""
    realm.reached.add(start)
    found = [start]
    for at, number in found:
        for cell in realm.regions[at].cells[number]:
            other = _stairs_to(realm, at, cell)
            if other is not None and other not in realm.reached:
                realm.reached.add(other)
                found.append(other)


def _stairs_to(realm: _Realm, at: int, cell: int) -> Node | None:
    """Return the region that the stairs on a cell lead to, None when there are none."""
    terrain = realm.levels[at][cell]
    if terrain == Terrain.STAIRS_DOWN:
        return at + 1, realm.regions[at + 1].of[cell]
    if terrain == Terrain.STAIRS_UP:
        return at - 1, realm.regions[at - 1].of[cell]
    return None


def _join(realm: _Realm, node: Node, dice: Dice) -> bool:
    """Build one staircase between an unreached region and what is reached; return whether there was a place for it."""
    if node in realm.reached:
        return False
    at, number = node
    places = [
        (cell, other)
        for other in (at - 1, at + 1)
        if 0 <= other < len(realm.levels)
        for cell in realm.regions[at].cells[number]
        if realm.levels[at][cell] == realm.levels[other][cell] == Terrain.FLOOR
        and (other, realm.regions[other].of[cell]) in realm.reached
    ]
    if not places:
        return False
    cell, other = dice.pick("repair", realm.regions[at].cells[number][0] + at * len(realm.levels[at]), places)
    upper = min(at, other)
    build(realm.levels[upper], realm.levels[upper + 1], cell)
    _reach(realm, node)
    return True
