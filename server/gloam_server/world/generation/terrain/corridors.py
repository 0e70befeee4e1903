"""Corridors: connections between rooms and caves of one level. It changes only the draft."""

from collections import deque
from collections.abc import Container, Iterable
from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import LevelDraft, Room
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import Direction

Point = tuple[int, int]

_STRAY_PERCENT: Final = 45
"""The chance that a winding tunnel steps sideways."""

_POCKET: Final = 6
"""A region of fewer cells, cut off by a drawn room, is filled."""

_OPEN: Final = WALKABLE | {Terrain.DOOR_CLOSED}


def dig_elbow(draft: LevelDraft, start: Point, end: Point, *, across_first: bool) -> None:
    """Dig a corridor with one bend between two cells."""
    (x1, y1), (x2, y2) = start, end
    bend_x, bend_y = (x2, y1) if across_first else (x1, y2)
    for x in range(min(x1, x2), max(x1, x2) + 1):
        draft.carve(x, bend_y)
    for y in range(min(y1, y2), max(y1, y2) + 1):
        draft.carve(bend_x, y)


def dig_winding(draft: LevelDraft, dice: Dice, start: Point, end: Point) -> None:
    """Dig a winding tunnel: each step goes nearer or sideways; the tunnel is at most twice as long as the direct way."""
    width, height = draft.kind.width, len(draft.terrain) // draft.kind.width
    (x, y), (to_x, to_y) = start, end
    for _ in range(abs(x - to_x) + abs(y - to_y)):
        draft.carve(x, y)
        if (x, y) == (to_x, to_y):
            return
        if dice.chance("stray", 0, _STRAY_PERCENT):
            dx, dy = dice.pick("aside", 0, ((0, 1), (0, -1), (1, 0), (-1, 0)))
            if 1 <= x + dx < width - 1 and 1 <= y + dy < height - 1:
                x, y = x + dx, y + dy
                draft.carve(x, y)
        if abs(x - to_x) > abs(y - to_y):
            x += 1 if to_x > x else -1
        elif y != to_y:
            y += 1 if to_y > y else -1
    dig_elbow(draft, (x, y), end, across_first=dice.chance("elbow", 0, 50))


def pairs_to_join(dice: Dice, rooms: tuple[Room, ...], extra: int) -> list[tuple[Room, Room]]:
    """Return which rooms to join (rule RG.1): repeatedly the room nearest to the joined ones, then random pairs.

    Near is the Manhattan distance of centers, ties by the order of the rooms. The up to `extra` further pairs are of
    different rooms, none in two of them.
    """
    joined, left, pairs = list(rooms[:1]), list(rooms[1:]), []
    # How far each room that is left is from the nearest joined one, and which one that is.
    nearest_joined = [(_apart(rooms[0], room), 0) for room in left]
    while left:
        at = nearest_joined.index(min(nearest_joined))
        new, (_, old) = left.pop(at), nearest_joined.pop(at)
        pairs.append((joined[old], new))
        joined.append(new)
        added = len(joined) - 1
        nearest_joined = [
            min(known, (_apart(new, room), added)) for known, room in zip(nearest_joined, left, strict=True)
        ]
    further = dice.shuffle("pair", 0, rooms, 2 * extra)
    return [*pairs, *zip(further[::2], further[1::2], strict=False)]


def join_regions(draft: LevelDraft, dice: Dice, directions: tuple[Direction, ...]) -> None:
    """Dig a tunnel from every region of a level to the nearest cell of what is connected with the largest.

    Each round joins a region, so there are no more rounds than regions.
    """
    regions = find_regions(draft.terrain, draft.grid, directions)
    if not regions.cells:
        return
    joined = list(regions.cells[regions.largest])
    for number, cells in enumerate(regions.cells):
        if number != regions.largest:
            start = draft.grid.point(dice.pick("tunnel", number, cells))
            end = nearest(draft, joined, start)
            dig_elbow(draft, start, end, across_first=dice.chance("bend", number, 50))
            joined.extend(cells)


def dig_least(draft: LevelDraft, starts: Iterable[int], ends: Container[int]) -> bool:
    """Dig the way from some cells to others that needs the least digging, past drawn rooms; return whether there is one.

    It goes in straight steps, so that it can be walked with every `movement`. The edge of the level stays.
    """
    width, last = draft.width, len(draft.terrain) - draft.width
    before: dict[int, int] = {}
    waiting = deque((cell, cell) for cell in starts)
    while waiting:
        cell, source = waiting.popleft()
        if cell in before:
            continue
        before[cell] = source
        if cell in ends:
            _carve_back(draft, before, cell)
            return True
        for beside in (cell - width, cell + 1, cell + width, cell - 1):
            inside = width <= beside < last and 0 < beside % width < width - 1
            if beside in before or beside in draft.kept or not inside:
                continue
            if draft.terrain[beside] in WALKABLE:
                waiting.appendleft((beside, cell))
            else:
                waiting.append((beside, cell))
    return False


def join_past(draft: LevelDraft, directions: tuple[Direction, ...]) -> None:
    """Join all regions of a level past its drawn rooms; fill what is too small to be worth it, or cannot be joined."""
    regions = []
    for cells in find_regions(draft.terrain, draft.grid, directions).cells:
        if len(cells) < _POCKET and draft.kept.isdisjoint(cells):
            _fill(draft, cells)
        else:
            regions.append(cells)
    if not regions:
        return
    largest = max(regions, key=len)
    joined = set(largest)
    for cells in regions:
        if cells is largest:
            continue
        if dig_least(draft, cells, joined):
            joined.update(cells)
        else:
            _fill(draft, cells)


def fill_dead_ends(draft: LevelDraft) -> None:
    """Fill the corridors that lead nowhere: floor outside rooms from which at most one step leads on."""
    spared = draft.kept.union(*(room.cells(draft.width) for room in draft.rooms))
    waiting = [cell for cell in draft.floor() if cell not in spared]
    while waiting:
        cell = waiting.pop()
        if draft.terrain[cell] != Terrain.FLOOR or cell in spared:
            continue
        ways = [beside for beside in draft.grid.neighbors(cell) if draft.terrain[beside] in _OPEN]
        if len(ways) < 2:
            draft.terrain[cell] = Terrain.WALL
            waiting += ways


def _carve_back(draft: LevelDraft, before: dict[int, int], cell: int) -> None:
    """Carve a way back to where it began: the cell that comes from itself."""
    draft.carve(*draft.grid.point(cell))
    while before[cell] != cell:
        cell = before[cell]
        draft.carve(*draft.grid.point(cell))


def _fill(draft: LevelDraft, cells: Iterable[int]) -> None:
    for cell in cells:
        if cell not in draft.kept:
            draft.terrain[cell] = Terrain.WALL


def nearest(draft: LevelDraft, cells: list[int], point: Point) -> Point:
    """Return which of these cells is nearest to a point by Manhattan distance, the first among equals."""
    x, y = point
    width = draft.width
    cell = min(cells, key=lambda each: abs(each % width - x) + abs(each // width - y))
    return cell % width, cell // width


def _apart(one: Room, other: Room) -> int:
    (x1, y1), (x2, y2) = one.centre, other.centre
    return abs(x1 - x2) + abs(y1 - y2)
