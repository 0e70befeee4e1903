"""The light that falls on the cells in sight, in levels: bright beside the player, braziers and fires, dark far away. Pure.

Only the look of the map depends on it: what a player sees, the server decides.
"""

from functools import lru_cache
from typing import Final

from gloam_client.terminal.canvas import LIGHTS
from gloam_shared.appearance import Terrain
from gloam_shared.view.surfaces import shining_cells
from gloam_shared.view.view import View

_OWN: Final = (6, 26)
"""The squared distances up to which the player's own light has its highest level, and the next one."""
_BRAZIER: Final = (3, 14)
"""The same for a brazier's."""
_FIRE: Final = (1, 5)
"""The same for a burning cell's."""
_FIRES_MAX: Final = 32
"""The most burning cells whose light is drawn: of more, every second or third."""
_SEEN: Final = b"\0" + b"\xff" * 255


def light_levels(view: View) -> bytes:
    """Return the level of light of each cell, from 0 to `LIGHTS`: 0 for all cells out of sight."""
    width, height = view.place.width, view.place.height
    braziers = []
    at = view.terrain.find(Terrain.BRAZIER)
    while at >= 0:
        if view.sight[at]:
            braziers.append(at)
        at = view.terrain.find(Terrain.BRAZIER, at + 1)
    fires = shining_cells(view.surface_looks, view.surfaces) if view.surfaces else ()
    fires = fires[:: 1 + len(fires) // _FIRES_MAX]
    falling = int.from_bytes(_falling(width, height, view.cell, tuple(braziers), fires))
    return (falling & int.from_bytes(view.sight.translate(_SEEN))).to_bytes(len(view.sight))


@lru_cache(maxsize=512)  # of 200 clients in one process, too
def _falling(width: int, height: int, own: int, braziers: tuple[int, ...], fires: tuple[int, ...]) -> bytes:
    """Return the light that would fall on each cell of a level without walls."""
    levels = bytearray(width * height)
    lights = ((own, _OWN), *((cell, _BRAZIER) for cell in braziers), *((cell, _FIRE) for cell in fires))
    for source, reaches in lights:
        at_y, at_x = divmod(source, width)
        for y, x, level in _disk(reaches):
            if 0 <= at_y + y < height and 0 <= at_x + x < width:
                cell = source + y * width + x
                levels[cell] = max(levels[cell], level)
    return bytes(levels)


@lru_cache(maxsize=8)
def _disk(reaches: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """Return the cells around a light, by row and column from it, with their levels."""
    far = int(max(reaches) ** 0.5)
    return tuple(
        (y, x, LIGHTS - next(at for at, reach in enumerate(reaches) if y * y + x * x <= reach))
        for y in range(-far, far + 1)
        for x in range(-far, far + 1)
        if y * y + x * x <= max(reaches)
    )
