"""Water: lakes with shallow rims, and rivers with fords. Water that would divide a level is all shallow."""

from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.connectivity.regions import find_regions
from gloam_server.world.generation.draft import LevelDraft
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import Direction

_LAKES: Final = (2, 4)
_LAKE_RADIUS: Final = (3, 6)
_FORD_EVERY: Final = 7
_RIVER_WIDTH: Final = 3


def add_lakes(draft: LevelDraft, dice: Dice, directions: tuple[Direction, ...]) -> bool:
    """Put two to four lakes on a level: deep inside, shallow at the rim. Return whether any water stands there."""
    floor = draft.floor()
    if not floor:
        return False
    for _ in range(_between(dice, "lakes", _LAKES)):
        x, y = draft.grid.point(dice.pick("flood", 0, floor))
        radius = _between(dice, "flood radius", _LAKE_RADIUS)
        rim, deep = radius * radius, (radius - 1) * (radius - 1)
        cells = [(cell, _squared_distance(draft, cell, x, y)) for cell in floor]
        _fill_lake(
            draft,
            directions,
            [cell for cell, away in cells if away < deep],
            [cell for cell, away in cells if deep <= away <= rim],
        )
    return True


def add_river(draft: LevelDraft, dice: Dice, directions: tuple[Direction, ...]) -> bool:
    """Add a winding river from top to bottom, with a ford every few rows. Return whether any water stands there."""
    height = len(draft.terrain) // draft.width
    x = draft.width // 4 + dice.roll("source", 0, draft.width // 2)
    deep: list[int] = []
    shallow: list[int] = []
    for y in range(1, height - 1):
        x = min(max(x + dice.roll("bend of river", 0, 3) - 1, 2), draft.width - 3 - _RIVER_WIDTH)
        for column in range(x - 1, x + _RIVER_WIDTH + 1):
            cell = y * draft.width + column
            if draft.terrain[cell] == Terrain.FLOOR:
                bank = column in (x - 1, x + _RIVER_WIDTH)
                (shallow if bank or y % _FORD_EVERY < 2 else deep).append(cell)
    _fill_lake(draft, directions, deep, shallow)
    return bool(deep or shallow)


def _fill_lake(
    draft: LevelDraft, directions: tuple[Direction, ...], deep: list[int], shallow: list[int]
) -> None:
    """Turn floor into water; if that creates more regions, the deep cells become shallow, too."""
    before = len(find_regions(draft.terrain, draft.grid, directions).cells)
    for cell in shallow:
        if draft.terrain[cell] == Terrain.FLOOR:
            draft.terrain[cell] = Terrain.SHALLOWS
    flooded = [cell for cell in deep if draft.terrain[cell] == Terrain.FLOOR]
    for cell in flooded:
        draft.terrain[cell] = Terrain.WATER
    if len(find_regions(draft.terrain, draft.grid, directions).cells) != before:
        for cell in flooded:
            draft.terrain[cell] = Terrain.SHALLOWS
        return
    for cell in flooded:
        for shore in draft.grid.neighbors(cell):
            if draft.terrain[shore] == Terrain.FLOOR:
                draft.terrain[shore] = Terrain.SHALLOWS


def _squared_distance(draft: LevelDraft, cell: int, x: int, y: int) -> int:
    """Return the square of a cell's distance; rows count for more, because they look farther apart."""
    return (cell % draft.width - x) ** 2 + ((cell // draft.width - y) * 3 // 2) ** 2


def _between(dice: Dice, purpose: str, bounds: tuple[int, int]) -> int:
    return bounds[0] + dice.roll(purpose, 0, bounds[1] - bounds[0] + 1)
