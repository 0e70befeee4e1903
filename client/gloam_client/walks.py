"""Which of the known cells can be reached on foot, by the terrain that is remembered. Pure; the server finds the way."""

from functools import lru_cache
from typing import Final

from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.geometry import neighbours
from gloam_shared.view import Place, View

_PASSABLE: Final = WALKABLE | {Terrain.DOOR_CLOSED}


def steps_to(view: View) -> dict[int, int]:
    """Return how many steps away each known cell is that can be reached."""
    return _steps(view.terrain, view.place, view.cell)


@lru_cache(maxsize=2)  # the bottom line asks at every picture
def _steps(terrain: bytes, place: Place, start: int) -> dict[int, int]:
    steps = {start: 0}
    edge = [start]
    while edge:
        beyond = []
        for cell in edge:
            for near in neighbours(cell, place.width, place.height, place.directions):
                if near not in steps and terrain[near] in _PASSABLE:
                    steps[near] = steps[cell] + 1
                    beyond.append(near)
        edge = beyond
    return steps
