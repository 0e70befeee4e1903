"""The boss's cavern: a round cave with lakes (rule JG.2). It changes only the draft."""

from typing import Final

from gloam_server.rules.dice import Dice
from gloam_server.world.generation.draft import LevelDraft
from gloam_shared.appearance import Terrain

_LAKES: Final = (3, 6)
_LAKE_RADIUS: Final = (1, 2)


def build_boss_cavern(draft: LevelDraft, dice: Dice) -> None:
    """Dig a filled circle of radius (the shorter side - 2) / 2 at the center, and put 3-6 lakes of radius 1-2 into it."""
    width, height = draft.width, len(draft.terrain) // draft.width
    middle = (width // 2, height // 2)
    _fill(draft, middle, (min(width, height) - 2) // 2, Terrain.FLOOR)
    floor = draft.floor()
    for _ in range(_between(dice, "lakes", _LAKES)):
        shore = draft.grid.point(dice.pick("lake", 0, floor))
        _fill(draft, shore, _between(dice, "radius", _LAKE_RADIUS), Terrain.WATER)


def _fill(draft: LevelDraft, centre: tuple[int, int], radius: int, terrain: Terrain) -> None:
    """Fill a circle; water replaces only floor, and no cell of the level's edge changes."""
    width, height = draft.width, len(draft.terrain) // draft.width
    for y in range(max(1, centre[1] - radius), min(height - 1, centre[1] + radius + 1)):
        for x in range(max(1, centre[0] - radius), min(width - 1, centre[0] + radius + 1)):
            within = (x - centre[0]) ** 2 + (y - centre[1]) ** 2 <= radius * radius
            if within and (terrain == Terrain.FLOOR or draft.terrain[y * width + x] == Terrain.FLOOR):
                draft.terrain[y * width + x] = terrain


def _between(dice: Dice, purpose: str, bounds: tuple[int, int]) -> int:
    return bounds[0] + dice.roll(purpose, 0, bounds[1] - bounds[0] + 1)
