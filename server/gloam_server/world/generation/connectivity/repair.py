"""The repair of levels: each region that the arrival place cannot reach gets one more staircase, or is filled.

Pure; it changes only the drafts it is given. It never closes a reachable cell.
"""

from dataclasses import dataclass

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import Regions, find_regions
from gloam_server.world.generation.connectivity.stair_building import (
    aligned_regions,
    build_stairs,
    build_unaligned_stairs,
)
from gloam_server.world.generation.draft import LevelDraft
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

Node = tuple[int, int]
"""A region of the realm: index of its level from 0, number of the region there."""


@dataclass(slots=True)
class _Realm:
    """All levels under repair, and the regions that can be reached so far."""

    drafts: list[LevelDraft]
    regions: list[Regions]
    reached: set[Node]


def repair_connectivity(dice: Dice, drafts: list[LevelDraft], directions: tuple[Direction, ...]) -> None:
    """Make every walkable cell reachable, over floor and stairs, from the largest region of the first level.

    An unreachable region gets one more staircase: above or below reachable floor, at a cell that is plain floor on
    both levels; or anywhere, between levels whose stairs need not be above each other. If there is
    no place for one, the region is filled with wall. The first level needs floor.
    """
    regions = [find_regions(draft.terrain, draft.grid, directions) for draft in drafts]
    realm = _Realm(drafts, regions, set())
    _reachable(realm, (0, regions[0].largest))
    nodes = [(at, number) for at, found in enumerate(regions) for number in range(len(found.cells))]
    progress = True
    while progress:  # Each round but the last joins a region, so there are no more rounds than regions.
        progress = False
        for node in nodes:
            progress |= _join(realm, node, dice)
    for at, number in nodes:
        if (at, number) not in realm.reached:
            for cell in regions[at].cells[number]:
                drafts[at].terrain[cell] = Terrain.WALL


def _reachable(realm: _Realm, start: Node) -> None:
    """Mark a region, and all regions that stairs lead to from it, as reached."""
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
    draft = realm.drafts[at]
    terrain = draft.terrain[cell]
    if terrain not in (Terrain.STAIRS_DOWN, Terrain.STAIRS_UP):
        return None
    other = at + 1 if terrain == Terrain.STAIRS_DOWN else at - 1
    return other, realm.regions[other].of[draft.links.get(cell, cell)]


def _join(realm: _Realm, node: Node, dice: Dice) -> bool:
    """Build one staircase between an unreached region and a reached one; return whether a place was found."""
    if node in realm.reached:
        return False
    if not _join_above(realm, node, dice) and not _join_apart(realm, node, dice):
        return False
    _reachable(realm, node)
    return True


def _join_above(realm: _Realm, node: Node, dice: Dice) -> bool:
    """Build a staircase at a cell that is plain floor on both of two levels."""
    at, number = node
    drafts = realm.drafts
    pairs = [
        (cell, other)
        for other in _beside(realm, at, lie_above=True)
        for cell in realm.regions[at].cells[number]
        if drafts[at].terrain[cell] == drafts[other].terrain[cell] == Terrain.FLOOR
        and (other, realm.regions[other].of[cell]) in realm.reached
    ]
    if not pairs:
        return False
    cell, other = dice.pick("repair", _key(realm, node), pairs)
    upper = min(at, other)
    build_stairs(drafts[upper].terrain, drafts[upper + 1].terrain, cell)
    return True


def _join_apart(realm: _Realm, node: Node, dice: Dice) -> bool:
    """Build a staircase between any plain floor cells of two levels with stairs that need not be above each other."""
    at, number = node
    here = [
        cell for cell in realm.regions[at].cells[number] if realm.drafts[at].terrain[cell] == Terrain.FLOOR
    ]
    for other in _beside(realm, at, lie_above=False):
        there = [
            cell
            for region, cells in enumerate(realm.regions[other].cells)
            if (other, region) in realm.reached
            for cell in cells
            if realm.drafts[other].terrain[cell] == Terrain.FLOOR
        ]
        if here and there:
            key = _key(realm, node)
            cell, far = dice.pick("repair here", key, here), dice.pick("repair there", key, there)
            upper, lower = (cell, far) if at < other else (far, cell)
            first = min(at, other)
            build_unaligned_stairs(realm.drafts[first], realm.drafts[first + 1], upper, lower)
            return True
    return False


def _beside(realm: _Realm, at: int, *, lie_above: bool) -> list[int]:
    """Return the levels next to one with stairs to it at the same cell, or those where the cells may differ."""
    drafts = realm.drafts
    return [
        other
        for other in (at - 1, at + 1)
        if 0 <= other < len(drafts) and aligned_regions(drafts[at].kind, drafts[other].kind) == lie_above
    ]


def _key(realm: _Realm, node: Node) -> int:
    """Return a number that no other region of the realm has."""
    at, number = node
    return realm.regions[at].cells[number][0] + at * len(realm.drafts[at].terrain)
